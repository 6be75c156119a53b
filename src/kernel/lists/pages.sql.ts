// SQL of pages: the order, the rows behind a cursor, and the statements of a list in both directions.

import type { Selection } from '../../database/selection.ts'
import { type Statement, shortRead } from '../../database/statement.ts'
import { directionOf, type PageRequest } from './pagination.ts'

export type Direction = 'asc' | 'desc'

/** The order by a sort expression; ties are sorted by id. */
export const orderBy = (by: string, direction: Direction, limit: number | string): string =>
  `order by ${by} ${direction}, id ${direction} limit ${limit}`

/** ` and` before the condition on the rows behind the cursor. Its parameters: `$next` the sort key, of the type `type`, and the id after it. */
export const behind = (by: string, type: 'text' | 'timestamptz' | 'date' | 'numeric', direction: Direction, next: number): string =>
  ` and (${by}, id) ${direction === 'asc' ? '>' : '<'} ($${next}::${type}, $${next + 1}::uuid)`

/** Makes what reads a page in each direction, with a cursor and without. */
export function forPages<Read>(make: (direction: Direction, isAfter: boolean) => Read): (page: PageRequest, order?: Direction) => Read {
  const firsts = { asc: make('asc', false), desc: make('desc', false) }
  const afters = { asc: make('asc', true), desc: make('desc', true) }
  return (page, order) => (page.start ? afters : firsts)[directionOf(page, order)]
}

/**
 * The statements of an organization's list by the time of creation. $1 organization, $2 the number of rows; then the cursor's position. `condition`
 * chooses rows.
 */
export const pagesByAge = <Row>(
  name: string,
  table: string,
  all: Selection<Row>,
  condition = '',
): ((page: PageRequest, order?: Direction) => Statement<Row>) =>
  forPages((direction, isAfter) => {
    const where = `org_id = $1${condition && ` and ${condition}`}${isAfter ? behind('created_at', 'timestamptz', direction, 3) : ''}`
    return shortRead(
      `${name}_${direction}${isAfter ? '_after' : ''}`,
      `select ${all.sql} from ${table} where ${where} ${orderBy('created_at', direction, '$2')}`,
      all,
    )
  })
