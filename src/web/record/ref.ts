// The record of a note, a task or an inbox item: a contact, a company or a deal.

import { nameOf } from '../contact-record/fields/fields.ts'
import { type Change, idsOf } from '../live/change.ts'

export interface RecordRef {
  noun: 'contact' | 'company' | 'deal'
  id: string
}

interface WithRecord {
  contact: { id: string; fullName: string | null; email: string | null; phone: string | null } | null
  company: { id: string; name: string } | null
  deal: { id: string; title: string } | null
}

/** The record of a row, with its name. */
export function recordOf({ contact, company, deal }: WithRecord): (RecordRef & { name: string }) | null {
  if (contact) return { noun: 'contact', id: contact.id, name: nameOf(contact) }
  if (company) return { noun: 'company', id: company.id, name: company.name }
  return deal && { noun: 'deal', id: deal.id, name: deal.title }
}

/** The field of an input that names the record. */
export const inputOfRecord = ({ noun, id }: RecordRef): { contactId?: string; companyId?: string; dealId?: string } => ({
  [`${noun}Id`]: id,
})

/** The record that the ids of a row name. */
export function recordIn({ contactId, companyId, dealId }: Record<'contactId' | 'companyId' | 'dealId', string | null>): RecordRef | null {
  if (contactId) return { noun: 'contact', id: contactId }
  if (companyId) return { noun: 'company', id: companyId }
  return dealId ? { noun: 'deal', id: dealId } : null
}

/** Whether the timeline of the record shows the change. */
export const concerns = ({ id }: RecordRef, change: Change): boolean => idsOf(change).includes(id)
