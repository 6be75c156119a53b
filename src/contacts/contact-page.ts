// Lists of contacts: filtered, sorted, a page at a time, in one statement.

import { type Context, organizationOf } from '../context.ts'
import { type Statement, shortRead, statement, unseen } from '../database/client.ts'
import { emailKey, lastNameKey } from './contact.sql.ts'
import { type Columns, columnsFor } from './contact-columns.ts'
import { type Condition, type ContactFilter, conditionsOf } from './contact-filter.ts'
import { type Contact, contactColumns, contactRow } from './contact-row.ts'
import { isText, isTime, type Keyed, Page, type PageArgs, type Position, pageOf } from './page.ts'

export const contactSorts = ['created_at', 'created_at_desc', 'updated_at', 'updated_at_desc', 'last_name', 'email'] as const
export type ContactSort = (typeof contactSorts)[number]

export interface ContactList extends PageArgs {
  filter?: ContactFilter | null
  sort?: ContactSort | null
  includeTotal?: boolean | null
}

/**
 * One page of the organization's contacts. Its cost is the same wherever in the list it is. Where only some fields will be looked at,
 * `fields` names them, and the others are null.
 */
export async function listContacts(context: Context, asked: ContactList, fields?: ReadonlySet<string>): Promise<Page<Contact>> {
  const { filter, sort, includeTotal, ...args } = asked
  const orgId = organizationOf(context)
  const order = sort ?? 'created_at_desc'
  const found: Selection = { conditions: filter ? conditionsOf(filter) : [], withDeleted: filter?.includeDeleted ?? false }
  const list = listOf(order, found)
  const page = pageOf(args, list, orders[order].isKey)
  const values = [orgId, ...found.conditions.map(({ value }) => value), ...(page.start ? [page.start.key, page.start.id] : [])]
  const [keyed, total] = await Promise.all([
    context.db.query(pageStatement(order, found, page, columnsFor(fields)), values),
    includeTotal ? count(context, orgId, found) : null,
  ])
  for (const { row } of keyed) row.orgId = orgId
  return new Page(keyed, page, list, total)
}

interface Order {
  /** What rows are compared by, before their ids. */
  by: string
  type: 'timestamptz' | 'text'
  direction: 'asc' | 'desc'
  isKey(key: string): boolean
  row(columns: readonly never[]): Keyed<Contact>
}

function order(by: string, type: Order['type'], direction: Order['direction'] = 'asc'): Order {
  // Times stand in the row already, texts are selected behind its columns.
  const keyOf =
    type === 'text'
      ? (_row: Contact, columns: readonly never[]) => String(columns[contactColumns.length])
      : ({ createdAt, updatedAt }: Contact) => (by === 'created_at' ? createdAt : updatedAt)
  const row = (columns: readonly never[]) => {
    const contact = contactRow(columns)
    return { row: contact, key: keyOf(contact, columns) }
  }
  return { by, type, direction, isKey: type === 'text' ? isText : isTime, row }
}

const orders: Record<ContactSort, Order> = {
  created_at: order('created_at', 'timestamptz'),
  created_at_desc: order('created_at', 'timestamptz', 'desc'),
  updated_at: order('updated_at', 'timestamptz'),
  updated_at_desc: order('updated_at', 'timestamptz', 'desc'),
  last_name: order(lastNameKey, 'text'),
  email: order(emailKey, 'text'),
}

interface Sought {
  size: number
  start: Position | null
}

interface Selection {
  conditions: readonly Condition[]
  withDeleted: boolean
}

