// The steps of the rules that write contacts. A step writes the row and its event by one statement. The rule repeats it when another write
// came first.

import { sqlState } from '../../database/errors.ts'
import type { Queries } from '../../database/queries.ts'
import { inOwnTransaction } from '../../kernel/batching/together.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, eventRow, eventValues, type NewEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { actorOf } from '../../kernel/principal.ts'
import { sourceOf } from '../records/source.ts'
import { remindOfRestored } from '../tasks/reminder-queue.ts'
import { emailKeysOf } from './addresses/address.ts'
import { newAddresses, otherHolder } from './addresses/taken.ts'
import { apply, differences, searchTextOf, startingFrom } from './apply.ts'
import { linkChanges, meansCompany } from './company/of-contact.ts'
import { contactAt, lockContactById, setContactDeleted, setLastContacted, updateContactRow, updated } from './contact.sql.ts'
import type { Changes } from './input.ts'
import { type Contact, contactEvents } from './row.ts'

// In the transaction the row is locked, so a third attempt is needed only if the contact is created or deleted between two statements.
const maxAttempts = 10

/**
 * Runs a compare-and-set attempt. Null means that the contact changed after it was read; the attempt is then repeated in a transaction,
 * which locks the row as it reads it.
 */
export async function comparingAndSetting<Result>(
  context: Context,
  attempt: (context: Context) => Promise<Result | null>,
): Promise<Result> {
  const first = await attempt(context)
  if (first !== null) return first
  for (let attempts = 1; attempts < maxAttempts; attempts++) {
    // A transaction per attempt: a row whose address has moved to another contact stays locked until the transaction ends, and must not be
    // locked while the attempt waits for the other contact.
    const result = await context.db.transaction(tx => attempt(inTransaction(context, tx)))
    if (result !== null) return result
  }
  throw new AppError('CONFLICT', 'The contact is being changed by others; try again', { retryAfter: 1 })
}

/** Reads a contact, deleted or not, before a write. Inside a transaction its row is locked. */
export async function contactToWrite(context: Context, orgId: string, id: string): Promise<Contact | undefined> {
  if (!isId(id)) return undefined
  const { db } = context
  return db.inTransaction ? (await db.query(lockContactById, [orgId, id]))[0] : contactAt(context, orgId, id)
}

/** The row of a new contact. Without a source in the input, the caller determines it. */
export function newContact(context: Context, orgId: string, changes: Changes): Contact {
  const now = context.now().toISOString()
  const createdBy = actorOf(context.principal)
  return {
    ...startingFrom(sourceOf(context), changes),
    id: newId(),
    orgId,
    createdBy,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    version: 1,
  }
}

/** Applies the changes and writes the contact. Null if its version has changed. */
export async function writeChanges(context: Context, contact: Contact, given: Changes): Promise<Contact | null> {
  // The company keeps its name until the contact has it.
  if (!context.db.inTransaction && meansCompany({ contact, changes: given }))
    return inOwnTransaction(context, tx => writeChanges(tx, contact, given))
  const [changes = given] = await linkChanges(context, [{ contact, changes: given }])
  const fields = apply(contact, changes)
  const changed = differences(contact, fields)
  if (Object.keys(changed).length === 0) return contact
  const addresses = newAddresses(contact, fields)
  await checkFree(context, contact, addresses)
  const event: NewEvent = { type: contactEvents.updated, entityId: contact.id, contactId: contact.id, changes: changed }
  const cells = updated.of({ ...fields, searchText: searchTextOf(fields) })
  const values = [contact.id, contact.orgId, contact.version, context.now().toISOString(), ...cells]
  const [row] = await unlessTaken(context, contact, addresses, () =>
    context.db.query(updateContactRow, [...values, ...eventValues(context, event)]),
  )
  if (!row) return null
  await announce(context)
  return { ...contact, ...fields, ...row }
}

/** Restores the contact, and queues the reminders that came meanwhile. Null if its version has changed. */
export async function writeRestored(context: Context, contact: Contact): Promise<Contact | null> {
  const write = async (inside: Context) => {
    const restored = await writeDeleted(inside, contact, null)
    if (restored) await remindOfRestored(inside, 'contact', contact.orgId, [contact.id])
    return restored
  }
  return context.db.inTransaction ? write(context) : context.db.transaction(tx => write(inTransaction(context, tx)))
}

/** Deletes or, with null, restores the contact. Null if its version has changed. */
export async function writeDeleted(context: Context, contact: Contact, deletedAt: string | null): Promise<Contact | null> {
  const addresses = deletedAt === null ? emailKeysOf(contact) : []
  await checkFree(context, contact, addresses)
  const event: NewEvent = {
    type: deletedAt === null ? contactEvents.restored : contactEvents.deleted,
    entityId: contact.id,
    contactId: contact.id,
  }
  const values = [contact.id, contact.orgId, contact.version, context.now().toISOString(), deletedAt, ...eventValues(context, event)]
  const [row] = await unlessTaken(context, contact, addresses, () => context.db.query(setContactDeleted, values))
  if (!row) return null
  await announce(context)
  return { ...contact, ...row, deletedAt }
}

/** Sets the times of the last conversations with live contacts of an organization. A time before the stored one changes nothing. */
export async function contactsReached(
  db: Queries,
  orgId: string,
  reached: readonly { context: Context; id: string; at: string }[],
): Promise<void> {
  // Of several conversations with a contact, the latest counts.
  const latest = [...new Map(reached.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).map(one => [one.id, one])).values()]
  const [first] = latest
  if (!first) return
  const events = latest.map(({ context, id }) =>
    eventRecord(eventRow(context, { type: contactEvents.updated, entityId: id, contactId: id, orgId })),
  )
  const contacts = latest.map(({ id, at }) => ({ id, at }))
  const now = first.context.now().toISOString()
  const changed = await db.query(setLastContacted, [orgId, storedJson(contacts), now, storedJson(events)])
  if (changed.length > 0) await announce({ db, services: first.context.services })
}

export function takenError(existingId: string | null = null, cause?: unknown): AppError {
  return new AppError('ALREADY_EXISTS', 'A contact with this email exists already', { field: 'email', existingId, cause })
}

/** Throws ALREADY_EXISTS if another live contact has one of the addresses. Asked before a write, because a violation aborts the transaction. */
export async function checkFree(
  context: Context,
  { id, orgId }: Pick<Contact, 'id' | 'orgId'>,
  addresses: readonly string[],
): Promise<void> {
  const other = await otherHolder(context.db, orgId, id, addresses)
  if (other !== undefined) throw takenError(other)
}

/** Translates a unique violation of the address into ALREADY_EXISTS. */
export async function unlessTaken<Result>(
  context: Context,
  { id, orgId }: Pick<Contact, 'id' | 'orgId'>,
  addresses: readonly string[],
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    // The violation has aborted the open transaction, so the existing contact is read outside it.
    throw takenError(await otherHolder(context.services.database, orgId, id, addresses), error)
  }
}
