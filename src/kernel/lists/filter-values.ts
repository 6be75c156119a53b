// Filters with several values: a row matches when its column equals one of them.

import { invalid } from '../errors.ts'
import { problem } from '../input/problem.ts'

/** The maximum number of values of one filter. 20: each row is compared with every value, and no status has more values. */
export const maxFilterValues = 20

/** The value or values that a column is compared with. */
export type FilterValue = string | readonly string[]

/** A condition of a filter. Its value is a parameter of the statement. */
export interface Condition<Value = FilterValue> {
  /** The name of the condition. Conditions with equal names have the same SQL. */
  name: string
  value: Value
  /** Builds the SQL from the parameter's placeholder and the value. */
  sql(parameter: string, value: Value): string
}

/**
 * SQL: ` and` before each condition; the parameters are numbered in the order of the conditions, beginning at `$from`. `without`: the index
 * of a condition to leave out.
 */
export const conditionsSql = <Value>(conditions: readonly Condition<Value>[], from = 2, without?: number): string =>
  conditions.map(({ sql, value }, index) => (index === without ? '' : ` and ${sql(`$${index + from}`, value)}`)).join('')

/**
 * The values of the filter `field`, sorted and without duplicates, so that equal sets have equal cursors. A single value is returned as a
 * text, like the value of a filter for one value. Throws INVALID for too many values.
 */
export function filterValue(field: string, values: readonly string[]): FilterValue {
  if (values.length > maxFilterValues)
    throw invalid(problem(field, 'too_long', undefined, { field_type: 'List', max_length: maxFilterValues, actual_length: values.length }))
  const each = [...new Set(values)].toSorted()
  const [only] = each
  return each.length === 1 && only !== undefined ? only : each
}

/** SQL: the column equals the parameter, or one of its values. With a single value PostgreSQL can read an index in order. */
export const equals =
  (column: string, type?: string) =>
  (parameter: string, value: unknown): string =>
    Array.isArray(value)
      ? `${column} = any(${parameter}${type === undefined ? '' : `::${type}[]`})`
      : `${column} = ${parameter}${type === undefined ? '' : `::${type}`}`
