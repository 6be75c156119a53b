// The statements of lists of contacts: a page, and the total.

import type { Selection } from '../../../database/selection.ts'
import { type Statement, statement, unseen, variants } from '../../../database/statement.ts'
import { bigint, rows } from '../../../database/table.ts'
import { type Condition, conditionsSql } from '../../../kernel/lists/filter-values.ts'
import { behind, orderBy } from '../../../kernel/lists/pages.sql.ts'
import { directionOf, fetchedRows, isText, isTime, type Keyed, type PageRequest } from '../../../kernel/lists/pagination.ts'
import type { Found } from '../../records/list/found.ts'
import { keyed, type Order } from '../../records/list/pages.sql.ts'
import { emailKey } from '../addresses/address.sql.ts'
import { lastNameKey, stageKey } from '../contact.sql.ts'
import { type ContactInList, contactTable } from '../row.ts'
import { kindSql } from './filter.ts'

export const contactSorts = [
  'created_at',
  'created_at_desc',
  'updated_at',
  'updated_at_desc',
  'last_name',
  'last_name_desc',
  'email',
  'email_desc',
  'stage',
  'stage_desc',
] as const
export type ContactSort = (typeof contactSorts)[number]

const orders: Record<ContactSort, Order> = {
  created_at: { by: 'created_at', direction: 'asc', property: 'createdAt' },
  created_at_desc: { by: 'created_at', direction: 'desc', property: 'createdAt' },
  updated_at: { by: 'updated_at', direction: 'asc', property: 'updatedAt' },
  updated_at_desc: { by: 'updated_at', direction: 'desc', property: 'updatedAt' },
  last_name: { by: lastNameKey, direction: 'asc', property: null },
  last_name_desc: { by: lastNameKey, direction: 'desc', property: null },
  email: { by: emailKey, direction: 'asc', property: null },
  email_desc: { by: emailKey, direction: 'desc', property: null },
  stage: { by: stageKey, direction: 'asc', property: null },
  stage_desc: { by: stageKey, direction: 'desc', property: null },
}

/** Whether the text can be a sort key in a cursor of this list. */
export const isKeyOf = (sort: ContactSort): ((key: string) => boolean) => (orders[sort].property ? isTime : isText)

// Conditions for which one plan suits every value. For the others the best plan depends on the number of matching rows, so a statement with
// them is planned at each execution: that takes PostgreSQL twice as long as reading the page.
const planned = new Set<Condition['name']>(['email', 'phone'])
// Columns with an index in the order of creation. A page of one value is read from it, with one plan for every value.
const columnsInOrder: Partial<Record<Condition['name'], string>> = { ownerUserId: 'owner_user_id', lifecycleStage: 'lifecycle_stage' }
function columnInOrder(by: string, { conditions: [only, ...others], kind }: Found): string | undefined {
  if (!only || others.length > 0 || kind !== 'live' || by !== 'created_at' || typeof only.value !== 'string') return undefined
  return columnsInOrder[only.name]
}

const wholePages = variants(1000)
const partialPages = variants(100)

/** $1 the organization, then the values of the conditions, then the cursor's position. */
export function pageStatement<Row extends ContactInList>(
  sort: ContactSort,
  found: Found,
  page: PageRequest,
  selection: Selection<Row>,
): Statement<Keyed<Row>> {
  // Inserted into the SQL text: with a parameter, PostgreSQL would plan for a very large page.
  const { start } = page
  const count = fetchedRows(page.size)
  const order = { ...orders[sort], direction: directionOf(page, orders[sort].direction) }
  const make = () => ({ text: pageText(order, found, start !== null, count, selection), rows: keyed(order, selection) })
  const { conditions } = found
  if (!columnInOrder(order.by, found) && !conditions.every(({ name }) => planned.has(name))) {
    const { text, rows } = make()
    return statement('', text, rows)
  }
  const kind = [order.direction, start ? 'after' : 'from', found.kind, ...conditions.map(({ name }) => name)]
  const pages = selection.key === contactTable.all.key ? wholePages : partialPages
  return pages(`contacts_${sort}_${selection.key}_${count}_${kind.join('_')}`, make)
}

