// Lists of records: a filtered and sorted page in one statement.

import type { Selection } from '../../../database/selection.ts'
import { type Context, organizationOf } from '../../../kernel/context.ts'
import { isText, isTime, type ListArgs, Page, pageOf } from '../../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../../kernel/lists/total.ts'
import { type Found, nameOf } from './found.ts'
import { countOfRecords, type Order, pageOfRecords } from './pages.sql.ts'

/** The orders of every list of records. */
export const ordersByTime = {
  created_at: { by: 'created_at', direction: 'asc', property: 'createdAt' },
  created_at_desc: { by: 'created_at', direction: 'desc', property: 'createdAt' },
  updated_at: { by: 'updated_at', direction: 'asc', property: 'updatedAt' },
  updated_at_desc: { by: 'updated_at', direction: 'desc', property: 'updatedAt' },
} as const satisfies Record<string, Order>

interface List<Sort extends string> extends ListArgs {
  /** The table, which also names the list in cursors. */
  table: string
  orders: Readonly<Record<Sort, Order>>
  sort: Sort
  found: Found
}

/** One page of the organization's rows, with the selected properties. */
export async function listRecords<Row extends { id: string; createdAt: string; updatedAt: string }, Sort extends string>(
  context: Context,
  { table, orders, sort, found, counted, ...args }: List<Sort>,
  selection: Selection<Row>,
): Promise<Page<Row>> {
  const order = orders[sort]
  const name = nameOf(table, sort, found)
  const page = pageOf(args, name, order.property ? isTime : isText)
  const values = [organizationOf(context), ...found.conditions.map(({ value }) => value)]
  const total = totalOf(counted, async () => {
    const [row] = await bounded(context, db => db.query(countOfRecords(table, found), values))
    return row?.total ?? 0
  })
  const start = page.start ? [page.start.key, page.start.id] : []
  const keyed = await context.db.query(pageOfRecords(table, order, found, page, selection), [...values, ...start])
  return new Page(keyed, page, name, total)
}
