// Lists of contacts: a filtered and sorted page in one statement.

import type { Selection } from '../../../database/selection.ts'
import { type Context, organizationOf } from '../../../kernel/context.ts'
import { everyPage } from '../../../kernel/lists/every.ts'
import type { FilterValue } from '../../../kernel/lists/filter-values.ts'
import { type ListArgs, Page, pageOf } from '../../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../../kernel/lists/total.ts'
import type { Found } from '../../records/list/found.ts'
import { idsAmong, kindOf, nameOf } from '../../records/list/found.ts'
import { type Contact, type ContactInList, contactTable } from '../row.ts'
import { type ContactFilter, conditionsOf } from './filter.ts'
import { type ContactSort, countStatement, isKeyOf, pageStatement } from './list.sql.ts'

export interface ContactList extends ListArgs {
  filter?: ContactFilter | null
  sort?: ContactSort | null
}

/** One page of the organization's contacts, with the selected properties. A deep page costs the same as the first. */
export async function listContacts<Row extends ContactInList>(
  context: Context,
  list: ContactList,
  selection: Selection<Row>,
): Promise<Page<Row>> {
  const { filter, sort, counted, ...args } = list
  const orgId = organizationOf(context)
  const order = sort ?? 'created_at_desc'
  const found: Found = { conditions: filter ? conditionsOf(filter) : [], kind: kindOf(filter) }
  const name = nameOf('contacts', order, found)
  const page = pageOf(args, name, isKeyOf(order))
  const values = [orgId, ...found.conditions.map(({ value }) => value)]
  const start = page.start ? [page.start.key, page.start.id] : []
  const total = totalOf(counted, () => count(context, found, values))
  const keyed = await context.db.query(pageStatement(order, found, page, selection), [...values, ...start])
  for (const { row } of keyed) row.orgId = orgId
  return new Page(keyed, page, name, total)
}

export interface Listed {
  filter: ContactFilter
  /** Only these of the contacts that match; null for all. */
  ids?: readonly string[] | null
}

/** How many contacts there are. Throws UNAVAILABLE when counting takes too long. */
export function countContacts(context: Context, listed: Listed): Promise<number> {
  const found = foundBy(listed)
  return count(context, found, [organizationOf(context), ...found.conditions.map(({ value }) => value)])
}

async function count(context: Context, found: Found, values: readonly FilterValue[]): Promise<number> {
  const counting = countStatement(found)
  // A statement with a name reads the counters that triggers maintain, and needs no time limit.
  const [row] = await (counting.name ? context.db.query(counting, values) : bounded(context, db => db.query(counting, values)))
  return row?.total ?? 0
}

/** All contacts of a list, in pages that are read as the consumer takes them. */
export function everyContact(context: Context, { sort, ...listed }: Listed & { sort: ContactSort }): AsyncGenerator<readonly Contact[]> {
  const orgId = organizationOf(context)
  const found = foundBy(listed)
  const values = [orgId, ...found.conditions.map(({ value }) => value)]
  return everyPage(async page => {
    const statement = pageStatement(sort, found, page, contactTable.all)
    const keyed = await context.db.query(statement, page.start ? [...values, page.start.key, page.start.id] : values)
    for (const { row } of keyed) row.orgId = orgId
    return keyed
  })
}

const foundBy = ({ filter, ids }: Listed): Found => ({
  conditions: [...conditionsOf(filter), ...idsAmong(ids)],
  kind: kindOf(filter),
})
