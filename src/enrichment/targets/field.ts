// Fields that can have suggestions: some fields of each noun, custom fields, and any field of targets that are no records.

import type { CustomField } from '../../contacts/custom-fields/field.sql.ts'
import { readCustom } from '../../contacts/custom-fields/value.ts'
import { type FieldTable, readField } from '../../kernel/fields/table.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { ownMember } from '../../kernel/input/json.ts'
import { Invalid } from '../../kernel/input/problem.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { type EnrichedNoun, rulesOf, type TargetRecord } from './record.ts'

/** Kind of a suggested value. */
export const valueTypes = {
  text: 'Text.',
  email: 'An email address.',
  phone: 'A telephone number.',
  url: 'An http or https address.',
  domain: "A company's domain.",
  country: 'A country, as ISO 3166-1 alpha-2.',
  timezone: 'A time zone, as IANA names it.',
  number: 'A number.',
  boolean: 'True or false.',
  date: 'A day, as YYYY-MM-DD.',
  select: "One of a custom field's options.",
  multi_select: "Some of a custom field's options.",
} as const satisfies Record<string, string>
export type ValueType = keyof typeof valueTypes

const typesIn = (fields: FieldTable): ReadonlyMap<string, ValueType> =>
  new Map(Object.entries(fields).flatMap(([field, { suggestedAs }]) => (suggestedAs ? [[field, suggestedAs]] : [])))

/** The fields of each noun that may be suggested, with their types. The other fields are set only by people. */
export const fieldTypes: Readonly<Record<EnrichedNoun, ReadonlyMap<string, ValueType>>> = {
  contact: typesIn(rulesOf.contact.fields),
  company: typesIn(rulesOf.company.fields),
}

const customField = /^custom\.([a-z][a-z0-9_]{0,62})$/
const anyField = /^[a-z][a-zA-Z0-9]{0,62}$/

/** The key of a custom field; null for other fields. */
export const customKeyOf = (field: string): string | null => customField.exec(field)?.[1] ?? null

export const isFieldName = (field: string): boolean => anyField.test(field) || customField.test(field)

/** The record's value of a field that may be suggested; null without one. */
export function valueIn({ noun, row }: TargetRecord, field: string): unknown {
  const key = customKeyOf(field)
  if (key !== null) return ownMember(row.custom, key) ?? null
  return fieldTypes[noun].has(field) ? ownMember({ ...row }, field) : null
}

/** The input of the noun's update that sets a field. */
export function patchOf(field: string, value: unknown): Record<string, unknown> {
  const key = customKeyOf(field)
  return key === null ? { [field]: value } : { custom: { [key]: value } }
}

export interface Value {
  value: unknown
  type: ValueType
}

/** A proposed value, validated and normalized like the record's field; null when it is invalid. */
export function readFor(noun: EnrichedNoun, field: string, value: unknown, definitions: readonly CustomField[]): Value | null {
  const key = customKeyOf(field)
  if (key !== null) {
    const definition = definitions.find(one => one.key === key)
    const read = definition && value !== null ? readCustom([definition], { [key]: value }) : null
    return definition && read && !(read instanceof Invalid) ? { value: read[key], type: definition.type } : null
  }
  const type = fieldTypes[noun].get(field)
  const definition = rulesOf[noun].fields[field]
  const given = type === 'number' && typeof value === 'string' ? Number(value) : value
  if (type === undefined || !definition || typeof given !== (type === 'number' ? 'number' : 'string')) return null
  // `as`: a field table does not say what its readers take, and this one takes the type that was just checked.
  const read = readField(definition, given as never)
  return read !== null && !(read instanceof Invalid) ? { value: read, type } : null
}

// In characters, for targets that are no records: enough for a description.
const maxText = 2000

/** A proposed value for a target that is no record, whose fields have no definition; null when it is invalid. */
export function readForAny(field: string, value: unknown): Value | null {
  if (!isFieldName(field)) return null
  if (typeof value === 'boolean') return { value, type: 'boolean' }
  if (typeof value === 'number') return Number.isFinite(value) ? { value, type: 'number' } : null
  if (typeof value !== 'string') return null
  const text = cutText(storableText(value).trim(), maxText)
  if (text === '') return null
  if (field !== 'fullName') {
    const read = readFor('contact', field, text, [])
    if (read) return read
  }
  return { value: text, type: /^https?:\/\/\S+$/.test(text) ? 'url' : 'text' }
}
