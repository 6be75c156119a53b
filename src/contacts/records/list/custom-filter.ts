// Conditions on custom fields, as SQL on the property of `custom`.

import { text } from '../../../kernel/input/fields.ts'
import { Invalid, problem, valueError } from '../../../kernel/input/problem.ts'
import { type Condition, filterValue, maxFilterValues } from '../../../kernel/lists/filter-values.ts'
import { keyForm } from '../../custom-fields/field.ts'

export interface CustomFieldFilter {
  key: string
  in?: readonly string[] | null
  min?: number | null
  max?: number | null
  since?: Date | null
  until?: Date | null
  empty?: boolean | null
}

/** The conditions of the filter. A key that the organization has not defined matches no record. */
export function customConditions(given: readonly CustomFieldFilter[]): Condition[] | Invalid {
  if (given.length > maxFilterValues)
    return new Invalid([
      problem([], 'too_long', undefined, { field_type: 'List', max_length: maxFilterValues, actual_length: given.length }),
    ])
  const problems = given.flatMap((filter, index) => [
    ...(keyForm.test(filter.key) ? [] : [valueError([index, 'key'], 'is not the key of a custom field', filter.key)]),
    ...(filter.in ?? []).flatMap((value, place) => {
      const read = text(1000)(value)
      return read instanceof Invalid ? read.problems.map(one => ({ ...one, path: [index, 'in', place] })) : []
    }),
    ...(conditionsOn(filter).length > 0 ? [] : [valueError([index], 'needs a condition besides the key', filter)]),
  ])
  return problems.length > 0 ? new Invalid(problems) : given.flatMap(conditionsOn)
}

function conditionsOn({ key, min, max, since, until, empty, ...filter }: CustomFieldFilter): Condition[] {
  // The key is safe inside SQL: it has only letters, digits and underscores.
  const value = `custom ->> '${key}'`
  const number = `case when jsonb_typeof(custom -> '${key}') = 'number' then (${value})::numeric end`
  const when = (given: unknown, name: string, sql: (parameter: string) => string): Condition[] =>
    given === null || given === undefined ? [] : [{ name: `custom.${key} ${name}`, value: String(given), sql }]
  return [
    ...(filter.in
      ? [{ name: `custom.${key}`, value: [filterValue('custom', filter.in)].flat(), sql: (parameter: string) => isOneOf(key, parameter) }]
      : []),
    ...when(min, 'min', parameter => `${number} >= ${parameter}::numeric`),
    ...when(max, 'max', parameter => `${number} <= ${parameter}::numeric`),
    ...when(since?.toISOString().slice(0, 10), 'since', parameter => `${value} >= ${parameter}`),
    ...when(until?.toISOString().slice(0, 10), 'until', parameter => `${value} <= ${parameter}`),
    ...when(empty, 'empty', parameter => `(${value} is null) = ${parameter}::boolean`),
  ]
}

// The second comparison matches items of a list.
const isOneOf = (key: string, parameter: string) =>
  `(custom ->> '${key}' = any(${parameter}::text[]) or custom -> '${key}' ?| ${parameter}::text[])`
