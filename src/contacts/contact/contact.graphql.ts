// Contacts in the schema: the type, reading one and reading lists.

import { builder } from '../graphql/builder.ts'
import { ActorType } from './actor.graphql.ts'
import { getContact } from './contact.ts'
import { listContacts } from './contact-page.ts'
import type { Contact } from './contact-row.ts'
import { connectionOf, pageArgs } from './page.graphql.ts'
import { selectedFields } from './selection.graphql.ts'

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

const ContactSortEnum = builder.enumType('ContactSort', {
  description: 'Orders of a list of contacts. Ties are broken by id, missing values come last.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
    UPDATED_AT: { value: 'updated_at', description: 'Least recently changed first.' },
    UPDATED_AT_DESC: { value: 'updated_at_desc', description: 'Most recently changed first.' },
    LAST_NAME: { value: 'last_name', description: 'By last name, without regard to case.' },
    EMAIL: { value: 'email', description: 'By e-mail address, without regard to case.' },
  } as const,
})

export const ContactType = builder.objectRef<Contact>('Contact').implement({
  description: 'A person the organization knows.',
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7: ids sort by time of creation.' }),
    orgId: t.exposeID('orgId', { description: 'The organization it belongs to.' }),
    email: t.expose('email', { type: 'EmailAddress', nullable: true, description: 'Unique among live contacts, without regard to case.' }),
    firstName: t.exposeString('firstName', { nullable: true, description: 'First name.' }),
    lastName: t.exposeString('lastName', { nullable: true, description: 'Last name.' }),
    fullName: t.exposeString('fullName', { nullable: true, description: 'First and last name, unless another was given.' }),
    phone: t.exposeString('phone', { nullable: true, description: 'In E.164 when it is an international number, else as it was given.' }),
    jobTitle: t.exposeString('jobTitle', { nullable: true, description: 'Job title.' }),
    companyName: t.exposeString('companyName', { nullable: true, description: 'Company.' }),
    companyDomain: t.exposeString('companyDomain', { nullable: true, description: "The company's domain, such as example.com." }),
    linkedinUrl: t.expose('linkedinUrl', { type: 'URL', nullable: true, description: 'Profile on LinkedIn.' }),
    city: t.exposeString('city', { nullable: true, description: 'City.' }),
    region: t.exposeString('region', { nullable: true, description: 'State, province or region.' }),
    country: t.exposeString('country', { nullable: true, description: 'ISO 3166-1 alpha-2, such as DE.' }),
    timezone: t.exposeString('timezone', { nullable: true, description: 'IANA time zone, such as Europe/Berlin.' }),
    avatarUrl: t.expose('avatarUrl', { type: 'URL', nullable: true, description: 'Picture.' }),
    lifecycleStage: t.expose('lifecycleStage', { type: LifecycleStageEnum, description: 'How far the contact has come.' }),
    source: t.expose('source', { type: ContactSourceEnum, description: 'Where the contact came from.' }),
    ownerUserId: t.exposeString('ownerUserId', {
      nullable: true,
      description: 'The member of the organization who looks after the contact.',
    }),
    tags: t.exposeStringList('tags', { description: 'Tags, each once.' }),
    custom: t.expose('custom', { type: 'JSONObject', description: "The organization's custom fields, by key." }),
    doNotCall: t.exposeBoolean('doNotCall', { description: 'The contact must not be called.' }),
    externalId: t.exposeString('externalId', { nullable: true, description: "The contact's id in another system." }),
    lastContactedAt: t.expose('lastContactedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When somebody last spoke with the contact.',
    }),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'Who added the contact.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    deletedAt: t.expose('deletedAt', { type: 'DateTime', nullable: true, description: 'When it was deleted; null while it lives.' }),
    version: t.exposeInt('version', { description: 'Counts the changes, from 1. A change can name the version it is meant for.' }),
  }),
})

const ContactConnection = connectionOf('Contact', 'contacts', ContactType)

const ContactFilterInput = builder.inputType('ContactFilter', {
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
    ownerUserId: t.string({ description: 'Looked after by this user.' }),
    ownerUserIdIn: t.stringList({ description: 'Looked after by any of these users, at most 20.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Added then or later.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Changed then or later.' }),
    includeDeleted: t.boolean({ description: 'Deleted contacts as well. Default: false.' }),
  }),
})

builder.queryFields(t => ({
  contact: t.field({
    type: ContactType,
    description: 'A contact. NOT_FOUND for one that is deleted or does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_parent, { id }, context) => getContact(context, id),
  }),
  contacts: t.field({
    type: ContactConnection,
    description: "The organization's contacts.",
    authScopes: { scope: 'contacts:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: ContactFilterInput, description: 'Which contacts. Default: all that live.' }),
      sort: t.arg({ type: ContactSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
      includeTotal: t.arg.boolean({ defaultValue: false, description: 'Counts the whole list as well.' }),
    },
    resolve: (_parent, args, context, info) => listContacts(context, args, selectedFields(info)),
  }),
}))
