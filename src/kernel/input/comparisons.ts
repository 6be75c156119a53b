// Conditions that filters of several lists have: ranges of times and numbers, and fields that are empty or not.

import { invalid } from '../errors.ts'
import { time } from './fields.ts'
import type { Condition } from './filter-values.ts'
import { at, Invalid, type Problem } from './problem.ts'

/** A member of a filter that bounds a column. */
export interface Bound {
  column: string
  operator: '>=' | '<=' | '<'
  type: 'timestamptz' | 'integer'
}

export const since = (column: string): Bound => ({ column, operator: '>=', type: 'timestamptz' })
export const until = (column: string): Bound => ({ column, operator: '<', type: 'timestamptz' })

/** The conditions of the members of a filter that `bounds` names. Throws INVALID for times that PostgreSQL cannot compare. */
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

/** Members of a filter: the fields that must have no value, and those that must have one. */
export interface Emptiness<Field extends string> {
  empty?: readonly Field[] | null
  notEmpty?: readonly Field[] | null
}

/** `columns`: the column of each field. */
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
