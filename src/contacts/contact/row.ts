// Contacts as they are stored: their events, enumerations, field table and columns.

import { boolean, integer, jsonb, object, type RowOf, type Selected, table, text, timestamptz, uuid } from '../../database/table.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'
import { asGiven, columnsOf, field, fieldTable, moment, namesOf, words } from '../../kernel/fields/table.ts'
import { domain, timezone, webAddress } from '../../kernel/input/fields.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'
import {
  countryField,
  customField,
  type Emptiable,
  emptiableOf,
  externalIdField,
  ownerField,
  sourceField,
  tagsField,
} from '../records/common-fields.ts'
import type { Address } from './addresses/address.ts'
import { companyId, email, phone } from './fields.ts'

export const contactEvents = eventsOf('contact', {
  created: 'A contact was added.',
  deleted: 'A contact was deleted.',
  duplicate_dismissed: 'Somebody said that two contacts are not the same person.',
  merged: 'A contact was merged into this one.',
  noted: 'A note was added to a contact.',
  restored: 'A deleted contact was brought back.',
  unmerged: 'A merge was undone: the other contact is back.',
  updated: update('A contact was changed.'),
})

export const lifecycleStages = enumeration('LifecycleStage', 'How far a contact has come.', {
  subscriber: 'Wants to hear from us. New contacts are this unless said otherwise.',
  lead: 'Has shown interest.',
  qualified: 'Fits, and is worth an effort.',
  opportunity: 'A sale is being talked about.',
  customer: 'Has bought.',
  evangelist: 'Has bought, and tells others.',
  other: 'None of these.',
})
export type LifecycleStage = ValueOf<typeof lifecycleStages>

/** The fields that callers may set, named as in the GraphQL schema. */
export const contactFieldTable = fieldTable({
  email: field(text.orNull(), {
    type: 'EmailAddress',
    read: email,
    is: 'Unique among live contacts, without regard to case.',
    takes: 'At most 320 characters. Unique among live contacts, without regard to case.',
    suggestedAs: 'email',
  }),
  firstName: words(200, 'First name.', { suggestedAs: 'text' }),
  lastName: words(200, 'Last name.', { suggestedAs: 'text' }),
  fullName: words(401, 'First and last name, unless another was given.', {
    takes: 'Default: first and last name.',
    suggestedAs: 'text',
  }),
  phone: field(text.orNull(), {
    type: 'String',
    read: phone,
    is: "In E.164 when it is an international number, or one of the organization's country; else as it was given.",
    takes: 'Digits, spaces and `+().-`. International numbers (`+...`) are stored in E.164.',
    suggestedAs: 'phone',
  }),
  jobTitle: words(200, 'Job title.', { suggestedAs: 'text' }),
  companyId: field(uuid.orNull(), {
    type: 'ID',
    read: companyId,
    is: 'The company. It stays while the company is deleted.',
    takes: 'A company of the organization that is not deleted. Null unlinks, and clears name and domain, too.',
  }),
  companyName: words(200, "The company's name.", {
    takes: 'The name of the company, at most 200 characters. Finds a company or makes one, unless `companyId` is given.',
    suggestedAs: 'text',
    countedBy: 'The company.',
  }),
  companyDomain: field(text.orNull(), {
    type: 'String',
    read: domain,
    is: "The company's domain, such as example.com.",
    takes: 'The domain of the company, which comes before the name; a web address is cut down to it.',
    suggestedAs: 'domain',
    countedBy: "The company's domain.",
  }),
  linkedinUrl: field(text.orNull(), {
    type: 'URL',
    read: webAddress,
    is: 'Profile on LinkedIn.',
    takes: 'An http or https address.',
    suggestedAs: 'url',
  }),
  city: words(200, 'City.', { suggestedAs: 'text', countedBy: 'The city.' }),
  region: words(200, 'State, province or region.', { suggestedAs: 'text', countedBy: 'The region.' }),
  country: countryField({ suggestedAs: 'country', countedBy: 'The country.' }),
  timezone: field(text.orNull(), {
    type: 'String',
    read: timezone,
    is: 'IANA time zone, such as Europe/Berlin.',
    takes: 'IANA time zone, such as Europe/Berlin.',
    suggestedAs: 'timezone',
  }),
  avatarUrl: field(text.orNull(), {
    type: 'URL',
    read: webAddress,
    is: 'Picture.',
    takes: 'An http or https address.',
    suggestedAs: 'url',
  }),
  lifecycleStage: field(text.as<LifecycleStage>().usually('subscriber'), {
    type: lifecycleStages,
    read: asGiven,
    is: 'How far the contact has come.',
    takes: 'Default: SUBSCRIBER.',
    default: 'subscriber',
    countedBy: 'The stage.',
  }),
  source: sourceField('contact', { countedBy: 'The source.' }),
  ownerUserId: ownerField('contact', { countedBy: 'The member who looks after them.' }),
  tags: tagsField,
  custom: customField("The organization's custom fields, by key."),
  doNotCall: field(boolean.usually(false), {
    type: 'Boolean',
    read: asGiven,
    is: 'Whether the contact must not be called.',
    takes: 'The contact must not be called. Default: false.',
    default: false,
    countedBy: 'Whether they must not be called: `true` or `false`.',
  }),
  externalId: externalIdField('contact'),
  lastContactedAt: moment('When somebody last spoke with the contact.', {
    countedBy: 'When somebody last spoke with them.',
  }),
})

// The stored values of the fields that callers may set. `emails` and `phones` are beside the table, because they change with `email` and `phone`.
const stored = {
  ...columnsOf(contactFieldTable),
  emails: jsonb.as<readonly Address[]>().usually([]),
  phones: jsonb.as<readonly Address[]>().usually([]),
}

export const contactTable = table('contacts', {
  id: uuid,
  orgId: uuid.givenInPages(),
  ...stored,
  createdBy: object({ ...actorColumns, type: actorColumns.type.usually('api_key') }),
  createdAt: timestamptz,
  updatedAt: timestamptz.usuallySameAs('createdAt'),
  deletedAt: timestamptz.orNull(),
  version: integer.usually(1),
  // Searched by the filter `q`.
  searchText: text.writeOnly(),
})

export interface Contact extends RowOf<typeof contactTable> {}
/** The properties that every row of a list has: the sort values and the organization. */
export const listedProperties = ['id', 'orgId', 'createdAt', 'updatedAt'] as const
export type ContactInList = Pick<Contact, (typeof listedProperties)[number]>
/** A contact in a list, with the properties that its query selects. */
export type ListedContact = Selected<Contact, keyof ContactInList>
/** The stored values of the fields that callers may set. Times are ISO 8601 texts. */
export type ContactFields = Pick<Contact, keyof typeof stored>
/** The names of all of them. */
export const storedFields = namesOf(stored)
export const contactFields = namesOf(contactFieldTable)

const columns = columnsOf(contactFieldTable)
/** The fields that may be empty: the nullable fields, and the tags. */
export type EmptiableField = Emptiable<typeof columns>
export const emptiableColumns = emptiableOf(columns)
