// Merging two contacts, with all rows of any domain that refer to them, and undoing it.

import { inOwnTransaction } from '../../kernel/batching/together.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { emailKeysOf } from '../contact/addresses/address.ts'
import { newAddresses } from '../contact/addresses/taken.ts'
import { differences, searchTextOf } from '../contact/apply.ts'
import { companiesNow, formerId } from '../contact/company/former.ts'
import { updated } from '../contact/contact.sql.ts'
import { getContact } from '../contact/contact.ts'
import { type Contact, type ContactFields, contactEvents } from '../contact/row.ts'
import { checkFree, unlessTaken } from '../contact/steps.ts'
import { type MergeChoices, type MergedField, mergeFields, unmergeFields } from './fields.ts'
import { lockContactsById, setDeleted, setFields, undoableMs } from './merge.sql.ts'
import { noContact, winnerOf } from './merged.ts'
import { type Moved, moveRows } from './move.sql.ts'

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

interface Pair {
  winner: Contact
  loser: Contact
}

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
  return { winner, loser, fields: mergeFields(winner, loser, fields ?? {}).merged }
}

/**
 * Merges the loser into the winner: the winner gets the loser's values where it has none, or where `fields` says so, and all rows that
 * refer to the loser. The loser is deleted. Throws NOT_FOUND, with `mergedInto` for a merged contact.
 */
export async function mergeContacts(context: Context, { winnerId, loserId, fields }: MergeInput): Promise<ContactMerge> {
  checkPair(winnerId, loserId)
  // Calls of the loser may be changed at the same moment, several in one transaction.
  return inOwnTransaction(context, async tx => {
    const first = await moveBeforeLocking(tx, loserId, winnerId)
    const pair = await lockPair(tx, winnerId, loserId)
    // Moves rows that were added to the loser since the first move, for example by another merge. Now that the loser is locked, none can
    // follow.
    const second = await moveBeforeLocking(tx, loserId, winnerId)
    const others = await moveRows(tx, [pair.loser.id, pair.winner.id], false)
    return writeMerge(tx, pair, fields ?? {}, { ...combineMoved(first, second), ...others })
  })
}

/**
 * Restores the loser with its values, and returns the moved rows that still belong to the winner. Rows added since stay with the winner,
 * and so do values that somebody has changed since. Throws NOT_FOUND, CONFLICT after 30 days, and ALREADY_EXISTS if an address is taken
 * meanwhile.
 */
export async function undoMerge(context: Context, id: string): Promise<ContactMerge> {
  organizationOf(context)
  return inOwnTransaction(context, async tx => {
    const merge = await undoableMerge(tx, id)
    const { winnerId, loserId, moved } = merge
    const first = await moveBeforeLocking(tx, winnerId, loserId, moved)
    const pair = await lockMerged(tx, merge)
    const others = await moveRows(tx, [winnerId, loserId], false, moved)
    return writeUndo(tx, merge, pair, { ...first, ...others })
  })
}

// Rows that every transaction locks before contacts.
async function moveBeforeLocking(context: Context, fromId: string, toId: string, only?: Moved): Promise<Moved> {
  // Nothing refers to malformed ids. Locking the contacts then throws NOT_FOUND.
  return isId(fromId) && isId(toId) ? moveRows(context, [fromId.toLowerCase(), toId.toLowerCase()], true, only) : {}
}

const combineMoved = (first: Moved, second: Moved): Moved =>
  Object.fromEntries(Object.keys(first).map(noun => [noun, [...(first[noun] ?? []), ...(second[noun] ?? [])]]))

/** Throws INVALID when a contact would be merged into itself. */
function checkPair(winnerId: string, loserId: string): void {
  if (winnerId.toLowerCase() === loserId.toLowerCase()) throw invalid(valueError('loserId', 'it is the winner itself', loserId))
}

