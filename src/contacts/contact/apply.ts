// Applies changes to a contact's fields, and computes the differences for the event. Pure.

import { domainToUnicode } from 'node:url'
import { customAfter, differencesOf, tagsAfter } from '../records/apply.ts'
import { searchText } from '../records/search-text.ts'
import type { ContactSource } from '../records/source.ts'
import { addressDifferences, addressesAfter, furtherOf } from './addresses/address.ts'
import { type Changes, emptyContact } from './input.ts'
import { type ContactFields, contactFields } from './row.ts'

/** The fields of a new contact. */
export const startingFrom = (source: ContactSource, changes: Changes): ContactFields => apply({ ...emptyContact, source }, changes)

/** The fields after the changes. Throws INVALID if there are too many tags. */
export function apply(before: ContactFields, changes: Changes): ContactFields {
  const { fields } = changes
  const after: ContactFields = { ...before, ...fields, ...addressesAfter(before, changes) }
  after.fullName = fullNameOf(before, after, fields.fullName)
  after.tags = tagsAfter(after.tags, changes)
  after.custom = customAfter(before.custom, changes)
  return after
}

/** `{ field: [before, after] }` for every field that differs; each property of `custom` counts as a field. */
export const differences = (before: ContactFields, after: ContactFields): Record<string, [unknown, unknown]> => ({
  ...differencesOf(contactFields, before, after),
  ...addressDifferences(before, after),
})

/** The text that the filter `q` searches: names, addresses, numbers and company, a number without a country as its digits. */
export function searchTextOf(contact: ContactFields): string {
  const { fullName, firstName, lastName, email, phone, companyName } = contact
  const names = [fullName, firstName, lastName]
  const first = [...names, email, unicodeDomain(email), digitsOf(phone), companyName].filter((part, index, all) =>
    isNew(part, index, all[0]),
  )
  const addresses = furtherOf(contact, 'emails').flatMap(one => [one, unicodeDomain(one)])
  return searchText(
    [...first, ...addresses, ...furtherOf(contact, 'phones').map(digitsOf)].filter(part => part !== null),
    [...names, companyName],
  )
}

const digitsOf = (phone: string | null) => (phone !== null && !phone.startsWith('+') ? phone.replace(/\D/g, '') || phone : phone)

// The domain of an address as people read and type it.
const unicodeDomain = (email: string | null) => (email?.includes('xn--') ? email.replace(/(?<=@).+/, domainToUnicode) : null)

// The full name usually contains first and last name, which are then not repeated.
const isNew = (part: string | null, index: number, fullName: string | null | undefined) =>
  part !== null && !((index === 1 || index === 2) && fullName?.includes(part))

const fullName = ({ firstName, lastName }: ContactFields) => [firstName, lastName].filter(name => name !== null).join(' ') || null

// A derived full name follows first and last name; one set by a caller stays until it is cleared.
function fullNameOf(before: ContactFields, after: ContactFields, given: string | null | undefined): string | null {
  if (given) return given
  return given === null || before.fullName === fullName(before) ? fullName(after) : before.fullName
}
