// Merging two contacts, with all rows of any domain that refer to them, and undoing it.

import { getContact } from '../../contacts/contact/contact.ts'
import { type MergeChoices, type MergedField, mergedFields } from '../../contacts/merge/fields.ts'
import {
  type ContactMerge,
  checkPair,
  lockMerged,
  lockPair,
  type Moved,
  moveWithinContacts,
  type Pair,
  undoableMerge,
  writeMerge,
  writeUndo,
} from '../../contacts/merge/merge.ts'
import type { Queries } from '../../database/client.ts'
import { moveEnrichment } from '../../enrichment/targets/move.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { moveCalls } from '../../voice/calls/call.sql.ts'

export interface MergeInput {
  winnerId: string
  loserId: string
  fields?: MergeChoices | null
}

export interface MergePreview extends Pair {
  fields: MergedField[]
}

/** The result that `mergeContacts` would have; writes nothing. Throws NOT_FOUND, and INVALID when both contacts are the same. */
export async function previewMerge(context: Context, { winnerId, loserId, fields }: MergeInput): Promise<MergePreview> {
  checkPair(winnerId, loserId)
  const [winner, loser] = await Promise.all([getContact(context, winnerId), getContact(context, loserId)])
  return { winner, loser, fields: mergedFields(winner, loser, fields ?? {}).merged }
}

/**
 * Merges the loser into the winner: the winner gets the loser's values where it has none, or where `fields` says so, and all rows that
 * refer to the loser. The loser is deleted. Throws NOT_FOUND, with `mergedInto` for a merged contact.
 */
export async function mergeContacts(context: Context, { winnerId, loserId, fields }: MergeInput): Promise<ContactMerge> {
  checkPair(winnerId, loserId)
  const merge = async (db: Queries) => {
    const tx = inTransaction(context, db)
    const first = await moveBeforeLocking(tx, loserId, winnerId)
    const pair = await lockPair(tx, winnerId, loserId)
    // Moves rows that were added to the loser since the first move, for example by another merge. Now that the loser is locked, none can
    // follow.
    const second = await moveBeforeLocking(tx, loserId, winnerId)
    const others = await moveWithinContacts(tx, pair.loser.id, pair.winner.id)
    return writeMerge(tx, pair, fields ?? {}, { ...united(first, second), ...others })
  }
  // Calls of the loser may be changed at the same moment, several in one transaction.
  return context.db.transaction(merge, { isRepeatable: true })
}

/**
 * Restores the loser with its values, and returns the moved rows that still belong to the winner. Rows added since stay with the winner,
 * and so do values that somebody has changed since. Throws NOT_FOUND, CONFLICT after 30 days, and ALREADY_EXISTS if an address is taken
 * meanwhile.
 */
export async function undoMerge(context: Context, id: string): Promise<ContactMerge> {
  organizationOf(context)
  const undo = async (db: Queries) => {
    const tx = inTransaction(context, db)
    const merge = await undoableMerge(tx, id)
    const { winnerId, loserId, moved } = merge
    const first = await moveBeforeLocking(tx, winnerId, loserId, moved)
    const pair = await lockMerged(tx, merge)
    const others = await moveWithinContacts(tx, winnerId, loserId, moved)
    return writeUndo(tx, merge, pair, { ...first, ...others })
  }
  return context.db.transaction(undo, { isRepeatable: true })
}

// Runs before the contacts are locked, because every transaction locks jobs, suggestions and calls before contacts.
async function moveBeforeLocking(context: Context, fromId: string, toId: string, only?: Moved): Promise<Moved> {
  // Nothing refers to malformed ids. Locking the contacts then throws NOT_FOUND.
  if (!isId(fromId) || !isId(toId)) return {}
  const [from, to] = [fromId.toLowerCase(), toId.toLowerCase()]
  const enrichment = await moveEnrichment(context, from, to, only && { jobs: only.jobs ?? [], suggestions: only.suggestions ?? [] })
  return { ...enrichment, calls: await moveCalls(context, from, to, only && (only.calls ?? [])) }
}

const united = (first: Moved, second: Moved): Moved =>
  Object.fromEntries(Object.keys(first).map(noun => [noun, [...(first[noun] ?? []), ...(second[noun] ?? [])]]))
