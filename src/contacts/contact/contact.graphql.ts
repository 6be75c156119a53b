// GraphQL: the Contact type and its queries.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { readsProperty, selected, selectedFields, selectedRows } from '../../graphql/schema/lists/selection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { UserType } from '../../identity/users/user.graphql.ts'
import { userById } from '../../identity/users/user.ts'
import { getContact, getContactEvenDeleted } from './contact.ts'
import { listContacts } from './list.ts'
import { isCallable } from './phone.ts'
import { contactTable, emptiable, emptiableColumns, type ListedContact, listedProperties } from './row.ts'

export const LifecycleStageEnum = builder.enumType('LifecycleStage', {
  description: 'How far a contact has come.',
  values: {
    SUBSCRIBER: { value: 'subscriber', description: 'Wants to hear from us. New contacts are this unless said otherwise.' },
    LEAD: { value: 'lead', description: 'Has shown interest.' },
    QUALIFIED: { value: 'qualified', description: 'Fits, and is worth an effort.' },
    OPPORTUNITY: { value: 'opportunity', description: 'A sale is being talked about.' },
    CUSTOMER: { value: 'customer', description: 'Has bought.' },
    EVANGELIST: { value: 'evangelist', description: 'Has bought, and tells others.' },
    OTHER: { value: 'other', description: 'None of these.' },
  } as const,
})

export const ContactSourceEnum = builder.enumType('ContactSource', {
  description: 'Where a contact came from.',
  values: {
    API: { value: 'api', description: 'An integration with an API key.' },
    WEB: { value: 'web', description: 'A person in the web app.' },
    DESKTOP: { value: 'desktop', description: 'A person in the desktop app.' },
    IMPORT: { value: 'import', description: 'A file.' },
    VOICE: { value: 'voice', description: 'A telephone call.' },
    ENRICHMENT: { value: 'enrichment', description: 'An enrichment job.' },
    HOOK: { value: 'hook', description: 'A webhook.' },
    AGENT: { value: 'agent', description: 'An agent, through its tools.' },
    SYSTEM: { value: 'system', description: 'The product itself.' },
  } as const,
})

export const ContactSortEnum = builder.enumType('ContactSort', {
  description: 'Orders of a list of contacts. Ties are broken by id. Missing values come last, in descending orders first.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
    UPDATED_AT: { value: 'updated_at', description: 'Least recently changed first.' },
    UPDATED_AT_DESC: { value: 'updated_at_desc', description: 'Most recently changed first.' },
    LAST_NAME: { value: 'last_name', description: 'By last name, without regard to case.' },
    LAST_NAME_DESC: { value: 'last_name_desc', description: 'By last name, descending.' },
    EMAIL: { value: 'email', description: 'By e-mail address, without regard to case.' },
    EMAIL_DESC: { value: 'email_desc', description: 'By e-mail address, descending.' },
  } as const,
})

