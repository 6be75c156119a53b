// Contacts: at most one live contact per email address; every change increments the version and writes an event.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { requireVersion } from '../../kernel/input/version.ts'
import { mergedConflict, noContact, winnerOf } from '../merge/merged.ts'
import { checkContact } from './check.ts'
import { contactAt, contactsById, lockLiveContact } from './contact.sql.ts'
import type { ContactPatch } from './input.ts'
import type { Contact } from './row.ts'
import { comparingAndSetting, contactToWrite, writeChanges, writeDeleted, writeRestored } from './steps.ts'

/** A contact by its id. Throws NOT_FOUND, with `mergedInto` for a merged contact. `evenDeleted`: finds deleted ones, too. */
export async function getContact(context: Context, id: string, { evenDeleted = false } = {}): Promise<Contact> {
  const orgId = organizationOf(context)
  const contact = isId(id) ? await contactAt(context, orgId, id) : undefined
  return contact && evenDeleted ? contact : live(context, contact, id)
}

/** Locks a contact until the end of the transaction. False if there is none or it is deleted. */
export async function lockContact(context: Context, orgId: string, id: string): Promise<boolean> {
  const locked = await context.db.query(lockLiveContact, [orgId, id])
  return locked.length > 0
}

/** Loads contacts by id, deleted ones included, for fields that refer to a contact. */
export const loadContacts: Batch<string, Contact | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(contactsById, [organizationOf(context), ids]), contact => contact.id)

/** Changes the fields in the input; writes nothing if all are equal. Throws PRECONDITION_FAILED unless the version is `ifVersion`. */
export async function updateContact(context: Context, id: string, input: ContactPatch, ifVersion?: number | null): Promise<Contact> {
  const orgId = organizationOf(context)
  const changes = await checkContact(context, orgId, input)
  return comparingAndSetting(context, async inside => {
    const contact = await live(inside, await contactToWrite(inside, orgId, id), id)
    requireVersion('contact', contact, ifVersion)
    return writeChanges(inside, contact, changes)
  })
}

/** Marks a contact as deleted; `restoreContact` brings it back. */
export async function deleteContact(context: Context, id: string, ifVersion?: number | null): Promise<Contact> {
  const orgId = organizationOf(context)
  return comparingAndSetting(context, async inside => {
    const contact = await live(inside, await contactToWrite(inside, orgId, id), id)
    requireVersion('contact', contact, ifVersion)
    return writeDeleted(inside, contact, context.now().toISOString())
  })
}

/** Restores a deleted contact; a live one stays unchanged. Throws ALREADY_EXISTS if another live contact has its address. */
export async function restoreContact(context: Context, id: string): Promise<Contact> {
  const orgId = organizationOf(context)
  return comparingAndSetting(context, async inside => {
    const contact = await contactToWrite(inside, orgId, id)
    if (!contact) throw notFound('contact', id)
    if (contact.deletedAt === null) return contact
    const into = await winnerOf(inside, id)
    if (into !== null) throw mergedConflict(into)
    return writeRestored(inside, contact)
  })
}

async function live(context: Context, contact: Contact | undefined, id: string): Promise<Contact> {
  if (!contact || contact.deletedAt !== null) throw await noContact(context, id)
  return contact
}
