// Changes of contacts as they happen, read from the outbox.

import { type Context, organizationOf } from '../context.ts'
import { load } from '../load.ts'
import type { OutboxEvent } from '../outbox.ts'
import { getContact, loadContacts } from './contact.ts'
import type { Contact } from './contact-row.ts'

/** A change that was committed: what happened to which contact. */
export interface ContactChange {
  /** `contact.created`, `contact.updated`, ... */
  type: string
  contactId: string
  changes: Record<string, unknown>
  createdAt: string
}

/**
 * Every change of the organization's contacts, or of one, from now on. Throws NOT_FOUND for a contact that is not there, and ends when
 * whoever asked is gone.
 */
export async function followContacts(context: Context, contactId?: string | null): Promise<AsyncIterableIterator<ContactChange>> {
  const one = contactId == null ? undefined : (await getContact(context, contactId)).id
  return changesOf(await context.services.outbox.follow(organizationOf(context), context.signal), one)
}

/** The contact as it is now, deleted or not; null when there is no such row. */
export const contactOf = (context: Context, { contactId }: ContactChange): Promise<Contact | null> => load(context, loadContacts, contactId)

// Hands every call through, so that a reader who stops reading is heard at once, even while nothing happens.
function changesOf(events: AsyncIterableIterator<OutboxEvent>, one: string | undefined): AsyncIterableIterator<ContactChange> {
  return {
    async next() {
      for (;;) {
        const { done, value } = await events.next()
        if (done) return { done, value: undefined }
        const { type, entity, contactId, changes, createdAt } = value
        if (entity === 'contact' && contactId !== null && (one === undefined || contactId === one))
          return { done: false, value: { type, contactId, changes, createdAt } }
      }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
