// Moves the rows of other tables from one contact to another: when the contacts are merged, and back when the merge is undone.

import { statement } from '../../database/statement.ts'
import { rows, uuid } from '../../database/table.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'

/**
 * Moves rows in the context's transaction. `ids`: only these rows. Returns the ids of the moved rows; the event is written by the caller.
 */
type Move = (context: Context, fromContactId: string, toContactId: string, ids?: readonly string[]) => Promise<string[]>

/** The move of the rows of a table, whose versions it increases unless they have none. */
export function moveOf(name: string, table: string, isVersioned = true): Move {
  const text = `update ${table} set contact_id = $3${isVersioned ? ', version = version + 1' : ''}
   where org_id = $1 and contact_id = $2 and ($4::uuid[] is null or id = any($4::uuid[])) returning id`
  const move = statement(name, text, rows({ id: uuid }))
  return async (context, fromContactId, toContactId, ids) => {
    const moved = await context.db.query(move, [organizationOf(context), fromContactId, toContactId, ids ?? null])
    return moved.map(({ id }) => id)
  }
}
