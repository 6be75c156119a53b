// The statement of a grouping: rows of a noun counted by one or two of their fields.

import type { Rows } from '../../database/selection.ts'
import { type Statement, statement } from '../../database/statement.ts'
import { bigint, double, rows, text } from '../../database/table.ts'
import type { Problem } from '../input/problem.ts'

export const calendarUnits = ['day', 'week', 'month', 'year'] as const
export type CalendarUnit = (typeof calendarUnits)[number]

/**
 * A field to group by: its SQL and the type of its values. `list`: each item of the list is a key. `enum`: keys are upper case, as in
 * GraphQL.
 */
export interface GroupField {
  sql: string
  is: 'text' | 'enum' | 'time' | 'list'
}

/** The rows to group. `where` has the parameters `values`, from $1 on. `measure`: the SQL of a number to sum, of type numeric. */
export interface Grouped<Field extends string> {
  table: string
  fields: Readonly<Record<Field, GroupField>>
  where: string
  values: readonly unknown[]
  measure: string | null
  /** Problems of the noun's own arguments. */
  problems?: readonly Problem[]
}

interface Grouping<Field extends string> {
  by: readonly { field: Field; per?: CalendarUnit | null }[]
  unique: Field | null
  limit: number
}

const group = rows({
  key1: text.orNull(),
  key2: text.orNull(),
  count: bigint,
  unique: bigint.orNull(),
  sum: double.orNull(),
  average: double.orNull(),
})
type GroupRow = typeof group extends Rows<infer Row> ? Row : never

/**
 * The parameters are `values`, then the time zone. Sorted by time, latest first, when the first field is a time; otherwise by size, largest
 * first.
 */
export function groupStatement<Field extends string>(
  { table, fields, where, values, measure }: Grouped<Field>,
  { by, unique, limit }: Grouping<Field>,
): Statement<GroupRow> {
  const zone = `$${values.length + 1}::text`
  const keys = by.map(({ field, per }, index) => keyOf(fields[field], per ?? 'day', zone, index))
  const isSeries = by[0] !== undefined && fields[by[0].field].is === 'time'
  return statement(
    '',
    `select ${keys.map(({ sql }, index) => `${sql} as key${index + 1}`)}${keys.length < 2 ? ', null::text as key2' : ''},
       count(*) as count,
       ${unique ? `count(distinct ${fields[unique].sql})` : 'null::bigint'} as unique,
       ${measure === null ? 'null::float8' : asDouble(`sum(${measure})`)} as sum,
       ${measure === null ? 'null::float8' : asDouble(`avg(${measure})`)} as average
     from ${table}${keys.map(({ from }) => from).join('')}
     where ${where} and ${zone} is not null
     group by 1, 2 order by ${isSeries ? 'key1 desc nulls last, count desc, key2' : 'count desc, key1, key2'} limit ${limit}`,
    group,
  )
}

// PostgreSQL throws for numbers outside the range of float8: larger numbers become null, numbers below 1e-300 become 0.
const asDouble = (number: string) => `case when abs(${number}) <= 1.797e308 then round(${number}, 300)::float8 end`

function keyOf({ sql, is }: GroupField, per: CalendarUnit, zone: string, index: number): { sql: string; from: string } {
  if (is === 'list') return { sql: `item${index}.value`, from: ` left join lateral unnest(${sql}) item${index} (value) on true` }
  if (is === 'time') return { sql: `to_char(date_trunc('${per}', ${sql} at time zone ${zone}), 'YYYY-MM-DD')`, from: '' }
  return { sql: `${sql}::text`, from: '' }
}
