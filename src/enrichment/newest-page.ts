// Lists of jobs and of suggestions: newest first, filtered, a page at a time.

import { isTime, type Keyed, Page, type PageArgs, pageOf } from '../contacts/page.ts'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../database/client.ts'
import { filterValue } from '../filter-values.ts'

export interface Condition {
  name: string
  value: unknown
  /** Given the number of its value, and the value. */
  sql: Comparison
}
type Comparison = (parameter: string, value: unknown) => string

export interface Listed<Row> {
  table: string
  columns: readonly string[]
  row(columns: readonly never[]): Row
}

/** A page of the organization's rows for which all conditions hold. */
export async function newestPage<Row extends { id: string; createdAt: string }>(
  context: Context,
  orgId: string,
  { table, columns, row }: Listed<Row>,
  conditions: readonly Condition[],
  { includeTotal, ...args }: PageArgs & { includeTotal?: boolean | null },
): Promise<Page<Row>> {
  const list = `${table}${conditions.map(({ name, value }) => `\n${name} ${JSON.stringify(value)}`).join('')}`
  const page = pageOf(args, list, isTime)
  const values = [orgId, ...conditions.map(({ value }) => value)]
  const where = `org_id = $1${conditions.map(({ sql, value }, index) => ` and ${sql(`$${index + 2}`, value)}`).join('')}`
  const next = conditions.length + 2
  const after = page.start ? ` and (created_at, id) < ($${next}::timestamptz, $${next + 1}::uuid)` : ''
  const text = `select ${columns.join(', ')} from ${table} where ${where}${after} order by created_at desc, id desc limit ${page.size + 1}`
  const keyed = (cells: readonly never[]): Keyed<Row> => {
    const made = row(cells)
    return { row: made, key: made.createdAt }
  }
  const [rows, total] = await Promise.all([
    context.db.query<Keyed<Row>>(statement('', text, keyed), [...values, ...(page.start ? [page.start.key, page.start.id] : [])]),
    includeTotal ? count(context, statement('', `select count(*) as total from ${table} where ${where}`), values) : null,
  ])
  return new Page(rows, page, list, total)
}

async function count(context: Context, counting: Statement<{ total: number }>, values: readonly unknown[]): Promise<number> {
  return (await context.db.query(counting, values))[0]?.total ?? 0
}

/**
 * Conditions for the members of a filter that are given: `status` for one value, `statusIn` for any of several. Several that are one
 * make the condition of one, so cursors are good for both.
 */
export function given<Filter extends object>(
  filter: Filter | null | undefined,
  words: { [Name in Exclude<keyof Filter & string, `${string}In`>]?: Comparison },
): Condition[] {
  const members = new Map<string, unknown>(Object.entries(filter ?? {}))
  return Object.entries<Comparison | undefined>(words).flatMap(([name, sql]) => {
    const one = members.get(name)
    const several = members.get(`${name}In`)
    if (!sql) return []
    return [
      ...(one === null || one === undefined ? [] : [{ name, value: one, sql }]),
      ...(Array.isArray(several) ? [{ name, value: filterValue(`${name}In`, several), sql }] : []),
    ]
  })
}
