// The email addresses and telephone numbers of a contact. `email` and `phone` are the primary ones; `emails` and `phones` have all of them.
// Pure.

import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../../kernel/errors.ts'
import { enumeration, type ValueOf } from '../../../kernel/fields/enumeration.ts'
import { tooLong } from '../../../kernel/input/fields.ts'
import { at } from '../../../kernel/input/problem.ts'
import { isCallable } from '../phone.ts'

export const addressVerifications = enumeration('AddressVerification', 'How far an address or a number was checked.', {
  verified: 'It was found to be right.',
  probable: 'Its source is one that should know.',
  catch_all: 'The mail server takes anything, so the mailbox may or may not exist.',
  unverified: 'It was not checked, or could not be.',
  invalid: 'It was found to be wrong.',
  bounced: 'Mail to it came back.',
})
type AddressVerification = ValueOf<typeof addressVerifications>

/** An address or a number. */
export interface Address {
  value: string
  label: string | null
  verification: AddressVerification
}

/** An address to write. An absent label or verification stays as it is. */
export interface GivenAddress extends Pick<Address, 'value'>, Partial<Omit<Address, 'value'>> {
  isPrimary?: boolean
}

/** The columns. A list has all addresses, the primary one first; it is empty where there is none but that one, without label and verification. */
export interface Addressed {
  email: string | null
  emails: readonly Address[]
  phone: string | null
  phones: readonly Address[]
}

export const addressKinds = ['emails', 'phones'] as const
export type AddressKind = (typeof addressKinds)[number]
export const primaryOf = { emails: 'email', phones: 'phone' } as const
export const addingTo = { emails: 'addEmails', phones: 'addPhones' } as const
export const removingFrom = { emails: 'removeEmails', phones: 'removePhones' } as const

/** The most addresses, and the most numbers, of a contact. */
export const maxAddresses = 20

/** The form in which the addresses of a contact are compared. */
export const keyOf: Readonly<Record<AddressKind, (value: string) => string>> = {
  emails: value => value.toLowerCase(),
  phones: value => (isCallable(value) ? value : value.replace(/\D/g, '')),
}

const plain = (value: string): Address => ({ value, label: null, verification: 'unverified' })

/** All of a contact, the primary one first. */
export const addressesOf = (contact: Addressed, kind: AddressKind): Address[] => addressesIn(kind, contact[primaryOf[kind]], contact[kind])

/** All in the two columns of a kind, the primary one first. */
export function addressesIn(kind: AddressKind, primary: string | null, list: readonly Address[]): Address[] {
  const [first, ...rest] = list
  if (!first) return primary === null ? [] : [plain(primary)]
  // A release from before writes the primary one alone.
  const further = rest.filter(({ value }) => primary === null || !isSame(kind, value, primary))
  if (primary === null) return further
  return [isSame(kind, first.value, primary) ? { ...first, value: primary } : plain(primary), ...further]
}

/** The addresses in the form in which they are unique among live contacts. */
export const emailKeysOf = (contact: Addressed): string[] =>
  contact.emails.length === 0
    ? contact.email === null
      ? []
      : [contact.email.toLowerCase()]
    : addressesOf(contact, 'emails').map(({ value }) => value.toLowerCase())

export interface AddressChanges {
  /** The primary ones. */
  fields: { email?: string | null; phone?: string | null }
  emails?: ListChanges
  phones?: ListChanges
}

/** The changes of a list. */
export interface ListChanges {
  /** All of it, the primary one first. */
  all?: readonly GivenAddress[]
  add: readonly GivenAddress[]
  remove: readonly string[]
}

/** The columns that the changes set. Throws INVALID if there are too many. */
export const addressesAfter = (before: Addressed, { fields, emails, phones }: AddressChanges): Partial<Addressed> => ({
  ...after('emails', before, emails, fields.email),
  ...after('phones', before, phones, fields.phone),
})

function after(kind: AddressKind, before: Addressed, changes: ListChanges | undefined, primary: string | null | undefined) {
  if (!changes && primary === undefined) return {}
  const { all, add = [], remove = [] } = changes ?? {}
  const former = addressesOf(before, kind)
  const list = all ? together(kind, all, former) : primary === undefined ? former : withPrimary(kind, primary, former)
  const removed = new Set(remove.map(keyOf[kind]))
  const rest = withAdded(kind, add, list).filter(({ value }) => !removed.has(keyOf[kind](value)))
  if (rest.length > maxAddresses) throw invalid(at(all ? kind : addingTo[kind], tooLong(rest, maxAddresses)))
  return stored(kind, rest)
}

/** The columns with these, the primary one first. */
export const stored = (kind: AddressKind, list: readonly Address[]): Partial<Addressed> => {
  const [first] = list
  const isPlain = list.length < 2 && (!first || isDeepStrictEqual(first, plain(first.value)))
  return { [primaryOf[kind]]: first?.value ?? null, [kind]: isPlain ? [] : list }
}

/** The given ones, each once. */
function together(kind: AddressKind, given: readonly GivenAddress[], former: readonly Address[]): Address[] {
  const known = byKey(kind, former)
  return [...byKey(kind, given)].map(([key, { value, ...more }]) => {
    const { label = null, verification = 'unverified' } = known.get(key) ?? {}
    return { value, label: more.label === undefined ? label : more.label, verification: more.verification ?? verification }
  })
}

function withAdded(kind: AddressKind, add: readonly GivenAddress[], former: readonly Address[]): readonly Address[] {
  if (add.length === 0) return former
  // Of equal ones the first counts, so an added one changes label and verification of the one that is there, and not its spelling.
  const changed = former.map(one => ({ ...one, ...add.find(({ value }) => isSame(kind, value, one.value)), value: one.value }))
  const list = together(kind, [...changed, ...add], former)
  const first = add.find(({ isPrimary }) => isPrimary)
  return first ? withPrimary(kind, first.value, list) : list
}

/** Another primary one takes the place of the former one, unless the contact has it already. Without one, the next is the primary one. */
function withPrimary(kind: AddressKind, primary: string | null, former: readonly Address[]): Address[] {
  const [first, ...rest] = former
  if (primary === null) return rest
  const known = former.find(({ value }) => isSame(kind, value, primary))
  if (known) return [{ ...known, value: primary }, ...former.filter(one => one !== known)]
  return [{ ...plain(primary), label: first?.label ?? null }, ...rest]
}

/** `{ field: [before, after] }` for the lists that differ, besides their primary ones. */
export function addressDifferences(before: Addressed, after: Addressed): Record<string, [unknown, unknown]> {
  const differing = addressKinds.filter(kind => before[kind] !== after[kind] && !isDeepStrictEqual(before[kind], after[kind]))
  return Object.fromEntries(differing.map(kind => [kind, [addressesOf(before, kind), addressesOf(after, kind)]]))
}

/** The further ones. */
export const furtherOf = (contact: Addressed, kind: AddressKind): string[] =>
  contact[kind].length === 0
    ? []
    : addressesOf(contact, kind)
        .slice(contact[primaryOf[kind]] === null ? 0 : 1)
        .map(({ value }) => value)

const isSame = (kind: AddressKind, one: string, other: string) => one === other || keyOf[kind](one) === keyOf[kind](other)

/** Of equal ones the first counts. */
function byKey<One extends { value: string }>(kind: AddressKind, list: readonly One[]): Map<string, One> {
  const found = new Map<string, One>()
  for (const one of list) if (!found.has(keyOf[kind](one.value))) found.set(keyOf[kind](one.value), one)
  return found
}
