// Filter conditions that several lists share: ranges of times and numbers, and fields with or without a value.

import { invalid } from '../errors.ts'
import { time } from '../input/fields.ts'
import { at, Invalid, type Problem } from '../input/problem.ts'
import type { Condition } from './filter-values.ts'

/** A filter member that sets a lower or upper bound of a column. */
export interface Bound {
  column: string
  operator: '>=' | '<=' | '<'
  type: 'timestamptz' | 'integer'
}

export const since = (column: string): Bound => ({ column, operator: '>=', type: 'timestamptz' })
export const until = (column: string): Bound => ({ column, operator: '<', type: 'timestamptz' })

/** The conditions of the filter members named in `bounds`. Throws INVALID for times that PostgreSQL cannot compare. */
export function rangeConditions<Filter extends object>(
  filter: Filter,
  bounds: { [Name in keyof Filter & string]?: Bound },
): Condition<string>[] {
  const problems: Problem[] = []
  const conditions = Object.entries<Bound | undefined>(bounds).flatMap(([name, bound]) => {
    const given: unknown = filter[name as keyof Filter]
    if (given === null || given === undefined || !bound) return []
    const value = given instanceof Date ? time(given) : String(given)
    if (value instanceof Invalid) problems.push(...at(name, value))
    const { column, operator, type } = bound
    return [{ name, value: String(value), sql: (parameter: string) => `${column} ${operator} ${parameter}::${type}` }]
  })
  if (problems.length > 0) throw invalid(problems)
  return conditions
}

/** The times as texts of ISO 8601, null for absent ones. Throws INVALID for times that PostgreSQL cannot compare. */
export function timeTexts<Name extends string>(times: Readonly<Record<Name, Date | null | undefined>>): Record<Name, string | null> {
  const problems: Problem[] = []
  const texts = Object.entries<Date | null | undefined>(times).map(([name, given]) => {
    const text = given ? time(given) : null
    if (text instanceof Invalid) problems.push(...at(name, text))
    return [name, text]
  })
  if (problems.length > 0) throw invalid(problems)
  return Object.fromEntries(texts)
}

/** Two filter members: the fields that must have no value, and the fields that must have one. */
export interface Emptiness<Field extends string> {
  empty?: readonly Field[] | null
  notEmpty?: readonly Field[] | null
}

/** The conditions of both members. `columns`: the column of each field. */
export function emptinessConditions<Field extends string>(
  { empty, notEmpty }: Emptiness<Field>,
  columns: Readonly<Record<Field, string>>,
): Condition<string>[] {
  const of = (fields: readonly Field[] | null | undefined, isEmpty: boolean) =>
    [...new Set(fields)].toSorted().map(field => ({
      name: `empty ${columns[field]}`,
      value: String(isEmpty),
      sql: (parameter: string) => `(${columns[field]} is null) = ${parameter}::boolean`,
    }))
  return [...of(empty, true), ...of(notEmpty, false)]
}
