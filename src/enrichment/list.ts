// Filtered pages of jobs and suggestions, by the time at which they were made.

import { statement } from '../database/statement.ts'
import { bigint, type Rows, rows, type Selection } from '../database/table.ts'
import type { Context } from '../kernel/context.ts'
import { type Condition, conditionsSql, filterValue } from '../kernel/input/filter-values.ts'
import { directionOf, isTime, type Keyed, type ListArgs, Page, pageOf } from '../kernel/pagination.ts'
import { counted as bounded, totalOf } from '../kernel/totals/total.ts'

/** A value is compared and stands in cursors with its own type: a confidence is a number. */
export type ListCondition = Condition<unknown>
type Comparison = ListCondition['sql']

export type ListSort = 'created_at' | 'created_at_desc'

/** A page of the organization's rows that meet all conditions, newest first by default. */
export async function filteredPage<Row extends { id: string; createdAt: string }>(
  context: Context,
  orgId: string,
  { name, all }: { name: string; all: Selection<Row> },
  conditions: readonly ListCondition[],
  { counted, sort, ...args }: ListArgs & { sort?: ListSort | null },
): Promise<Page<Row>> {
  const order = sort === 'created_at' ? 'asc' : 'desc'
  // Lists of the default order keep the cursors that they have.
  const list = `${name}${order === 'asc' ? ' oldest first' : ''}${conditions.map(({ name, value }) => `\n${name} ${JSON.stringify(value)}`).join('')}`
  const page = pageOf(args, list, isTime)
  const values = [orgId, ...conditions.map(({ value }) => value)]
  const where = `org_id = $1${conditionsSql(conditions)}`
  const next = conditions.length + 2
  const direction = directionOf(page, order)
  const after = page.start ? ` and (created_at, id) ${direction === 'asc' ? '>' : '<'} ($${next}::timestamptz, $${next + 1}::uuid)` : ''
  const ordered = `order by created_at ${direction}, id ${direction} limit ${page.size + 1}`
  const text = `select ${all.sql} from ${name} where ${where}${after} ${ordered}`
  const keyed: Rows<Keyed<Row>> = {
    described: all.described,
    row: cells => {
      const row = all.row(cells)
      return { row, key: row.createdAt }
    },
  }
  const counting = statement('', `select count(*) as total from ${name} where ${where}`, totals)
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(counting, values)))[0]?.total ?? 0)
  const found = await context.db.query<Keyed<Row>>(statement('', text, keyed), [
    ...values,
    ...(page.start ? [page.start.key, page.start.id] : []),
  ])
  return new Page(found, page, list, total)
}

const totals = rows({ total: bigint })

/**
 * The conditions of a filter: `status` compares with one value, `statusIn` with any of several. A list of one value makes the same
 * condition as the value itself, so a cursor of either is valid for the other.
 */
export function filterConditions<Filter extends object>(
  filter: Filter | null | undefined,
  comparisons: { [Name in Exclude<keyof Filter & string, `${string}In`>]?: Comparison },
): ListCondition[] {
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
