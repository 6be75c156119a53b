// Merging contacts, and undoing it: the two rows, and the rows of this domain that refer to them. `entities` moves the rows of other
// domains.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { differences, searchTextOf } from '../contact/apply.ts'
import { updated } from '../contact/contact.sql.ts'
import { type Contact, type ContactFields, contactEvents } from '../contact/row.ts'
import { checkFree, unlessTaken } from '../contact/steps.ts'
import { moveNotes } from '../notes/note.sql.ts'
import { moveTasks } from '../tasks/task.sql.ts'
import { type MergeChoices, mergedFields, unmergedFields } from './fields.ts'
import { lockContactsById, moveEvents, setDeleted, setFields, undoableMs } from './merge.sql.ts'
import { mergedInto, noContact } from './merged.ts'

/** The ids of the rows that were moved from one contact to the other, by noun. */
export type Moved = Readonly<Record<string, readonly string[]>>

export interface ContactMerge {
  id: string
  winner: Contact
  loser: Contact
  moved: Moved
  createdAt: string
  undoableUntil: string
  undoneAt: string | null
}

interface StoredMerge {
  id: string
  orgId: string
  winnerId: string
  loserId: string
  changes: Readonly<Record<string, readonly [unknown, unknown]>>
  moved: Moved
  createdAt: Date
  undoneAt: Date | null
}

export interface Pair {
  winner: Contact
  loser: Contact
}

/** Throws INVALID when a contact would be merged into itself. */
export function checkPair(winnerId: string, loserId: string): void {
  if (winnerId.toLowerCase() === loserId.toLowerCase()) throw invalid(valueError('loserId', 'it is the winner itself', loserId))
}

/** Locks both until the end of the transaction. Throws NOT_FOUND unless both are live. */
export async function lockPair(context: Context, winnerId: string, loserId: string): Promise<Pair> {
  const [winner, loser] = await locked(context, winnerId, loserId)
  if (!winner || winner.deletedAt !== null) throw await noContact(context, winnerId)
  if (!loser || loser.deletedAt !== null) throw await noContact(context, loserId)
  return { winner, loser }
}

async function locked(context: Context, ...ids: [string, string]): Promise<(Contact | undefined)[]> {
  const found = await context.db.query(lockContactsById, [organizationOf(context), ids.filter(isId)])
  return ids.map(id => found.find(contact => contact.id === id.toLowerCase()))
}

/** Moves notes, tasks and events from one contact to another. Both are locked. `only`: the ids to move, by noun. */
export async function moveWithinContacts(context: Context, fromId: string, toId: string, only?: Moved): Promise<Moved> {
  const notes = await moveNotes(context, fromId, toId, only && (only.notes ?? []))
  const tasks = await moveTasks(context, fromId, toId, only && (only.tasks ?? []))
  const events = await context.db.query(moveEvents, [organizationOf(context), fromId, toId, only ? (only.events ?? []) : null])
  return { notes, tasks, events: events.map(({ id }) => id) }
}

/** Writes the merge of two locked contacts with its event. `moved`: the rows that other domains have already moved. */
export async function writeMerge(context: Context, { winner, loser }: Pair, choices: MergeChoices, moved: Moved): Promise<ContactMerge> {
  const { fields } = mergedFields(winner, loser, choices)
  const changes = differences(winner, fields)
  const now = context.now()
  const id = newId()
  // Written first, because the winner may take the address of the loser.
  const gone = await setDeletedAt(context, loser, now.toISOString())
  const kept = await writeFields(context, winner, fields)
  await context.db.prisma.contactMerge.create({
    data: {
      ...{ id, orgId: winner.orgId, winnerId: winner.id, loserId: loser.id, createdAt: now },
      // `as`: plain JSON, made above.
      ...{ changes: changes as object, moved: moved as object },
      ...createdByColumns(actorOf(context.principal)),
    },
  })
  await recordEvent(context, {
    type: contactEvents.merged,
    entityId: winner.id,
    contactId: winner.id,
    changes: { mergeId: id, loserId: loser.id, fields: changes, moved: countsOf(moved) },
  })
  return { id, winner: kept, loser: gone, moved, ...timesOf({ createdAt: now, undoneAt: null }) }
}

