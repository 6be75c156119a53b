// Rows that follow a record which is merged into another, and go back when the merge is undone. Each table with such rows declares them.

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
  /** The statement that moves them. $1 organization, $2 and $3 the records, $4 only these or null. Returns their ids. Default: the rows by `id`. */
  move?: string
  /** Set if every transaction locks them before the records. They move before the records are locked. */
  isLockedFirst?: true
  /** Runs before the rows move, with the ids of both records. */
  lock?: (context: Context, recordIds: readonly string[]) => Promise<unknown>
}

/** The nouns whose records are merged. */
export type MergedNoun = 'contact' | 'company'

const followers = declarations<Followers & { noun: MergedNoun; sql: ReturnType<typeof moveOf> }>('name of moved rows')

/** Declares that the rows of a table follow their contact, or the record of another noun. */
export function followMerges(table: string, declared: Followers, noun: MergedNoun = 'contact'): void {
  followers.add(`${noun} ${declared.name}`, { ...declared, noun, sql: moveOf(table, declared, noun) })
}

/** The same for rows that hang on a record of any noun. */
export function followAllMerges(table: string, declared: Followers): void {
  for (const noun of ['contact', 'company'] as const) followMerges(table, declared, noun)
}

function moveOf(table: string, { move, isVersioned = true }: Followers, noun: MergedNoun) {
  const usual = `update ${table} set ${noun}_id = $3${isVersioned ? ', version = version + 1' : ''}
   where org_id = $1 and ${noun}_id = $2 and ($4::uuid[] is null or id = any($4::uuid[])) returning id`
  return statement(`${table}_move_${noun}`, move ?? usual, rows({ id: uuid }))
}

/** All declared rows of a noun, by name. */
export const allFollowers = (noun: MergedNoun) => [...followers.all().values()].filter(one => one.noun === noun)

/** The ids of moved rows, by their names. */
export type Moved = Readonly<Record<string, readonly string[]>>

/**
 * Moves rows from one record to another, in the context's transaction: those that are locked before records, or the others. `only`: these
 * rows alone. The event is written by the caller.
 */
export async function moveRows(
  context: Context,
  noun: MergedNoun,
  ids: readonly [string, string],
  isBeforeLock: boolean,
  only?: Moved,
): Promise<Moved> {
  const moved: Record<string, readonly string[]> = {}
  for (const { name, isLockedFirst = false, lock, sql } of allFollowers(noun)) {
    if (isLockedFirst !== isBeforeLock) continue
    await lock?.(context, ids)
    const found = await context.db.query(sql, [organizationOf(context), ...ids, only ? (only[name] ?? []) : null])
    moved[name] = found.map(({ id }) => id)
  }
  return moved
}
