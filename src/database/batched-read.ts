// Batched reads of single rows by id: reads that arrive while earlier ones are running are sent together, as one statement.

import type { Context } from '../kernel/context.ts'
import { perObject } from '../kernel/per-object.ts'
import { batcher } from './batcher.ts'
import type { Queries } from './client.ts'
import type { Selection } from './selection.ts'
import { shortRead } from './statement.ts'

/** Identifies a row. */
interface RowKey {
  orgId: string
  id: string
}

/** Reads one row of an organization by its id, a uuid; undefined when there is none. */
export type BatchedRead<Row> = (context: Pick<Context, 'db'>, orgId: string, id: string) => Promise<Row | undefined>

/**
 * A batched read of `table`. The statement is sent after the call, so a row is never older than the call. Inside a transaction each read is
 * a separate statement. Without batching, GET of a voice agent by id (W2) takes 27 % more server CPU.
 */
export function batchedRead<Row extends RowKey>(table: string, selection: Selection<Row>): BatchedRead<Row> {
  const { sql } = selection
  const one = shortRead(`${table}_read_one`, `select ${sql} from ${table} where org_id = $1 and id = $2`, selection)
  const many = shortRead(
    `${table}_read_batch`,
    `select ${sql} from ${table} where (org_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    selection,
  )
  const readAll = async (db: Queries, keys: readonly RowKey[]): Promise<(Row | undefined)[]> => {
    const [only] = keys
    if (only && keys.length === 1) return [(await db.query(one, [only.orgId, only.id]))[0]]
    const found = await db.query(many, [keys.map(({ orgId }) => orgId), keys.map(({ id }) => id)])
    const byId = new Map(found.map(each => [each.id, each]))
    return keys.map(({ orgId, id }) => {
      const each = byId.get(id)
      return each?.orgId === orgId ? each : undefined
    })
  }
  // One batcher per database.
  const batcherOf = perObject((db: Queries) => batcher<RowKey, Row | undefined>(keys => readAll(db, keys)))

  return async ({ db }, orgId, id) => {
    if (db.inTransaction) return (await db.query(one, [orgId, id]))[0]
    return batcherOf(db)({ orgId, id: id.toLowerCase() })
  }
}