/** A merge that can be undone. Throws NOT_FOUND, and CONFLICT for a merge that is undone already or older than 30 days. */
export async function undoableMerge(context: Context, id: string): Promise<StoredMerge> {
  const orgId = organizationOf(context)
  const found = isId(id) ? await context.db.prisma.contactMerge.findUnique({ where: { id, orgId } }) : null
  if (!found) throw notFound('merge', id)
  if (found.undoneAt !== null) throw new AppError('CONFLICT', 'The merge is undone already')
  if (context.now().getTime() - found.createdAt.getTime() > undoableMs)
    throw new AppError('CONFLICT', 'A merge can be undone for 30 days; this one is older')
  // `as`: `writeMerge` wrote these columns.
  return { ...found, changes: found.changes as unknown as StoredMerge['changes'], moved: found.moved as unknown as Moved }
}

/** Locks both contacts of a merge. Throws CONFLICT unless the winner is live and the loser is unchanged since the merge. */
export async function lockMerged(context: Context, { id, winnerId, loserId }: StoredMerge): Promise<Pair> {
  const [winner, loser] = await locked(context, winnerId, loserId)
  // Checked again under the lock: of two concurrent requests only the first may undo the merge.
  await undoableMerge(context, id)
  if (!winner || !loser || loser.deletedAt === null) throw new AppError('CONFLICT', 'One of the two contacts is gone')
  if (winner.deletedAt === null) return { winner, loser }
  const into = await mergedInto(context, winnerId)
  if (into === null) throw new AppError('CONFLICT', 'The winner is deleted; restore it first')
  throw new AppError('CONFLICT', 'The winner was merged into another contact since; undo that first', { mergedInto: into })
}

/** Restores the loser, with one event. Throws ALREADY_EXISTS if another contact meanwhile has its address, or the winner's former one. */
export async function writeUndo(context: Context, merge: StoredMerge, { winner, loser }: Pair, moved: Moved): Promise<ContactMerge> {
  const fields = unmergedFields(winner, merge.changes)
  const changes = differences(winner, fields)
  if (changes.email && fields.email !== null) await checkFree(context, winner, fields.email)
  const kept = await writeFields(context, winner, fields)
  if (loser.email !== null) await checkFree(context, loser, loser.email)
  const back = await setDeletedAt(context, loser, null)
  const now = context.now()
  await context.db.prisma.contactMerge.update({ where: { id: merge.id, orgId: merge.orgId }, data: { undoneAt: now } })
  await recordEvent(context, {
    type: contactEvents.unmerged,
    entityId: winner.id,
    contactId: winner.id,
    changes: { mergeId: merge.id, loserId: loser.id, fields: changes, moved: countsOf(moved) },
  })
  return { id: merge.id, winner: kept, loser: back, moved, ...timesOf({ createdAt: merge.createdAt, undoneAt: now }) }
}

async function writeFields(context: Context, contact: Contact, fields: ContactFields): Promise<Contact> {
  const values = [contact.orgId, contact.id, context.now().toISOString(), ...updated.of({ ...fields, searchText: searchTextOf(fields) })]
  const [row] = await unlessTaken(context, contact.orgId, fields.email, () => context.db.query(setFields, values))
  return { ...contact, ...fields, ...row }
}

async function setDeletedAt(context: Context, contact: Contact, deletedAt: string | null): Promise<Contact> {
  const values = [contact.orgId, contact.id, context.now().toISOString(), deletedAt]
  const [row] = await unlessTaken(context, contact.orgId, contact.email, () => context.db.query(setDeleted, values))
  return { ...contact, ...row, deletedAt }
}

const countsOf = (moved: Moved) => Object.fromEntries(Object.entries(moved).map(([noun, ids]) => [noun, ids.length]))

const timesOf = ({ createdAt, undoneAt }: Pick<StoredMerge, 'createdAt' | 'undoneAt'>) => ({
  createdAt: createdAt.toISOString(),
  undoableUntil: new Date(createdAt.getTime() + undoableMs).toISOString(),
  undoneAt: undoneAt?.toISOString() ?? null,
})
