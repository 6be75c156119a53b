// Notes: free text in a contact's timeline.

import { type Context, inTransaction } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { getContact } from '../contact/contact.ts'
import type { Contact } from '../contact/row.ts'

const maxNote = 10_000

/** Adds a note to the contact's timeline, as the event `contact.noted`. Throws NOT_FOUND for an unknown contact. */
export async function logNote(context: Context, { contactId, text }: { contactId: string; text: string }): Promise<Contact> {
  const problem = (type: string, message: string) => invalid({ path: ['text'], type, message, input: text })
  if (text.trim() === '') throw problem('string_too_short', 'String should have at least 1 character')
  if (text.length > maxNote) throw problem('string_too_long', `String should have at most ${maxNote} characters`)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const contact = await getContact(tx, contactId)
    await recordEvent(tx, { type: 'contact.noted', entityId: contact.id, contactId: contact.id, changes: { text } })
    return contact
  })
}
