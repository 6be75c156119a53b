// Exports of contacts.

import type { FileKind } from '../../kernel/downloads.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import { addressesOf, addressKinds } from '../contact/addresses/address.ts'
import { type ContactFilter, conditionsOf } from '../contact/list/filter.ts'
import type { ContactSort } from '../contact/list/list.sql.ts'
import { countContacts, everyContact } from '../contact/list/list.ts'
import { type Contact, contactFields } from '../contact/row.ts'
import { type Exported, exporterOf, mayStillRead } from './exporter.ts'

const events = eventsOf('contact_export', {
  created: 'A link to an export of contacts, or to the refused rows of an import, was made.',
  downloaded: 'Such a link was used.',
})

const ownFields = ['id', 'createdAt', 'updatedAt', 'deletedAt', 'version'] as const

/** Contacts as files have them: with all addresses, the primary one first. */
const exportedContacts: Exported<ContactFilter, ContactSort> = {
  noun: 'contact',
  events,
  fields: ['id', ...contactFields.filter(field => field !== 'custom'), ...addressKinds, ...ownFields.slice(1)],
  check: conditionsOf,
  count: countContacts,
  async *every(context, listed) {
    for await (const contacts of everyContact(context, listed)) yield contacts.map(withAddresses)
  },
}

const withAddresses = (contact: Contact) => ({
  ...contact,
  ...Object.fromEntries(addressKinds.map(kind => [kind, addressesOf(contact, kind).map(({ value }) => value)])),
})

export const createContactExport = exporterOf(exportedContacts, 'created_at_desc')

/** The principal who must still be allowed to read the contacts of a file, and the events of its link. */
export const ofContacts = { ...events, mayStillRead } satisfies Partial<FileKind>
