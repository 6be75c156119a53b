// Dismissing a pair of contacts that are not the same person.

import { type Context, inTransaction } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { getContact } from '../contact/contact.ts'
import { type Contact, contactEvents } from '../contact/row.ts'

/** Stores that two contacts are not the same person. Dismissing a pair again changes nothing. Throws NOT_FOUND. */
export async function dismissDuplicate(context: Context, { contactId, otherId }: { contactId: string; otherId: string }): Promise<Contact> {
  if (contactId.toLowerCase() === otherId.toLowerCase()) throw invalid(valueError('otherId', 'it is the contact itself', otherId))
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [contact, other] = [await getContact(tx, contactId), await getContact(tx, otherId)]
    const [firstId = '', secondId = ''] = [contact.id, other.id].toSorted()
    const by = createdByColumns(actorOf(context.principal))
    const data = { orgId: contact.orgId, firstId, secondId, createdAt: context.now(), ...by }
    const { count } = await db.prisma.contactDuplicateDismissal.createMany({ data, skipDuplicates: true })
    if (count > 0)
      await recordEvent(tx, {
        type: contactEvents.duplicate_dismissed,
        entityId: contact.id,
        contactId: contact.id,
        changes: { otherId: other.id },
      })
    return contact
  })
}
