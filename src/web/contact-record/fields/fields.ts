// The fields of a contact for people: one list for columns, the record, filters and suggestions. Other nouns have lists of the same kind.

import type { ContactRowFragment, ContactValuesQuery, FieldsOfContactsQuery } from '../../generated/operations.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { fieldWords } from '../../language/en/values.ts'
import { optionsOf } from '../../language/values.ts'

type Values = NonNullable<ContactValuesQuery['contact']>

/** A contact with the fields of a list's row; the record has the others, too. */
export type Contact = ContactRowFragment & Partial<Values>
export type CustomField = FieldsOfContactsQuery['customFields'][number]

/** A contact, or another object with such fields. */
export interface FieldHolder {
  id: string
  version: number
  custom: unknown
  ownerUserId: string | null
  owner: { name: string | null; email: string | null } | null
  /** The currency of the amounts of a company. */
  annualRevenueCurrency?: string | null
  /** The currency of the amount of a deal. */
  currency?: string | null
}

type Kind =
  | 'text'
  | 'country'
  | 'email'
  | 'phone'
  | 'url'
  | 'number'
  | 'count'
  | 'money'
  | 'date'
  | 'moment'
  | 'choice'
  | 'yesNo'
  | 'owner'
  | 'list'
  | 'texts'
  | 'tags'

export interface Option {
  value: string
  label: string
}

export interface RecordField {
  /** The name in the API; `custom.<key>` for custom fields. */
  id: string
  label: string
  kind: Kind
  options?: readonly Option[]
  /** Only the server sets it. */
  isFixed?: boolean
  /** A choice or a list that is never empty. */
  isRequired?: boolean
}

export type ContactField = RecordField

export const contactFields: readonly ContactField[] = [
  { id: 'firstName', label: fieldWords.firstName, kind: 'text' },
  { id: 'lastName', label: fieldWords.lastName, kind: 'text' },
  { id: 'fullName', label: fieldWords.fullName, kind: 'text' },
  { id: 'email', label: fieldWords.email, kind: 'email' },
  { id: 'phone', label: fieldWords.phone, kind: 'phone' },
  { id: 'companyName', label: fieldWords.companyName, kind: 'text' },
  { id: 'companyDomain', label: fieldWords.companyDomain, kind: 'text' },
  { id: 'jobTitle', label: fieldWords.jobTitle, kind: 'text' },
  { id: 'lifecycleStage', label: fieldWords.lifecycleStage, kind: 'choice', options: optionsOf(contactWords.stage), isRequired: true },
  { id: 'ownerUserId', label: fieldWords.ownerUserId, kind: 'owner' },
  { id: 'tags', label: fieldWords.tags, kind: 'tags' },
  { id: 'doNotCall', label: fieldWords.doNotCall, kind: 'yesNo', isRequired: true },
  { id: 'city', label: fieldWords.city, kind: 'text' },
  { id: 'region', label: fieldWords.region, kind: 'text' },
  { id: 'country', label: fieldWords.country, kind: 'country' },
  { id: 'timezone', label: fieldWords.timezone, kind: 'text' },
  { id: 'linkedinUrl', label: fieldWords.linkedinUrl, kind: 'url' },
  { id: 'externalId', label: fieldWords.externalId, kind: 'text' },
  { id: 'source', label: fieldWords.source, kind: 'choice', options: optionsOf(contactWords.source), isRequired: true },
  { id: 'lastContactedAt', label: fieldWords.lastContactedAt, kind: 'moment', isFixed: true },
  { id: 'updatedAt', label: fieldWords.updatedAt, kind: 'moment', isFixed: true },
  { id: 'createdAt', label: fieldWords.createdAt, kind: 'moment', isFixed: true },
]

const kinds = {
  BOOLEAN: 'yesNo',
  DATE: 'date',
  MULTI_SELECT: 'list',
  NUMBER: 'number',
  SELECT: 'choice',
  TEXT: 'text',
  URL: 'url',
} as const satisfies Record<CustomField['type'], Kind>

export const customField = ({ key, label, type, options: values }: CustomField): RecordField => ({
  id: `custom.${key}`,
  label,
  kind: kinds[type],
  options: values.map(value => ({ value, label: value })),
})

const customPrefix = 'custom.'
export const customKey = (id: string): string | null => (id.startsWith(customPrefix) ? id.slice(customPrefix.length) : null)

/** The value of a field; null for none. */
export function fieldValue(record: { custom: unknown }, id: string): unknown {
  const key = customKey(id)
  // `custom` is a JSON object with a value for each key.
  const from = (key === null ? record : (record.custom ?? {})) as Record<string, unknown>
  const name = key ?? id
  // A custom field may be named `constructor`, which every object inherits.
  return Object.hasOwn(from, name) ? (from[name] ?? null) : null
}

export const currencyOf = ({ annualRevenueCurrency, currency }: FieldHolder): string | null => annualRevenueCurrency ?? currency ?? null

/** The value as somebody edits it: an amount with its currency, such as "1250.50 EUR". */
export function editedValue(record: FieldHolder, { id, kind }: RecordField): unknown {
  const value = fieldValue(record, id)
  return kind === 'money' && value !== null && currencyOf(record) !== null ? `${value} ${currencyOf(record)}` : value
}

/** A new value of a field as a part of the input of an update. Money is a decimal text, and its currency behind it where there is one. */
export function changeOf({ id, kind }: RecordField, value: unknown): Record<string, unknown> {
  const key = customKey(id)
  if (key !== null) return { custom: { [key]: value } }
  if (kind !== 'money' || typeof value !== 'string') return { [id]: value }
  const [amount, currency] = value.split(' ')
  return { [id]: amount, ...(currency && { [id === 'amount' ? 'currency' : `${id}Currency`]: currency }) }
}

export const nameOf = ({ fullName, email, phone }: Pick<Contact, 'fullName' | 'email' | 'phone'>): string =>
  fullName || email || phone || contactWords.unnamed