export const ContactType = builder.objectRef<ListedContact>('Contact').implement({
  description: 'A person the organization knows.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7: ids sort by time of creation.' }),
    orgId: t.exposeID('orgId', { description: 'The organization it belongs to.' }),
    email: t.field({
      type: 'EmailAddress',
      nullable: true,
      description: 'Unique among live contacts, without regard to case.',
      resolve: selected('email'),
    }),
    firstName: t.string({ nullable: true, description: 'First name.', resolve: selected('firstName') }),
    lastName: t.string({ nullable: true, description: 'Last name.', resolve: selected('lastName') }),
    fullName: t.string({ nullable: true, description: 'First and last name, unless another was given.', resolve: selected('fullName') }),
    phone: t.string({
      nullable: true,
      description: "In E.164 when it is an international number, or one of the organization's country; else as it was given.",
      resolve: selected('phone'),
    }),
    phoneCallable: t.boolean({
      nullable: true,
      description: 'Whether the number can be called, which needs its country; null without a number.',
      extensions: readsProperty('phone'),
      resolve(contact) {
        const phone = selected('phone')(contact)
        return phone === null ? null : isCallable(phone)
      },
    }),
    jobTitle: t.string({ nullable: true, description: 'Job title.', resolve: selected('jobTitle') }),
    companyName: t.string({ nullable: true, description: 'Company.', resolve: selected('companyName') }),
    companyDomain: t.string({
      nullable: true,
      description: "The company's domain, such as example.com.",
      resolve: selected('companyDomain'),
    }),
    linkedinUrl: t.field({ type: 'URL', nullable: true, description: 'Profile on LinkedIn.', resolve: selected('linkedinUrl') }),
    city: t.string({ nullable: true, description: 'City.', resolve: selected('city') }),
    region: t.string({ nullable: true, description: 'State, province or region.', resolve: selected('region') }),
    country: t.string({ nullable: true, description: 'ISO 3166-1 alpha-2, such as DE.', resolve: selected('country') }),
    timezone: t.string({ nullable: true, description: 'IANA time zone, such as Europe/Berlin.', resolve: selected('timezone') }),
    avatarUrl: t.field({ type: 'URL', nullable: true, description: 'Picture.', resolve: selected('avatarUrl') }),
    lifecycleStage: t.field({
      type: LifecycleStageEnum,
      description: 'How far the contact has come.',
      resolve: selected('lifecycleStage'),
    }),
    source: t.field({ type: ContactSourceEnum, description: 'Where the contact came from.', resolve: selected('source') }),
    ownerUserId: t.id({
      nullable: true,
      description: 'The member of the organization who looks after the contact.',
      resolve: selected('ownerUserId'),
    }),
    owner: t.field({
      type: UserType,
      nullable: true,
      description:
        'The member of the organization who looks after the contact, for signed-in users and guests; null also for one who has left.',
      extensions: readsProperty('ownerUserId'),
      resolve(contact, _args, context) {
        const id = selected('ownerUserId')(contact)
        const { kind } = context.principal
        return id !== null && (kind === 'session' || kind === 'guest') ? userById(context, id) : null
      },
    }),
    tags: t.stringList({ description: 'Tags, each once.', resolve: selected('tags') }),
    custom: t.field({ type: 'JSONObject', description: "The organization's custom fields, by key.", resolve: selected('custom') }),
    doNotCall: t.boolean({ description: 'Whether the contact must not be called.', resolve: selected('doNotCall') }),
    externalId: t.id({ nullable: true, description: "The contact's id in another system.", resolve: selected('externalId') }),
    lastContactedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When somebody last spoke with the contact.',
      resolve: selected('lastContactedAt'),
    }),
    createdBy: t.field({ type: ActorType, description: 'Who added the contact.', resolve: selected('createdBy') }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    deletedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was deleted; null while it lives.',
      resolve: selected('deletedAt'),
    }),
    version: t.int({
      description: 'Counts the changes, from 1. A change can name the version it is meant for.',
      resolve: selected('version'),
    }),
  }),
})

const ContactConnection = connectionOf('Contact', 'contacts', ContactType)

const ContactValueEnum = builder.enumType('ContactValue', {
  description: 'A field that may be empty.',
  values: Object.fromEntries(
    emptiable.map(field => {
      const column = emptiableColumns[field]
      return [column.toUpperCase(), { value: field, description: `The field ${column}.` }]
    }),
  ),
})

const CustomFieldFilterInput = builder.inputType('CustomFieldFilter', {
  description: 'A condition on a custom field. All that is given must hold, and there must be something.',
  fields: t => ({
    key: t.string({ required: true, description: 'The key of the field.' }),
    in: t.stringList({ description: 'Has any of these values, at most 20. A list has one of them, true and false are texts.' }),
    min: t.float({ description: 'A number of at least this.' }),
    max: t.float({ description: 'A number of at most this.' }),
    since: t.field({ type: 'Date', description: 'A day then or later.' }),
    until: t.field({ type: 'Date', description: 'A day then or before.' }),
    empty: t.boolean({ description: 'Has no value, or with false has one.' }),
  }),
})

