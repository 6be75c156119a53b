// Lists of records: a filtered and sorted page in one statement.

import type { Selection } from '../../../database/selection.ts'
import { type Context, organizationOf } from '../../../kernel/context.ts'
import { everyPage } from '../../../kernel/lists/every.ts'
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
  const page = pageOf(args, name, isKeyOf(order))
  const total = totalOf(counted, () => countRecords(context, table, found))
  const start = page.start ? [page.start.key, page.start.id] : []
  const keyed = await context.db.query(pageOfRecords(table, order, found, page, selection), [...valuesOf(context, found), ...start])
  return new Page(keyed, page, name, total)
}

/** The number of the organization's rows. Throws UNAVAILABLE when counting takes too long. */
export async function countRecords(context: Context, table: string, found: Found): Promise<number> {
  const [row] = await bounded(context, db => db.query(countOfRecords(table, found), valuesOf(context, found)))
  return row?.total ?? 0
}

// Only keys that the database can read as their type, because a cursor may be forged.
const keyForms = { date: /^(\d{4}-\d\d-\d\d|infinity)$/, numeric: /^-?\d{1,20}(\.\d{1,20})?$/ } as const
const isKeyOf = ({ property, type }: Order): ((key: string) => boolean) => {
  if (property) return isTime
  return type ? key => keyForms[type].test(key) && (type === 'numeric' || isDay(key)) : isText
}
const isDay = (key: string) => key === 'infinity' || !Number.isNaN(Date.parse(`${key}T00:00:00Z`))

interface Every<Sort extends string> extends Pick<List<Sort>, 'table' | 'orders' | 'sort' | 'found'> {}

/** All rows, in pages that are read as the consumer takes them. */
export function everyRecord<Row extends { id: string; createdAt: string; updatedAt: string }, Sort extends string>(
  context: Context,
  { table, orders, sort, found }: Every<Sort>,
  selection: Selection<Row>,
): AsyncGenerator<readonly Row[]> {
  const values = valuesOf(context, found)
  return everyPage(page => {
    const start = page.start ? [page.start.key, page.start.id] : []
    return context.db.query(pageOfRecords(table, orders[sort], found, page, selection), [...values, ...start])
  })
}

const valuesOf = (context: Context, { conditions }: Found) => [organizationOf(context), ...conditions.map(({ value }) => value)]
