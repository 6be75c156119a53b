// The contacts that rows of a file become.

import { apply, differences } from '../../contact/apply.ts'
import { companyWords } from '../../contact/company/of-contact.ts'
import { companyIn, type Wanted } from '../../contact/company/wanted.ts'
import type { Changes, ContactPatch } from '../../contact/input.ts'
import type { Contact } from '../../contact/row.ts'
import type { LinkedRow } from './links.ts'

/** With the company that the row names by its id. Then its name in the file does not look for another one. */
export function contactInput({ input, linked }: Pick<LinkedRow, 'input' | 'linked'>): ContactPatch {
  const [companyId] = linked.links.company
  if (companyId === undefined) return input
  const { companyName: _, companyDomain: __, ...rest } = input
  return { ...rest, companyId }
}

/**
 * Whether the row would change the contact. `isByAddress`: it was found by its address, whose stored spelling stays. Looks for no company: one
 * of another spelling counts as the same. Throws INVALID.
 */
export function changesContact(contact: Contact, changes: Changes, isByAddress: boolean): boolean {
  const { fields, wanted } = companyIn(changes.fields, contact)
  if (wanted !== null && !isItsCompany(contact, wanted)) return true
  const keepsEmail = isByAddress || fields.email?.toLowerCase() === contact.email?.toLowerCase()
  const keepsId = !isByAddress && contact.externalId !== null
  const after = apply(contact, {
    ...changes,
    fields: { ...fields, ...(keepsEmail && { email: contact.email }), ...(keepsId && { externalId: contact.externalId }) },
  })
  return Object.keys(differences(contact, after)).length > 0
}

function isItsCompany(contact: Contact, wanted: Wanted): boolean {
  const { companyId, companyName, companyDomain } = companyWords(contact)
  if ('id' in wanted) return wanted.id.toLowerCase() === companyId
  const isName = wanted.name === null || wanted.name.toLowerCase() === companyName?.toLowerCase()
  return companyId !== null && isName && (wanted.domain === null || wanted.domain === companyDomain)
}
