// The statements of lists of jobs and suggestions. With a filter they have no name, so each execution is planned for its values.

import type { Rows, Selection } from '../database/selection.ts'
import { type Statement, statement, variants } from '../database/statement.ts'
import { bigint, rows } from '../database/table.ts'
import { type Condition, conditionsSql } from '../kernel/lists/filter-values.ts'
import { behind, type Direction, orderBy } from '../kernel/lists/pages.sql.ts'
import { directionOf, type Keyed, type PageRequest } from '../kernel/lists/pagination.ts'

/** A value is compared and stands in cursors with its own type: a confidence is a number. */
export type ListCondition = Condition<unknown>

/** A table that is listed by the time of creation. */
export interface Listed<Row> {
  name: string
  all: Selection<Row>
}

/** $1 the organization, then the values of the conditions, then the cursor's position. */
export function pageStatement<Row extends { createdAt: string }>(
  { name, all }: Listed<Row>,
  conditions: readonly ListCondition[],
  ageOrder: Direction,
  page: PageRequest,
): Statement<Keyed<Row>> {
  const direction = directionOf(page, ageOrder)
  const next = conditions.length + 2
  const after = page.start ? behind('created_at', 'timestamptz', direction, next) : ''
  const order = orderBy('created_at', direction, page.size + 1)
  const keyed: Rows<Keyed<Row>> = {
    described: all.described,
    row: cells => {
      const row = all.row(cells)
      return { row, key: row.createdAt }
    },
  }
  const text = `select ${all.sql} from ${name} where org_id = $1${conditionsSql(conditions)}${after} ${order}`
  if (conditions.length > 0) return statement('', text, keyed)
  return unfiltered(`${name}_${direction}_${page.start ? 'after' : 'from'}_${page.size + 1}`, () => ({ text, rows: keyed }))
}

// Both tables and directions, with and without a position, of a few sizes.
const unfiltered = variants(32)

const total = rows({ total: bigint })
/** $1 the organization, then the values of the conditions. */
export const countStatement = (name: string, conditions: readonly ListCondition[]): Statement<{ total: number }> =>
  statement('', `select count(*) as total from ${name} where org_id = $1${conditionsSql(conditions)}`, total)