export const ContactFilterInput = builder.inputType('ContactFilter', {
  description: 'Which contacts a list has. All conditions must hold.',
  fields: t => ({
    q: t.string({
      description: 'Words that stand somewhere in name, e-mail address, phone number or company, without regard to case and accents.',
    }),
    email: t.string({ description: 'This e-mail address, without regard to case.' }),
    phone: t.string({ description: 'This phone number, however it is written.' }),
    lifecycleStage: t.field({ type: LifecycleStageEnum, description: 'In this stage.' }),
    lifecycleStageIn: t.field({ type: [LifecycleStageEnum], description: 'In any of these stages, at most 20.' }),
    source: t.field({ type: ContactSourceEnum, description: 'From this source.' }),
    sourceIn: t.field({ type: [ContactSourceEnum], description: 'From any of these sources, at most 20.' }),
    tag: t.string({ description: 'With this tag.' }),
    tagIn: t.stringList({ description: 'With any of these tags, at most 20.' }),
    ownerUserId: t.id({ description: 'Looked after by this user.' }),
    ownerUserIdIn: t.idList({ description: 'Looked after by any of these users, at most 20.' }),
    tagAll: t.stringList({ description: 'With all of these tags, at most 20.' }),
    companyNameIn: t.stringList({ description: 'Of any of these companies, at most 20.' }),
    companyNameContains: t.stringList({
      description: 'Of a company with any of these texts in its name, without regard to case and accents, at most 20.',
    }),
    companyDomainIn: t.stringList({ description: 'Of any of these domains, at most 20.' }),
    companyDomainContains: t.stringList({ description: 'Of a domain with any of these texts in it, at most 20.' }),
    countryIn: t.stringList({ description: 'In any of these countries, at most 20.' }),
    cityIn: t.stringList({ description: 'In any of these cities, at most 20.' }),
    cityContains: t.stringList({
      description: 'In a city with any of these texts in its name, without regard to case and accents, at most 20.',
    }),
    externalIdIn: t.idList({ description: 'With any of these ids in another system, at most 20.' }),
    doNotCall: t.boolean({ description: 'Whether the contact must not be called.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Added then or later.' }),
    createdUntil: t.field({ type: 'DateTime', description: 'Added before.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Changed then or later.' }),
    updatedUntil: t.field({ type: 'DateTime', description: 'Changed before.' }),
    lastContactedSince: t.field({ type: 'DateTime', description: 'Spoken with then or later.' }),
    lastContactedUntil: t.field({ type: 'DateTime', description: 'Last spoken with before.' }),
    empty: t.field({ type: [ContactValueEnum], description: 'Without a value in any of these fields.' }),
    notEmpty: t.field({ type: [ContactValueEnum], description: 'With a value in each of these fields.' }),
    custom: t.field({ type: [CustomFieldFilterInput], description: 'Conditions on custom fields, at most 20.' }),
    includeDeleted: t.boolean({ description: 'Deleted contacts as well. Default: false.' }),
    onlyDeleted: t.boolean({
      description: 'Deleted contacts alone, without those that were merged into another: undoing the merge restores these. Default: false.',
    }),
  }),
})

builder.queryFields(t => ({
  contact: t.field({
    type: ContactType,
    nullable: true,
    description: 'A contact; null with NOT_FOUND for one that is deleted or does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...byId,
      includeDeleted: t.arg.boolean({ defaultValue: false, description: 'Finds it deleted as well; `deletedAt` says so.' }),
    },
    resolve: (_parent, { id, includeDeleted }, context) => (includeDeleted ? getContactEvenDeleted(context, id) : getContact(context, id)),
  }),
  contacts: t.field({
    type: ContactConnection,
    description: "The organization's contacts.",
    authScopes: { scope: 'contacts:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: ContactFilterInput, description: 'Which contacts. Default: all that live.' }),
      sort: t.arg({ type: ContactSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) =>
      listContacts(
        context,
        { ...args, counted: isCounted(info) },
        selectedRows(info.schema, 'Contact', selectedFields(info), contactTable, listedProperties),
      ),
  }),
}))
