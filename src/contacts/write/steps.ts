// The steps that writing contacts is made of: each one statement with its event, repeated where somebody else was quicker.

import { v7 as uuid } from 'uuid'
import { type Context, inTransaction } from '../context.ts'
import { sqlState } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { eventValues } from '../events.ts'
import { actorOf } from '../identity/principal.ts'
import {
  contactAt,
  fieldValues,
  liveContactByEmail,
  lockContactByEmail,
  lockContactById,
  setContactDeleted,
  updateContactRow,
} from './contact.sql.ts'
import { apply, differences, searchTextOf, startingFrom } from './contact-change.ts'
import type { Changes } from './contact-input.ts'
import { insertNew } from './contact-insert.ts'
import type { Contact, ContactSource } from './contact-row.ts'
import { isId } from './page.ts'

// Whoever comes second waits for the first, so that only contacts that come and go while they are looked at take a third attempt.
const mostAttempts = 10

/**
 * Runs an attempt to compare and set. One that resolves with null has found something else than it read; it is repeated in a
 * transaction, where reading for a write waits for other writers.
 */
export async function comparingAndSetting<Result>(
  context: Context,
  attempt: (context: Context) => Promise<Result | null>,
): Promise<Result> {
  const first = await attempt(context)
  if (first !== null) return first
  return context.db.transaction(async tx => {
    for (let attempts = 1; attempts < mostAttempts; attempts++) {
      const result = await attempt(inTransaction(context, tx))
      if (result !== null) return result
    }
    throw new AppError('CONFLICT', 'The contact is being changed by others; try again', { retryAfter: 1 })
  })
}

/** A contact, deleted or not, that is about to be written. */
export async function contactToWrite(context: Context, orgId: string, id: string): Promise<Contact | undefined> {
  if (!isId(id)) return undefined
  const { db } = context
  return db.inTransaction ? (await db.query(lockContactById, [orgId, id]))[0] : contactAt(context, orgId, id)
}

/** What a new contact is made of; its source follows from who makes it, where the input does not say. */
export function newContact(context: Context, orgId: string, changes: Changes): Contact {
  const now = context.now().toISOString()
  const createdBy = actorOf(context.principal)
  return {
    ...startingFrom(sourceOf(context), changes),
    id: uuid(),
    orgId,
    createdBy,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    version: 1,
  }
}

/**
 * Adds the contact, or resolves with the live one that has its address, which is about to be written if it `mayChange`: null where
 * that one has gone by now.
 */
export async function insertUnlessTaken(
  context: Context,
  orgId: string,
  changes: Changes,
  mayChange: boolean,
): Promise<{ contact: Contact; isNew: boolean } | null> {
  const { db } = context
  const contact = newContact(context, orgId, changes)
  const event = { type: 'contact.created', entityId: contact.id, contactId: contact.id, orgId }
  const isNew = await insertNew(context, { contact, searchText: searchTextOf(contact), event: eventValues(context, event) })
  if (isNew) {
    await context.db.afterCommit(context.services.outbox.announce)
    return { contact, isNew }
  }
  const [existing] = await db.query(db.inTransaction && mayChange ? lockContactByEmail : liveContactByEmail, [orgId, contact.email])
  return existing ? { contact: existing, isNew } : null
}

/** Writes what the changes make of the contact: null where it has another version by now. */
export async function writeChanges(context: Context, contact: Contact, changes: Changes): Promise<Contact | null> {
  const fields = apply(contact, changes)
  const changed = differences(contact, fields)
  if (Object.keys(changed).length === 0) return contact
  const { email } = fields
  if (changed.email && email !== null) await checkFree(context, contact, email)
  const event = { type: 'contact.updated', entityId: contact.id, contactId: contact.id, changes: changed }
  const values = [contact.id, contact.orgId, contact.version, context.now().toISOString(), searchTextOf(fields), ...fieldValues(fields)]
  const [row] = await unlessTaken(context, contact.orgId, email, () =>
    context.db.query(updateContactRow, [...values, ...eventValues(context, event)]),
  )
  if (!row) return null
  await context.db.afterCommit(context.services.outbox.announce)
  return { ...contact, ...fields, ...row }
}

/** Deletes or restores: null where the contact has another version by now. */
export async function writeDeleted(context: Context, contact: Contact, deletedAt: string | null): Promise<Contact | null> {
  if (deletedAt === null && contact.email !== null) await checkFree(context, contact, contact.email)
  const event = { type: deletedAt === null ? 'contact.restored' : 'contact.deleted', entityId: contact.id, contactId: contact.id }
  const values = [contact.id, contact.orgId, contact.version, context.now().toISOString(), deletedAt, ...eventValues(context, event)]
  const [row] = await unlessTaken(context, contact.orgId, contact.email, () => context.db.query(setContactDeleted, values))
  if (!row) return null
  await context.db.afterCommit(context.services.outbox.announce)
  return { ...contact, ...row, deletedAt }
}

export function taken(existing: Contact | undefined, cause?: unknown): AppError {
  const existingId = existing?.id ?? null
  return new AppError('ALREADY_EXISTS', 'A contact with this email exists already', { field: 'email', existingId, cause })
}

// Asked before, because a transaction does not survive the refusal of the index. Another spelling finds the contact itself.
async function checkFree(context: Context, { id, orgId }: Contact, email: string): Promise<void> {
  const [existing] = await context.db.query(liveContactByEmail, [orgId, email])
  if (existing && existing.id !== id) throw taken(existing)
}

/** Turns the loss of a race for an address into ALREADY_EXISTS. */
async function unlessTaken<Result>(context: Context, orgId: string, email: string | null, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    // An open transaction is lost with the statement, so who has the address is asked outside of it.
    const [existing] = await context.services.database.query(liveContactByEmail, [orgId, email])
    throw taken(existing, error)
  }
}

function sourceOf({ principal, door }: Context): ContactSource {
  if (door === 'hooks') return 'hook'
  if (door === 'tools') return 'agent'
  if (principal.kind === 'session') return 'web'
  return principal.kind === 'system' ? 'system' : 'api'
}
