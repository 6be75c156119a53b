// Duplicates of contacts.

import { searchable } from '../../kernel/search/fold.ts'
import { getContact, loadContacts } from '../contact/contact.ts'
import { type Contact, contactEvents } from '../contact/row.ts'
import { likenessOfContacts, mailboxesOf, numbersOf } from './contact-likeness.ts'
import { contactSections, selectCandidates } from './contacts.sql.ts'
import { duplicatesIn } from './duplicates.ts'

export const contactDuplicates = duplicatesIn<Contact>({
  noun: 'contact',
  list: 'duplicates',
  event: contactEvents.duplicate_dismissed,
  get: getContact,
  load: loadContacts,
  sections: contactSections,
  async candidatesOf(context, contact) {
    const { orgId, id, fullName, companyName } = contact
    const values = [orgId, id, mailboxesOf(contact), numbersOf(contact), fullName, companyName, fullName && searchable(fullName)]
    return (await context.db.query(selectCandidates, values)).map(candidate => candidate.id)
  },
  compare: (_context, pairs) => Promise.resolve(pairs.map(([one, other]) => likenessOfContacts(one, other))),
  timeline: ({ id }) => ({ contactId: id }),
})
