// Filtered pages of jobs and suggestions, sorted by creation time.

import type { Context } from '../kernel/context.ts'
import { isTime, type ListArgs, Page, pageOf } from '../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../kernel/lists/total.ts'
import { countStatement, type ListCondition, type Listed, pageStatement } from './list.sql.ts'

export type ListSort = 'created_at' | 'created_at_desc'

/** A page of the organization's rows that match all conditions, newest first by default. */
export async function pageOfMatching<Row extends { id: string; createdAt: string }>(
  context: Context,
  orgId: string,
  table: Listed<Row>,
  conditions: readonly ListCondition[],
  { counted, sort, ...args }: ListArgs & { sort?: ListSort | null },
): Promise<Page<Row>> {
  const order = sort === 'created_at' ? 'asc' : 'desc'
  // The default order is not part of the name, so that older cursors stay valid.
  const list = `${table.name}${order === 'asc' ? ' oldest first' : ''}${conditions.map(({ name, value }) => `\n${name} ${JSON.stringify(value)}`).join('')}`
  const page = pageOf(args, list, isTime)
  const values = [orgId, ...conditions.map(({ value }) => value)]
  const total = totalOf(counted, async () => {
    const [row] = await bounded(context, db => db.query(countStatement(table.name, conditions), values))
    return row?.total ?? 0
  })
  const start = page.start ? [page.start.key, page.start.id] : []
  const found = await context.db.query(pageStatement(table, conditions, order, page), [...values, ...start])
  return new Page(found, page, list, total)
}
