// Lists of deals: a filtered and sorted page in one statement.

import type { Selection } from '../../../database/selection.ts'
import { type Context, organizationOf } from '../../../kernel/context.ts'
import { isText, isTime, type ListArgs, Page, pageOf } from '../../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../../kernel/lists/total.ts'
import { kindOf } from '../../records/list/kind.ts'
import { nameOf } from '../../records/list/name.ts'
import { countOfRecords, type Found, type Order, pageOfRecords } from '../../records/list/pages.sql.ts'
import type { DealInList } from '../row.ts'
import { conditionsOf, type DealFilter } from './filter.ts'

// As in the index deals_by_title.
const titleKey = `(lower(title) collate "C")`
const orders = {
  created_at: { by: 'created_at', direction: 'asc', property: 'createdAt' },
  created_at_desc: { by: 'created_at', direction: 'desc', property: 'createdAt' },
  updated_at: { by: 'updated_at', direction: 'asc', property: 'updatedAt' },
  updated_at_desc: { by: 'updated_at', direction: 'desc', property: 'updatedAt' },
  title: { by: titleKey, direction: 'asc', property: null },
  title_desc: { by: titleKey, direction: 'desc', property: null },
} as const satisfies Record<string, Order>

export interface DealList extends ListArgs {
  filter?: DealFilter | null
  sort?: keyof typeof orders | null
}

/** One page of the organization's deals, with the selected properties. */
export async function listDeals<Row extends DealInList>(
  context: Context,
  { filter, sort, counted, ...args }: DealList,
  selection: Selection<Row>,
): Promise<Page<Row>> {
  const orgId = organizationOf(context)
  const by = sort ?? 'created_at_desc'
  const order: Order = orders[by]
  const found: Found = { conditions: conditionsOf(filter), kind: kindOf(filter) }
  const name = nameOf('deals', by, found)
  const page = pageOf(args, name, order.property ? isTime : isText)
  const values = [orgId, ...found.conditions.map(({ value }) => value)]
  const total = totalOf(counted, async () => {
    const [row] = await bounded(context, db => db.query(countOfRecords('deals', found), values))
    return row?.total ?? 0
  })
  const start = page.start ? [page.start.key, page.start.id] : []
  const keyed = await context.db.query(pageOfRecords('deals', order, found, page, selection), [...values, ...start])
  return new Page(keyed, page, name, total)
}
