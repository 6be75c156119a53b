// Merging two contacts with everything that hangs on them in any domain, and undoing it.

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
import { moveEnrichment } from '../../enrichment/targets/move.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { moveCalls } from '../../voice/calls/move.ts'

export interface MergeInput {
  winnerId: string
  loserId: string
  fields?: MergeChoices | null
}

export interface MergePreview extends Pair {
  fields: MergedField[]
}

/** What `mergeContacts` would do, without doing it. Throws NOT_FOUND, and INVALID for a contact with itself. */
export async function previewMerge(context: Context, { winnerId, loserId, fields }: MergeInput): Promise<MergePreview> {
  checkPair(winnerId, loserId)
  const [winner, loser] = await Promise.all([getContact(context, winnerId), getContact(context, loserId)])
  return { winner, loser, fields: mergedFields(winner, loser, fields ?? {}).merged }
}

/**
 * Merges the loser into the winner: the winner gets the loser's values where it has none, or as `fields` say, and everything that hangs on the
 * loser. The loser is deleted. Throws NOT_FOUND, of a merged contact with `mergedInto`.
 */
export async function mergeContacts(context: Context, { winnerId, loserId, fields }: MergeInput): Promise<ContactMerge> {
  checkPair(winnerId, loserId)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const first = await moveBeforeLocking(tx, loserId, winnerId)
    const pair = await lockPair(tx, winnerId, loserId)
    // What came to the loser between the two, by another merge for example. Nothing more comes while it is locked.
    const second = await moveBeforeLocking(tx, loserId, winnerId)
    const others = await moveWithinContacts(tx, pair.loser.id, pair.winner.id)
    return writeMerge(tx, pair, fields ?? {}, { ...united(first, second), ...others })
  })
}

/**
 * Brings the loser back with what was its own: its values, and what moved, as far as it is still with the winner. What happened since stays with
 * the winner, and so does a value that somebody has changed since. Throws NOT_FOUND, CONFLICT after 30 days, ALREADY_EXISTS if an address is taken
 * by now.
 */
export async function undoMerge(context: Context, id: string): Promise<ContactMerge> {
  organizationOf(context)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const merge = await undoableMerge(tx, id)
    const { winnerId, loserId, moved } = merge
    const first = await moveBeforeLocking(tx, winnerId, loserId, moved)
    const pair = await lockMerged(tx, merge)
    const others = await moveWithinContacts(tx, winnerId, loserId, moved)
    return writeUndo(tx, merge, pair, { ...first, ...others })
  })
}

// Jobs, suggestions and calls are locked before contacts wherever both are locked.
async function moveBeforeLocking(context: Context, fromId: string, toId: string, only?: Moved): Promise<Moved> {
  // Nothing hangs on what is no id; locking the contacts then says so.
  if (!isId(fromId) || !isId(toId)) return {}
  const [from, to] = [fromId.toLowerCase(), toId.toLowerCase()]
  const enrichment = await moveEnrichment(context, from, to, only && { jobs: only.jobs ?? [], suggestions: only.suggestions ?? [] })
  return { ...enrichment, calls: await moveCalls(context, from, to, only && (only.calls ?? [])) }
}

const united = (first: Moved, second: Moved): Moved =>
  Object.fromEntries(Object.keys(first).map(noun => [noun, [...(first[noun] ?? []), ...(second[noun] ?? [])]]))
