// Conditions on the tags of a record.

import { text } from '../../../kernel/input/fields.ts'
import { Invalid } from '../../../kernel/input/problem.ts'
import { anyFiltered } from '../../../kernel/lists/filter-readers.ts'
import type { Condition, FilterValue } from '../../../kernel/lists/filter-values.ts'

// The second condition lets PostgreSQL use the partial index on tags.
/** SQL: the record has the tag, or any of the tags. */
export const tagged = (parameter: string, value: FilterValue) =>
  `tags ${typeof value === 'string' ? `@> array[${parameter}]` : `&& ${parameter}`} and tags <> '{}'`

/** The reader of `tagAll`: the record has all of the tags. */
export function allTagged(given: readonly string[]): Condition[] | Invalid {
  const values = anyFiltered('tagAll', text(1000), parameter => `tags @> ${parameter} and tags <> '{}'`, 'tagAll')(given)
  // A single value becomes a list, because tags are compared as a list.
  return values instanceof Invalid ? values : values.map(one => ({ ...one, value: [one.value].flat() }))
}
