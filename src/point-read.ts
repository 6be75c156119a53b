// Single rows by id: whoever asks while others' answers are on their way is asked for together, in one statement.

import type { Context } from './context.ts'
import { convoy } from './convoy.ts'
import { type Queries, type Statement, shortRead } from './database/client.ts'
import { ofEach } from './own.ts'

interface Point {
  orgId: string
  id: string
}

/** Reads one row of an organization by its id, a uuid; undefined where there is none. */
export type PointRead<Row> = (context: Pick<Context, 'db'>, orgId: string, id: string) => Promise<Row | undefined>

/**
 * A read of `table`. Under load it costs this process a fraction of a statement for each, and what is read is never older than the asking.
 * Within a transaction it is a statement of its own.
 */
export function pointRead<Row extends Point>(table: string, columns: string, row: NonNullable<Statement<Row>['row']>): PointRead<Row> {
  const one = shortRead(`${table}_point`, `select ${columns} from ${table} where org_id = $1 and id = $2`, row)
  const many = shortRead(
    `${table}_points`,
    `select ${columns} from ${table} where (org_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    row,
  )
  const readAll = async (db: Queries, points: readonly Point[]): Promise<(Row | undefined)[]> => {
    const [only] = points
    if (only && points.length === 1) return [(await db.query(one, [only.orgId, only.id]))[0]]
    const found = await db.query(many, [points.map(({ orgId }) => orgId), points.map(({ id }) => id)])
    const byId = new Map(found.map(each => [each.id, each]))
    return points.map(({ orgId, id }) => {
      const each = byId.get(id)
      return each?.orgId === orgId ? each : undefined
    })
  }
  // One for each database that this process reads from.
  const joinOf = ofEach((db: Queries) => convoy<Point, Row | undefined>(points => readAll(db, points)))

  return async ({ db }, orgId, id) => {
    if (db.inTransaction) return (await db.query(one, [orgId, id]))[0]
    return joinOf(db)({ orgId, id: id.toLowerCase() })
  }
}
