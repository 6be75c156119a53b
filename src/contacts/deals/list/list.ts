// Lists of deals.

import type { Selection } from '../../../database/selection.ts'
import type { Context } from '../../../kernel/context.ts'
import type { ListArgs, Page } from '../../../kernel/lists/pagination.ts'
import { kindOf } from '../../records/list/found.ts'
import { listRecords, ordersByTime } from '../../records/list/list.ts'
import type { DealInList } from '../row.ts'
import { conditionsOf, type DealFilter } from './filter.ts'

// As in the index deals_by_title.
const titleKey = `(lower(title) collate "C")`
const orders = {
  ...ordersByTime,
  title: { by: titleKey, direction: 'asc', property: null },
  title_desc: { by: titleKey, direction: 'desc', property: null },
} as const

export interface DealList extends ListArgs {
  filter?: DealFilter | null
  sort?: keyof typeof orders | null
}

/** One page of the organization's deals, with the selected properties. */
export const listDeals = <Row extends DealInList>(
  context: Context,
  { filter, sort, ...args }: DealList,
  selection: Selection<Row>,
): Promise<Page<Row>> => {
  const found = { conditions: conditionsOf(filter), kind: kindOf(filter) }
  return listRecords(context, { ...args, table: 'deals', orders, sort: sort ?? 'created_at_desc', found }, selection)
}
