// Rows that follow a contact which is merged into another, and go back when the merge is undone. Each table with such rows declares them.

import { statement } from '../../database/statement.ts'
import { rows, uuid } from '../../database/table.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { declarations } from '../../kernel/nouns/declared.ts'

interface Followers {
  /** Their name in `MergeMoved`. */
  name: string
  description: string
  /** Whether a move increases their versions. Default: true. */
  isVersioned?: boolean
  /** The statement that moves them. $1 organization, $2 and $3 the contacts, $4 only these or null. Returns their ids. Default: the rows by `id`. */
  move?: string
  /** Set if every transaction locks them before contacts. They move before the contacts are locked. */
  isLockedFirst?: true
  /** Runs before the rows move, with the ids of both contacts. */
  lock?: (context: Context, contactIds: readonly string[]) => Promise<unknown>
}

const followers = declarations<Followers & { sql: ReturnType<typeof moveOf> }>('name of moved rows')

/** Declares that the rows of a table follow their contact. */
export function followMerges(table: string, declared: Followers): void {
  followers.add(declared.name, { ...declared, sql: moveOf(table, declared) })
}

function moveOf(table: string, { move, isVersioned = true }: Followers) {
  const usual = `update ${table} set contact_id = $3${isVersioned ? ', version = version + 1' : ''}
   where org_id = $1 and contact_id = $2 and ($4::uuid[] is null or id = any($4::uuid[])) returning id`
  return statement(`${table}_move`, move ?? usual, rows({ id: uuid }))
}

/** All declared rows, by name. */
export const allFollowers = () => [...followers.all().values()]

/** The ids of moved rows, by their names. */
export type Moved = Readonly<Record<string, readonly string[]>>

/**
 * Moves rows from one contact to another, in the context's transaction: those that are locked before contacts, or the others. `only`: these
 * rows alone. The event is written by the caller.
 */
export async function moveRows(context: Context, ids: readonly [string, string], isBeforeLock: boolean, only?: Moved): Promise<Moved> {
  const moved: Record<string, readonly string[]> = {}
  for (const { name, isLockedFirst = false, lock, sql } of allFollowers()) {
    if (isLockedFirst !== isBeforeLock) continue
    await lock?.(context, ids)
    const found = await context.db.query(sql, [organizationOf(context), ...ids, only ? (only[name] ?? []) : null])
    moved[name] = found.map(({ id }) => id)
  }
  return moved
}
