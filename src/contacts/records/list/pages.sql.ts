// The statements of lists of records: a page in any order, and the total.

import type { Rows, Selection } from '../../../database/selection.ts'
import { type Statement, statement } from '../../../database/statement.ts'
import { bigint, rows } from '../../../database/table.ts'
import { conditionsSql } from '../../../kernel/lists/filter-values.ts'
import { behind, orderBy } from '../../../kernel/lists/pages.sql.ts'
import { directionOf, fetchedRows, type Keyed, type PageRequest } from '../../../kernel/lists/pagination.ts'
import type { Found, Kind } from './found.ts'

export interface Order {
  /** The sort expression; ties are sorted by id. */
  by: string
  direction: 'asc' | 'desc'
  /** The property with the sort value; null if the page selects the expression as `sort_key`. */
  property: 'createdAt' | 'updatedAt' | null
  /** The type of an expression that is not a text. */
  type?: 'date' | 'numeric'
}

interface Timed {
  createdAt: string
  updatedAt: string
}

/** The rows of a page, each with its sort key. */
export function keyed<Row extends Timed>({ property }: Order, { described, row }: Selection<Row>): Rows<Keyed<Row>> {
  if (!property) {
    const place = described.length
    return { described: [...described, { name: 'sort_key', type: 'text' }], row: cells => ({ row: row(cells), key: String(cells[place]) }) }
  }
  const build = (cells: readonly never[]) => {
    const built = row(cells)
    return { row: built, key: built[property] }
  }
  return { described, row: build }
}

// Deals are not merged.
const withMerges = ['contacts', 'companies']
// A subquery for each row, so that a page is read from the index of deleted rows, with a look at the index of merges for each: a join could
// read the merges of all organizations first.
const unmerged = (table: string) =>
  withMerges.includes(table)
    ? ` and (select id from contact_merges where loser_id = ${table}.id and undone_at is null limit 1) is null`
    : ''
/** SQL: ` and` before the condition on rows of the table; empty for all. Deleted ones are without those that were merged. */
export const kindSqlOf = (table: string): Readonly<Record<Kind, string>> => ({
  live: ' and deleted_at is null',
  deleted: ` and deleted_at is not null${unmerged(table)}`,
  all: '',
})

/**
 * A page of the table's rows. $1 the organization, then the values of the conditions, then the cursor's position. It has no name, so each
 * execution is planned for its values.
 */
export function pageOfRecords<Row extends Timed>(
  table: string,
  order: Order,
  { conditions, kind }: Found,
  page: PageRequest,
  selection: Selection<Row>,
): Statement<Keyed<Row>> {
  const { by, property, type = 'text' } = order
  const direction = directionOf(page, order.direction)
  const selected = property ? selection.sql : `${selection.sql}, ${type === 'text' ? by : `(${by})::text`} as sort_key`
  const after = page.start ? behind(by, property ? 'timestamptz' : type, direction, conditions.length + 2) : ''
  const where = `org_id = $1${kindSqlOf(table)[kind]}${conditionsSql(conditions)}${after}`
  const text = `select ${selected} from ${table} where ${where} ${orderBy(by, direction, fetchedRows(page.size))}`
  return statement('', text, keyed(order, selection))
}

/** $1 the organization, then the values of the conditions. */
export const countOfRecords = (table: string, { conditions, kind }: Found): Statement<{ total: number }> =>
  statement(
    '',
    `select count(*) as total from ${table} where org_id = $1${kindSqlOf(table)[kind]}${conditionsSql(conditions)}`,
    rows({ total: bigint }),
  )
