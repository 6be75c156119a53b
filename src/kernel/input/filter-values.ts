// Filters of lists with several values: a row matches when it has one of them.

import { invalid } from '../errors.ts'
import { problem } from './problem.ts'

/** The most values of one filter. 20: every row that is read is compared with each, and no status has more values. */
export const maxFilterValues = 20

/** The value or values that a column is compared with. */
export type FilterValue = string | readonly string[]

/** A condition of a filter that must hold. Its value is a parameter of the statement. */
export interface Condition<Value = FilterValue> {
  /** The condition's name; equal names have the same SQL. */
  name: string
  value: Value
  /** Builds the SQL from the parameter's placeholder and the value. */
  sql(parameter: string, value: Value): string
}

/** SQL: ` and` before each condition, with parameters in their order, the first `$from`. `without`: the index of a condition to leave out. */
export const conditionsSql = <Value>(conditions: readonly Condition<Value>[], from = 2, without?: number): string =>
  conditions.map(({ sql, value }, index) => (index === without ? '' : ` and ${sql(`$${index + from}`, value)}`)).join('')

/**
 * The values of the filter named `field`, sorted and without duplicates, so that equal sets have equal cursors. A single value is returned
 * as a text, like that of a filter for one value. Throws INVALID for too many.
 */
export function filterValue(field: string, values: readonly string[]): FilterValue {
  if (values.length > maxFilterValues)
    throw invalid(problem(field, 'too_long', undefined, { field_type: 'List', max_length: maxFilterValues, actual_length: values.length }))
  const each = [...new Set(values)].toSorted()
  const [only] = each
  return each.length === 1 && only !== undefined ? only : each
}

/** SQL: the column equals `parameter`, or one of its values. For a single value PostgreSQL can read an index in order. */
export const equals =
  (column: string, type?: string) =>
  (parameter: string, value: unknown): string =>
    Array.isArray(value)
      ? `${column} = any(${parameter}${type === undefined ? '' : `::${type}[]`})`
      : `${column} = ${parameter}${type === undefined ? '' : `::${type}`}`
