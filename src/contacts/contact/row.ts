// The table of contacts: fields and columns.

import {
  boolean,
  integer,
  jsonb,
  object,
  type RowOf,
  type Selected,
  table,
  text,
  textArray,
  timestamptz,
  uuid,
} from '../../database/table.ts'
import { actorColumns } from '../../kernel/principal.ts'

export const lifecycleStages = ['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'evangelist', 'other'] as const
export type LifecycleStage = (typeof lifecycleStages)[number]
export const contactSources = ['api', 'web', 'desktop', 'import', 'voice', 'enrichment', 'hook', 'agent', 'system'] as const
export type ContactSource = (typeof contactSources)[number]

// The fields that callers may set.
const fields = {
  email: text.orNull(),
  firstName: text.orNull(),
  lastName: text.orNull(),
  fullName: text.orNull(),
  phone: text.orNull(),
  jobTitle: text.orNull(),
  companyName: text.orNull(),
  companyDomain: text.orNull(),
  linkedinUrl: text.orNull(),
  city: text.orNull(),
  region: text.orNull(),
  country: text.orNull(),
  timezone: text.orNull(),
  avatarUrl: text.orNull(),
  lifecycleStage: text.as<LifecycleStage>(),
  source: text.as<ContactSource>(),
  ownerUserId: text.orNull(),
  tags: textArray,
  custom: jsonb.as<Readonly<Record<string, unknown>>>(),
  doNotCall: boolean,
  externalId: text.orNull(),
  lastContactedAt: timestamptz.orNull(),
}

export const contactTable = table('contacts', {
  id: uuid,
  orgId: uuid,
  ...fields,
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  deletedAt: timestamptz.orNull(),
  version: integer,
  // Searched by the filter `q`.
  searchText: text.writeOnly(),
})

export interface Contact extends RowOf<typeof contactTable> {}
/** The properties that every row of a list has: the sort values and the organization. */
export const listedProperties = ['id', 'orgId', 'createdAt', 'updatedAt'] as const
export type ContactInList = Pick<Contact, (typeof listedProperties)[number]>
/** A contact in a list, with the properties that its query selects. */
export type ListedContact = Selected<Contact, keyof ContactInList>
/** The fields that callers may set, named as in the GraphQL schema. Times are ISO 8601 texts. */
export type ContactFields = Pick<Contact, keyof typeof fields>
// Object.keys does not keep the key type; the keys are exactly these.
export const contactFields = Object.keys(fields) as readonly (keyof ContactFields)[]
export const isContactField = (name: string): name is keyof ContactFields => Object.hasOwn(fields, name)

type Nullable = { [Name in keyof ContactFields]: null extends ContactFields[Name] ? Name : never }[keyof ContactFields]
export type EmptiableField = Nullable | 'tags'
/** The fields that may be empty: the nullable fields, and the tags. */
export const emptiable = contactFields.filter((name): name is EmptiableField => name === 'tags' || fields[name].options.isNullable === true)
// Object.fromEntries does not keep the key type; the keys are exactly these.
export const emptiableColumns = Object.fromEntries(emptiable.map(name => [name, contactTable.select([name]).sql])) as Readonly<
  Record<EmptiableField, string>
>
