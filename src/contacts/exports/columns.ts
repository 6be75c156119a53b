// The columns of an export: the fields of a noun and its custom fields, named as in the changes of events.

import { wireName } from '../../kernel/input/case.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import type { RecordNoun } from '../records/nouns.ts'
import { joinList } from './lists.ts'

/** At least the number of all fields and custom fields. */
const maxColumns = 250

const customPrefix = 'custom.'

/** All columns: the fields of the noun, then the custom fields. */
export const allColumns = (fields: readonly string[], customKeys: readonly string[]): string[] => [
  ...fields,
  ...customKeys.map(key => customPrefix + key),
]

/** The problems of the requested columns. `known`: all columns. */
export function columnProblems(noun: RecordNoun, columns: readonly string[], known: readonly string[]): Problem[] {
  if (columns.length === 0) return [problem('columns', 'too_short', [], { min_length: 1, actual_length: 0 })]
  if (columns.length > maxColumns) return [problem('columns', 'too_long', null, { max_length: maxColumns, actual_length: columns.length })]
  const names = new Set(known)
  return columns.flatMap((column, index) =>
    names.has(column) ? [] : [valueError(['columns', index], `is neither a field of a ${noun} nor custom.<key> of a custom field`, column)],
  )
}

/** The header of a column, spelled as in REST: `first_name`, `custom.plan`. */
export const headerOf = (column: string): string => wireName(column)

/** The text of a cell. Lists are joined with semicolons; null is empty. */
export function cellOf(record: { custom: object }, column: string): string {
  const [from, name] = column.startsWith(customPrefix) ? [record.custom, column.slice(customPrefix.length)] : [record, column]
  return textOf(Object.hasOwn(from, name) ? Reflect.get(from, name) : null)
}

/** The text of a value: lists are joined with semicolons, objects are JSON, null is empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every(one => typeof one !== 'object' || one === null)) return joinList(value.map(String))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
