// Why two contacts may be the same person, and how certain that is. Pure.

import { searchable } from '../../kernel/search/fold.ts'
import { phoneKey } from '../../kernel/search/numbers.ts'
import { addressesOf, emailKeysOf } from '../contact/addresses/address.ts'
import type { Contact } from '../contact/row.ts'
import type { Certainties, DuplicateReason } from './pair.ts'

export function likenessOfContacts(one: Contact, other: Contact): Certainties {
  const sure: Partial<Record<DuplicateReason, number>> = {}
  if (mailboxesOf(one).some(mailbox => mailboxesOf(other).includes(mailbox))) sure.email = 0.95
  if (numbersOf(one).some(number => numbersOf(other).some(another => isSameNumber(number, another)))) sure.phone = 0.85
  const likeness = similarity(one.fullName ?? '', other.fullName ?? '')
  const isSameCompany = isSame(plain(one.companyName), plain(other.companyName)) || isSame(one.companyDomain, other.companyDomain)
  if (likeness === 1 && isSameCompany) sure.name_and_company = 0.8
  // Half of the trigrams are equal: about one letter in ten may differ.
  else if (likeness >= 0.5) sure.similar_name = likeness * (isSameCompany ? 0.7 : 0.4)
  return sure
}

export const mailboxesOf = (contact: Contact): string[] => emailKeysOf(contact).flatMap(address => mailboxOf(address) ?? [])
export const numbersOf = (contact: Contact): string[] => addressesOf(contact, 'phones').map(({ value }) => value)

/** The mailbox of an address, as the database function `mailbox_of` computes it. */
export function mailboxOf(email: string | null): string | null {
  if (email === null) return null
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const name = local.split('+')[0] ?? ''
  return domain === 'gmail.com' || domain === 'googlemail.com' ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** Whether two numbers are the same, however they are written; a number without its country may be any with its digits. */
function isSameNumber(one: string, other: string): boolean {
  if (one.startsWith('+') && other.startsWith('+')) return one === other
  return isSame(phoneKey(one), phoneKey(other))
}

const isSame = (one: string | null, other: string | null) => one !== null && one !== '' && one === other
const plain = (text: string | null) => (text === null ? null : searchable(text).trim())

/** The share of common trigrams, computed like pg_trgm: 1 for the same words in any order. */
export function similarity(one: string, other: string): number {
  const [first, second] = [trigrams(one), trigrams(other)]
  const common = [...first].filter(trigram => second.has(trigram)).length
  return common === 0 ? 0 : common / (first.size + second.size - common)
}

function trigrams(text: string): Set<string> {
  const words = searchable(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.flatMap(word => Array.from({ length: word.length + 1 }, (_, index) => `  ${word} `.slice(index, index + 3))))
}
