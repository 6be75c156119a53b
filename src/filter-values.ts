// Filters of lists that take several values: a row passes if it has any of them.

import { invalid } from './errors.ts'

/** Values that one filter takes. 20: each is compared with every row that is read, and the names of a status are fewer. */
export const maxFilterValues = 20

/** What a column is compared with: one value, or any of several. */
export type FilterValue = string | readonly string[]

/**
 * The values of the filter named `field`, sorted and each once, so that one set always makes the same list and the same cursors.
 * A single one is that value alone, as if it had been given by the filter for one value. Throws INVALID for too many.
 */
export function filterValue(field: string, values: readonly string[]): FilterValue {
  if (values.length > maxFilterValues)
    throw invalid({
      path: [field],
      type: 'too_long',
      message: `List should have at most ${maxFilterValues} items after validation, not ${values.length}`,
      context: { field_type: 'List', max_length: maxFilterValues, actual_length: values.length },
    })
  const each = [...new Set(values)].toSorted()
  const [only] = each
  return each.length === 1 && only !== undefined ? only : each
}

/** SQL for a column that equals the value of `parameter`, or one of its values. Of a single value PostgreSQL can read an index in order. */
export const equals =
  (column: string, type?: string) =>
  (parameter: string, value: unknown): string =>
    Array.isArray(value)
      ? `${column} = any(${parameter}${type === undefined ? '' : `::${type}[]`})`
      : `${column} = ${parameter}${type === undefined ? '' : `::${type}`}`
