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

type Comparison = Condition<unknown>['sql']

/**
 * The conditions of a filter: `status` compares with one value, `statusIn` with several. A list with one value makes the same condition as
 * the value itself, so cursors of both filters are interchangeable.
 */
export function filterConditions<Filter extends object>(
  filter: Filter | null | undefined,
  comparisons: { [Name in Exclude<keyof Filter & string, `${string}In`>]?: Comparison },
): Condition<unknown>[] {
  const members = new Map<string, unknown>(Object.entries(filter ?? {}))
  return Object.entries<Comparison | undefined>(comparisons).flatMap(([name, sql]) => {
    const one = members.get(name)
    const several = members.get(`${name}In`)
    if (!sql) return []
    return [
      ...(one === null || one === undefined ? [] : [{ name, value: one, sql }]),
      ...(Array.isArray(several) ? [{ name, value: filterValue(`${name}In`, several), sql }] : []),
    ]
  })
}

/** SQL: the column equals the parameter, or one of its values. With a single value PostgreSQL can read an index in order. */
export const equals =
  (column: string, type?: string) =>
  (parameter: string, value: unknown): string =>
    Array.isArray(value)
      ? `${column} = any(${parameter}${type === undefined ? '' : `::${type}[]`})`
      : `${column} = ${parameter}${type === undefined ? '' : `::${type}`}`
