// The columns of an export: contact fields and custom fields, named as in the changes of events.

import { AppError } from '../../kernel/errors.ts'
import { wireName } from '../../kernel/input/case.ts'
import { ownMember } from '../../kernel/input/json.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { addressesOf, addressKinds } from '../contact/addresses/address.ts'
import { type Contact, contactFields } from '../contact/row.ts'
import { joinList } from './lists.ts'

const ownFields = ['id', 'createdAt', 'updatedAt', 'deletedAt', 'version'] as const
type Field = Exclude<keyof Contact, 'orgId' | 'custom' | 'createdBy'>
const fields: readonly Field[] = ['id', ...contactFields.filter(field => field !== 'custom'), ...addressKinds, ...ownFields.slice(1)]
const isField = (name: string): name is Field => (fields as readonly string[]).includes(name)

/** At least the number of all fields and custom fields. */
const maxColumns = 250

const customPrefix = 'custom.'

/** All columns: the fields of a contact, then the custom fields. */
export const allColumns = (customKeys: readonly string[]): string[] => [...fields, ...customKeys.map(key => customPrefix + key)]

/** The problems of the requested columns. */
export function columnProblems(columns: readonly string[], customKeys: readonly string[]): Problem[] {
  if (columns.length === 0) return [problem('columns', 'too_short', [], { min_length: 1, actual_length: 0 })]
  if (columns.length > maxColumns) return [problem('columns', 'too_long', null, { max_length: maxColumns, actual_length: columns.length })]
  const known = new Set(allColumns(customKeys))
  return columns.flatMap((column, index) =>
    known.has(column) ? [] : [valueError(['columns', index], 'is neither a field of a contact nor custom.<key> of a custom field', column)],
  )
}

/** The header of a column, spelled as in REST: `first_name`, `custom.plan`. */
export const headerOf = (column: string): string => wireName(column)

/** The text of a contact's cell. Lists are joined with semicolons; null is empty. */
export function cellOf(contact: Contact, column: string): string {
  if (column.startsWith(customPrefix)) return textOf(ownMember(contact.custom, column.slice(customPrefix.length)))
  if (column === 'emails' || column === 'phones') return textOf(addressesOf(contact, column).map(({ value }) => value))
  if (!isField(column)) throw new AppError('INTERNAL', `There is no column ${column}`)
  return textOf(contact[column])
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? joinList(value.map(String)) : typeof value === 'object' ? JSON.stringify(value) : String(value)
}
