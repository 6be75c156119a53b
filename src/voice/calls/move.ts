// Moving calls with a contact that is merged into another.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { moveCallRows } from './call.sql.ts'

/**
 * Gives calls of a contact to another, in the context's transaction. `ids`: only these. A call is locked before its contact wherever both are,
 * so this comes before the contacts are locked. Returns the ids of those that moved.
 */
export async function moveCalls(context: Context, fromContactId: string, toContactId: string, ids?: readonly string[]): Promise<string[]> {
  const moved = await context.db.query(moveCallRows, [organizationOf(context), fromContactId, toContactId, ids ?? null])
  return moved.map(({ id }) => id)
}