/** Locks both until the end of the transaction. Throws NOT_FOUND unless both are live. */
async function lockPair(context: Context, winnerId: string, loserId: string): Promise<Pair> {
  const [winner, loser] = await lockContacts(context, winnerId, loserId)
  if (!winner || winner.deletedAt !== null) throw await noContact(context, winnerId)
  if (!loser || loser.deletedAt !== null) throw await noContact(context, loserId)
  return { winner, loser }
}

async function lockContacts(context: Context, ...ids: [string, string]): Promise<(Contact | undefined)[]> {
  const found = await context.db.query(lockContactsById, [organizationOf(context), ids.filter(isId)])
  return ids.map(id => found.find(contact => contact.id === id.toLowerCase()))
}

/** Writes the merge of two locked contacts with its event. `moved`: the rows that went with them. */
async function writeMerge(context: Context, { winner, loser }: Pair, choices: MergeChoices, moved: Moved): Promise<ContactMerge> {
  const { fields } = mergeFields(winner, loser, choices)
  if (fields.companyId !== winner.companyId) Object.assign(fields, await companyNow(context, loser))
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
async function undoableMerge(context: Context, id: string): Promise<StoredMerge> {
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
async function lockMerged(context: Context, { id, winnerId, loserId }: StoredMerge): Promise<Pair> {
  const [winner, loser] = await lockContacts(context, winnerId, loserId)
  // Checked again under the lock: of two concurrent requests only the first may undo the merge.
  await undoableMerge(context, id)
  if (!winner || !loser || loser.deletedAt === null) throw new AppError('CONFLICT', 'One of the two contacts is gone')
  if (winner.deletedAt === null) return { winner, loser }
  const into = await winnerOf(context, winnerId)
  if (into === null) throw new AppError('CONFLICT', 'The winner is deleted; restore it first')
  throw new AppError('CONFLICT', 'The winner was merged into another contact since; undo that first', { mergedInto: into })
}

/** Restores the loser, with one event. Throws ALREADY_EXISTS if another contact meanwhile has its address, or the winner's former one. */
async function writeUndo(context: Context, merge: StoredMerge, { winner, loser }: Pair, moved: Moved): Promise<ContactMerge> {
  const former = await companiesNow(context, winner.orgId, [formerId(merge.changes) ?? null])
  const fields = unmergeFields(winner, merge.changes, former)
  const changes = differences(winner, fields)
  await checkFree(context, winner, newAddresses(winner, fields))
  const kept = await writeFields(context, winner, fields)
  await checkFree(context, loser, emailKeysOf(loser))
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

/** Name and domain of the contact's company. They may have changed since the contact was read. */
async function companyNow(context: Context, contact: Contact) {
  const { orgId, companyId } = contact
  const company = (await companiesNow(context, orgId, [companyId])).get(companyId ?? '')
  return company ? { companyName: company.name, companyDomain: company.domain } : {}
}

async function writeFields(context: Context, contact: Contact, fields: ContactFields): Promise<Contact> {
  const values = [contact.orgId, contact.id, context.now().toISOString(), ...updated.of({ ...fields, searchText: searchTextOf(fields) })]
  const [row] = await unlessTaken(context, contact, newAddresses(contact, fields), () => context.db.query(setFields, values))
  return { ...contact, ...fields, ...row }
}

async function setDeletedAt(context: Context, contact: Contact, deletedAt: string | null): Promise<Contact> {
  const values = [contact.orgId, contact.id, context.now().toISOString(), deletedAt]
  const [row] = await unlessTaken(context, contact, emailKeysOf(contact), () => context.db.query(setDeleted, values))
  return { ...contact, ...row, deletedAt }
}

const countsOf = (moved: Moved) => Object.fromEntries(Object.entries(moved).map(([noun, ids]) => [noun, ids.length]))

const timesOf = ({ createdAt, undoneAt }: Pick<StoredMerge, 'createdAt' | 'undoneAt'>) => ({
  createdAt: createdAt.toISOString(),
  undoableUntil: new Date(createdAt.getTime() + undoableMs).toISOString(),
  undoneAt: undoneAt?.toISOString() ?? null,
})
