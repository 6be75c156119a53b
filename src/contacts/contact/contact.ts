// Contacts: the people an organization knows. One live contact per address; every change is a new version and leaves an event.

import { type Context, organizationOf } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { type Batch, inOrder } from '../load.ts'
import { contactAt, contactsById } from './contact.sql.ts'
import { checkedContact } from './contact-check.ts'
import type { Changes, ContactInput, ContactPatch } from './contact-input.ts'
import type { Contact } from './contact-row.ts'
import { comparingAndSetting, contactToWrite, insertUnlessTaken, taken, writeChanges, writeDeleted } from './contact-write.ts'
import { isId } from './page.ts'

export type OnConflict = 'update' | 'skip'
export type WriteOutcome = 'created' | 'updated' | 'skipped' | 'failed'
export interface Written {
  contact: Contact
  outcome: WriteOutcome
}

/** A live contact. */
export async function getContact(context: Context, id: string): Promise<Contact> {
  const orgId = organizationOf(context)
  return live(isId(id) ? await contactAt(context, orgId, id) : undefined, id)
}

/** Contacts by id, deleted ones included, for fields that lead to one. */
export const loadContacts: Batch<string, Contact | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(contactsById, [organizationOf(context), ids]), contact => contact.id)

/** Adds a contact. Throws ALREADY_EXISTS with `existingId` where a live one has the address. */
export async function createContact(context: Context, input: ContactInput): Promise<Contact> {
  const orgId = organizationOf(context)
  const changes = await checkedContact(context, orgId, input)
  const { contact, isNew } = await comparingAndSetting(context, inside => insertUnlessTaken(inside, orgId, changes, false))
  if (!isNew) throw taken(contact)
  return contact
}

/** Adds the contact, or changes the live one that has its address. A deleted one stays deleted. */
export async function upsertContact(context: Context, input: ContactInput, onConflict: OnConflict = 'update'): Promise<Written> {
  const orgId = organizationOf(context)
  const missing = (input.email ?? null) === null ? [{ path: ['email'], type: 'missing', message: 'Field required', input }] : []
  return writeUpsert(context, orgId, await checkedContact(context, orgId, input, missing), onConflict)
}

/** The same for changes that are checked already: rows of a batch. */
export function writeUpsert(context: Context, orgId: string, changes: Changes, onConflict: OnConflict): Promise<Written> {
  return comparingAndSetting(context, async inside => {
    const found = await insertUnlessTaken(inside, orgId, changes, onConflict === 'update')
    if (!found) return null
    const { contact, isNew } = found
    if (isNew) return { contact, outcome: 'created' as const }
    if (onConflict === 'skip') return { contact, outcome: 'skipped' as const }
    // The address stays as it was written first.
    const updated = await writeChanges(inside, contact, { ...changes, fields: { ...changes.fields, email: contact.email } })
    return updated && { contact: updated, outcome: 'updated' as const }
  })
}

/** Changes what the input names. Nothing to change writes nothing. Throws PRECONDITION_FAILED for another version than `ifVersion`. */
export async function updateContact(context: Context, id: string, input: ContactPatch, ifVersion?: number | null): Promise<Contact> {
  const orgId = organizationOf(context)
  const changes = await checkedContact(context, orgId, input)
  return comparingAndSetting(context, async inside => {
    const contact = live(await contactToWrite(inside, orgId, id), id)
    checkVersion(contact, ifVersion)
    return writeChanges(inside, contact, changes)
  })
}

/** Marks a contact as deleted; `restoreContact` brings it back. */
export async function deleteContact(context: Context, id: string, ifVersion?: number | null): Promise<Contact> {
  const orgId = organizationOf(context)
  return comparingAndSetting(context, async inside => {
    const contact = live(await contactToWrite(inside, orgId, id), id)
    checkVersion(contact, ifVersion)
    return writeDeleted(inside, contact, context.now().toISOString())
  })
}

/** Brings a deleted contact back; a live one stays as it is. Throws ALREADY_EXISTS where another has its address by now. */
export async function restoreContact(context: Context, id: string): Promise<Contact> {
  const orgId = organizationOf(context)
  return comparingAndSetting(context, async inside => {
    const contact = await contactToWrite(inside, orgId, id)
    if (!contact) throw notFound('contact', id)
    return contact.deletedAt === null ? contact : writeDeleted(inside, contact, null)
  })
}

function live(contact: Contact | undefined, id: string): Contact {
  if (!contact || contact.deletedAt !== null) throw notFound('contact', id)
  return contact
}

function checkVersion(contact: Contact, ifVersion: number | null | undefined): void {
  if (ifVersion !== null && ifVersion !== undefined && ifVersion !== contact.version)
    throw new AppError('PRECONDITION_FAILED', `The contact has version ${contact.version}, not ${ifVersion}`, { version: contact.version })
}
