// Lists of deals.

import type { Selection } from '../../../database/selection.ts'
import type { Context } from '../../../kernel/context.ts'
import { amountSql } from '../../../kernel/currencies/amount.sql.ts'
import type { ListArgs, Page } from '../../../kernel/lists/pagination.ts'
import { idsAmong, kindOf } from '../../records/list/found.ts'
import { countRecords, everyRecord, listRecords, ordersByTime } from '../../records/list/list.ts'
import { type Deal, type DealInList, dealTable } from '../row.ts'
import { conditionsOf, type DealFilter } from './filter.ts'

// As in the indexes deals_by_title, deals_by_amount and deals_by_close.
const titleKey = `(lower(title) collate "C")`
const amountKey = `(coalesce(${amountSql('amount', 'currency')}, -1))`
const closeKey = `(coalesce(expected_close, 'infinity'::date))`
export const dealOrders = {
  ...ordersByTime,
  title: { by: titleKey, direction: 'asc', property: null },
  title_desc: { by: titleKey, direction: 'desc', property: null },
  amount: { by: amountKey, direction: 'asc', property: null, type: 'numeric' },
  amount_desc: { by: amountKey, direction: 'desc', property: null, type: 'numeric' },
  expected_close: { by: closeKey, direction: 'asc', property: null, type: 'date' },
  expected_close_desc: { by: closeKey, direction: 'desc', property: null, type: 'date' },
} as const

export type DealSort = keyof typeof dealOrders

export interface DealList extends ListArgs {
  filter?: DealFilter | null
  sort?: DealSort | null
}

/** One page of the organization's deals, with the selected properties. */
export const listDeals = <Row extends DealInList>(
  context: Context,
  { filter, sort, ...args }: DealList,
  selection: Selection<Row>,
): Promise<Page<Row>> => {
  const found = { conditions: conditionsOf(filter), kind: kindOf(filter) }
  return listRecords(context, { ...args, table: 'deals', orders: dealOrders, sort: sort ?? 'created_at_desc', found }, selection)
}

interface Listed {
  filter: DealFilter
  /** Only these of the deals that match; null for all. */
  ids?: readonly string[] | null
}
const foundBy = ({ filter, ids }: Listed) => ({ conditions: [...conditionsOf(filter), ...idsAmong(ids)], kind: kindOf(filter) })

export const countDeals = (context: Context, listed: Listed): Promise<number> => countRecords(context, 'deals', foundBy(listed))

/** All deals of a list, in pages that are read as the consumer takes them. */
export const everyDeal = (context: Context, { sort, ...listed }: Listed & { sort: DealSort }): AsyncGenerator<readonly Deal[]> =>
  everyRecord(context, { table: 'deals', orders: dealOrders, sort, found: foundBy(listed) }, dealTable.all)