// Cursors of one list are good for it alone.
const listOf = (sort: ContactSort, { conditions, withDeleted }: Selection) =>
  `contacts ${sort}${withDeleted ? ' with deleted' : ''}${conditions.map(({ name, value }) => `\n${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join('')}`

// Sizes that are fetched. Their number bounds the number of prepared statements; the size stands in the text, because a plan for
// "any number of rows" is one for very many.
const fetchedSizes = [10, 20, 50, 100, 200]
// With these the plan is the same whatever the value is. With others the best plan depends on how much the value finds.
const planned = new Set<Condition['name']>(['email', 'phone'])
const prepared = new Map<string, Statement<Keyed<Contact>>>()

function pageStatement(sort: ContactSort, selection: Selection, { size, start }: Sought, columns: Columns): Statement<Keyed<Contact>> {
  const rows = 1 + (fetchedSizes.find(fetched => fetched >= size) ?? size)
  const text = () => pageText(orders[sort], selection, start !== null, rows, columns.columns)
  const { conditions, withDeleted } = selection
  // Without a name it is planned for its values, each time.
  if (!conditions.every(({ name }) => planned.has(name))) return statement('', text(), orders[sort].row)
  const kind = [start ? 'after' : 'from', withDeleted ? 'all' : 'live', ...conditions.map(({ name }) => name)]
  const name = `contacts_${sort}_${columns.name}_${rows}_${kind.join('_')}`
  let known = prepared.get(name)
  if (!known) prepared.set(name, (known = shortRead(name, text(), orders[sort].row)))
  return known
}

// Not read where it is known: the organization is the one that was asked for, and most rows have not changed since they were made.
const implied: Readonly<Record<string, string>> = { org_id: 'null as org_id', updated_at: 'nullif(updated_at, created_at) as updated_at' }

function pageText(
  { by, type, direction }: Order,
  { conditions, withDeleted }: Selection,
  isAfter: boolean,
  most: number,
  columns: Columns['columns'],
) {
  const read = columns.map(column => (column !== by && implied[column]) || column)
  const selected = type === 'text' ? [...read, `${by} as sort_key`] : read
  const next = conditions.length + 2
  const after = isAfter ? ` and (${by}, id) ${direction === 'asc' ? '>' : '<'} ($${next}::${type}, $${next + 1}::uuid)` : ''
  // Live contacts have no two equal addresses; an order by ids within one would only be sorted in vain.
  const ties = by === emailKey && !withDeleted ? '' : `, id ${direction}`
  const key = type === 'text' ? 'sort_key' : by
  const part = (deleted: 'null' | 'not null') => {
    const found = `select ${selected} from contacts where org_id = $1 and deleted_at is ${deleted}${wordsOf(conditions)}${after}`
    // How rare an address is, PostgreSQL does not know, for the index is partial: it would rather walk along the list until it meets it.
    const isLookup = conditions.some(({ name }) => name === 'email')
    const place = isLookup || by !== 'created_at' || deleted === 'not null' ? -1 : conditions.findIndex(isSeveralOwners)
    // Each owner's page is read from their index and the pages are merged: with any() PostgreSQL walks along the whole list where it
    // believes the owners to have many contacts, however old those are.
    if (place >= 0) {
      const ordered = `order by created_at ${direction}, id ${direction} limit ${most}`
      const one = `select ${selected} from contacts where org_id = $1 and deleted_at is null${wordsOf(conditions, place)}${after} and owner_user_id = wanted.owner ${ordered}`
      return `select page.* from unnest($${place + 2}::text[]) as wanted (owner) cross join lateral (${one}) page ${ordered}`
    }
    const rows = isLookup ? `select * from (${found} offset 0) looked_up order by ${key}` : `${found} order by ${by}`
    return `${rows} ${direction}${ties} limit ${most}`
  }
  if (!withDeleted) return part('null')
  // Live and deleted rows have indexes of their own; two sorted lists are merged into one.
  return `select * from ((${part('null')}) union all (${part('not null')})) both_kinds order by ${key} ${direction}, id ${direction} limit ${most}`
}

// $1 is the organization.
const wordsOf = (conditions: readonly Condition[], without?: number) =>
  conditions.map(({ sql, value }, index) => (index === without ? '' : ` and ${sql(`$${index + 2}`, value)}`)).join('')
const isSeveralOwners = ({ name, value }: Condition) => name === 'ownerUserId' && typeof value !== 'string'

const countAll = statement<{ total: number }>(
  'contacts_total',
  `select coalesce(sum(total), 0)::bigint as total from contact_counts where org_id = ${unseen('$1::uuid')} and day = '-infinity'`,
)

async function count(context: Context, orgId: string, { conditions, withDeleted }: Selection): Promise<number> {
  const text = `select count(*) as total from contacts where org_id = $1${withDeleted ? '' : ' and deleted_at is null'}${wordsOf(conditions)}`
  // All live contacts are counted already.
  const counting = conditions.length === 0 && !withDeleted ? countAll : statement<{ total: number }>('', text)
  const [row] = await context.db.query(counting, [orgId, ...conditions.map(({ value }) => value)])
  return row?.total ?? 0
}