function pageText<Row>({ by, direction, property }: Order, found: Found, isAfter: boolean, count: number, selection: Selection<Row>) {
  const { conditions, kind } = found
  const selected = property ? selection.sparse(by) : `${selection.sparse()}, ${by} as sort_key`
  const next = conditions.length + 2
  const type = property ? 'timestamptz' : 'text'
  const after = isAfter ? behind(by, type, direction, next) : ''
  const column = columnInOrder(by, found)
  if (column) {
    // The column is compared as a range and stands in the order, so that no other index has the order. With `=`, PostgreSQL plans for an average
    // value, and may read the whole list for a rare one.
    const [beyond, within] = direction === 'asc' ? ['>', '<='] : ['<', '>=']
    const from = isAfter ? `(${column}, created_at, id) ${beyond} ($2, $3::timestamptz, $4::uuid)` : `${column} ${beyond}= $2`
    const inColumn = `order by contacts.${column} ${direction}, created_at ${direction}, id ${direction} limit ${count}`
    return `select ${selected} from contacts where org_id = $1${kindSql.live} and ${from} and ${column} ${within} $2 ${inColumn}`
  }
  // Addresses of live contacts are unique, so sorting by id too would only cost time.
  const ties = by === emailKey && kind === 'live' ? '' : `, id ${direction}`
  const key = property ? by : 'sort_key'
  const part = (rows: string) => {
    const matching = `select ${selected} from contacts where org_id = $1${rows}${conditionsSql(conditions)}${after}`
    // PostgreSQL cannot estimate from the partial index on addresses how rare an address is, and would scan the list in order. `offset 0`
    // prevents that.
    const isLookup = conditions.some(({ name }) => name === 'email')
    const owners = isLookup || by !== 'created_at' || rows !== kindSql.live ? -1 : conditions.findIndex(isSeveralOwners)
    // Reads a page per owner by the index, and merges the pages. With any(), PostgreSQL scans the whole list in order if it estimates that
    // the owners have many contacts, however old those are.
    if (owners >= 0) {
      const order = orderBy('created_at', direction, count)
      const one = `select ${selected} from contacts where org_id = $1 and deleted_at is null${conditionsSql(conditions, 2, owners)}${after} and owner_user_id = wanted.owner ${order}`
      return `select page.* from unnest($${owners + 2}::text[]) as wanted (owner) cross join lateral (${one}) page ${order}`
    }
    const sorted = isLookup ? `select * from (${matching} offset 0) looked_up order by ${key}` : `${matching} order by ${by}`
    return `${sorted} ${direction}${ties} limit ${count}`
  }
  if (kind !== 'all') return part(kindSql[kind])
  // Live and deleted rows have separate indexes, so two sorted lists are merged.
  return `select * from ((${part(kindSql.live)}) union all (${part(' and deleted_at is not null')})) both_kinds ${orderBy(key, direction, count)}`
}

const isSeveralOwners = ({ name, value }: Condition) => name === 'ownerUserId' && typeof value !== 'string'

const total = rows({ total: bigint })
/** $1 the organization. The number of its live contacts, which triggers maintain. */
export const countLive = statement(
  'contacts_total',
  `select coalesce(sum(total), 0)::bigint as total from contact_counts where org_id = ${unseen('$1::uuid')} and day = '-infinity'`,
  total,
)

/** $1 the organization, then the values of the conditions. */
export function countStatement({ conditions, kind }: Found): Statement<{ total: number }> {
  // The number of live contacts is maintained by triggers.
  if (conditions.length === 0 && kind === 'live') return countLive
  return statement('', `select count(*) as total from contacts where org_id = $1${kindSql[kind]}${conditionsSql(conditions)}`, total)
}
