// Versions of rows: a write can name the version that it expects, and increases it.

import type { Statement } from '../../database/statement.ts'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { isId } from '../ids.ts'

/** The id of the row to change, and the version that the caller expects. */
interface Expected {
  id: string
  ifVersion?: number | null
}

/**
 * Locks a row and calls `change` with it, in one transaction. `lock` is the statement that locks the row: $1 organization, $2 id. Throws
 * NOT_FOUND, or the error of `missing`, and PRECONDITION_FAILED.
 */
export function changing<Row extends { version: number }>(
  context: Context,
  noun: string,
  lock: Statement<Row>,
  { id, ifVersion }: Expected,
  change: (tx: Context, row: Row) => Promise<Row>,
  missing: (tx: Context, id: string) => AppError | Promise<AppError> = () => notFound(noun, id),
): Promise<Row> {
  const orgId = organizationOf(context)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [row] = isId(id) ? await db.query(lock, [orgId, id]) : []
    if (!row) throw await missing(tx, id)
    requireVersion(noun, row, ifVersion)
    return change(tx, row)
  })
}

/**
 * Throws PRECONDITION_FAILED unless the row has the expected version. The row must be locked, or compared again in the write. Without
 * `ifVersion` any version is accepted.
 */
export function requireVersion(noun: string, { version }: { version: number }, ifVersion: number | null | undefined): void {
  if (ifVersion === null || ifVersion === undefined || ifVersion === version) return
  throw new AppError('PRECONDITION_FAILED', `The ${noun} has version ${version}, not ${ifVersion}`, { version })
}

/** The version and time of a row after a change. If the clock went backwards, the row keeps its time. */
export function nextVersion(context: Context, before: { version: number; updatedAt: string }): { version: number; updatedAt: string } {
  const now = context.now().toISOString()
  return { version: before.version + 1, updatedAt: now > before.updatedAt ? now : before.updatedAt }
}
