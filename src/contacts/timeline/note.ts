// Notes: what somebody wants remembered about a contact. They stand in its timeline.

import { type Context, inTransaction } from '../context.ts'
import { invalid } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { getContact } from './contact.ts'
import type { Contact } from './contact-row.ts'

const longestNote = 10_000

/** Puts a note into the contact's timeline, as the event `contact.noted`. Throws NOT_FOUND for a contact that is not there. */
export async function logNote(context: Context, { contactId, text }: { contactId: string; text: string }): Promise<Contact> {
  const problem = (type: string, message: string) => invalid({ path: ['text'], type, message, input: text })
  if (text.trim() === '') throw problem('string_too_short', 'String should have at least 1 character')
  if (text.length > longestNote) throw problem('string_too_long', `String should have at most ${longestNote} characters`)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const contact = await getContact(tx, contactId)
    await recordEvent(tx, { type: 'contact.noted', entityId: contact.id, contactId: contact.id, changes: { text } })
    return contact
  })
}
