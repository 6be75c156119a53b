// Changes of contacts, read from the outbox.

import type { Context } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { followOutbox, type Positioned } from '../../kernel/events/follow.ts'
import { getContact, loadContacts } from './contact.ts'
import type { Contact } from './row.ts'

/** A committed event of a contact. */
export interface ContactChange {
  id: string
  /** `contact.created`, `contact.updated`, ... */
  type: string
  contactId: string
  changes: Record<string, unknown>
  createdAt: string
}

/**
 * The changes of the organization's contacts, or of one, from now on or behind `after`. Ends when the request is aborted. Throws NOT_FOUND
 * for an unknown contact.
 */
export async function followContacts(
  context: Context,
  { contactId, after }: { contactId?: string | null; after?: string | null },
): Promise<AsyncIterableIterator<Positioned<ContactChange>>> {
  const one = contactId == null ? undefined : (await getContact(context, contactId)).id
  return followOutbox(context, { entities: ['contact'], after }, ({ id, type, contactId, changes, createdAt }) =>
    contactId !== null && (one === undefined || contactId === one) ? [{ id, type, contactId, changes, createdAt }] : [],
  )
}

/** The contact's current row, even if deleted; null if there is none. */
export const contactOf = (context: Context, { contactId }: ContactChange): Promise<Contact | null> => load(context, loadContacts, contactId)
