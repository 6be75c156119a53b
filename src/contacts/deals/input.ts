// Validates and applies the changes of a deal. Pure: checks that need the database are in check.ts.

import { amount as readAmount } from '../../kernel/currencies/amounts.ts'
import { emptyOf, type InputOf } from '../../kernel/fields/table.ts'
import { isId } from '../../kernel/ids.ts'
import { text, tooLong } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, valueError } from '../../kernel/input/problem.ts'
import { customAfter, differencesOf, tagsAfter } from '../records/apply.ts'
import { type RecordChanges, type RecordPatch, readRecord } from '../records/input.ts'
import { moneyAfter, needsUsual, amountOf as textOf } from '../records/money.ts'
import { searchText } from '../records/search-text.ts'
import type { ContactSource } from '../records/source.ts'
import { type DealContact, type DealFields, dealFields, storedFields } from './row.ts'

/** An absent field stays unchanged, null clears it. `amount` is a decimal text. */
export interface DealInput extends InputOf<typeof dealFields> {
  amount?: string | null
  /** All of its contacts. */
  contacts?: readonly { contactId: string; role?: string | null }[] | null
}
export interface DealPatch extends DealInput, Omit<RecordPatch, 'custom'> {}

export interface DealChanges extends RecordChanges<Omit<DealFields, 'custom' | 'amount'>> {
  /** The decimal text of the input, or null to remove the amount; undefined leaves it. */
  amount: string | null | undefined
  contacts: readonly DealContact[] | undefined
}

const { custom: _, ...ownFields } = dealFields
const { title: __, source: ___, ...empty } = emptyOf(dealFields)
// `as`: title and source alone have no default.
const emptyDeal = { ...empty, amount: null } as Omit<DealFields, 'title' | 'source'>

const maxContacts = 50
export const role = text(100)

/** Validates an input. The result has the problems of all fields. */
export function readDeal({ amount: given, contacts, ...input }: DealPatch): DealChanges {
  const changes = readRecord(ownFields, input)
  const problems: Problem[] = [...changes.problems]
  const amount = typeof given === 'string' ? readAmount(given) : given
  if (amount instanceof Invalid) problems.push(...at('amount', amount))
  const { companyId } = changes.fields
  if (typeof companyId === 'string' && isId(companyId)) changes.fields.companyId = companyId.toLowerCase()
  return {
    ...changes,
    problems,
    amount: amount instanceof Invalid ? undefined : amount,
    contacts: contacts === undefined ? undefined : readContacts(contacts ?? [], problems),
  }
}

function readContacts(given: NonNullable<DealInput['contacts']>, problems: Problem[]): DealContact[] {
  if (given.length > maxContacts) {
    problems.push(...at('contacts', tooLong(given, maxContacts)))
    return []
  }
  const contacts = new Map<string, DealContact>()
  for (const [index, one] of given.entries()) {
    const [contactId, read] = [one.contactId.toLowerCase(), role(one.role ?? '')]
    if (read instanceof Invalid) problems.push(...at('contacts', new Invalid(at(index, new Invalid(at('role', read))))))
    else if (contacts.has(contactId)) problems.push(valueError(['contacts', index, 'contactId'], 'name each contact once', one.contactId))
    else contacts.set(contactId, { contactId, role: read })
  }
  return [...contacts.values()]
}

/** The fields of a new deal. */
export const startingFrom = (title: string, source: ContactSource, changes: DealChanges, usual: string | null): DealFields =>
  applyTo({ ...emptyDeal, title, source }, changes, usual)

/** The fields after the changes. `usual`: the currency of the organization. Throws INVALID. */
export function applyTo(before: DealFields, changes: DealChanges, usual: string | null): DealFields {
  const after: DealFields = { ...before, ...changes.fields, ...amountAfter(before, changes, usual) }
  after.tags = tagsAfter(after.tags, changes)
  after.custom = customAfter(before.custom, changes)
  return after
}

type Amount = Pick<DealFields, 'amount' | 'currency'>
const money = ({ amount: minor, currency }: Amount) => ({ minor, currency })
const change = ({ amount, fields: { currency } }: DealChanges) => ({ amount, currency })

/** Whether the changes need the currency of the organization. */
export const needsCurrency = (changes: DealChanges): boolean => needsUsual(change(changes))

function amountAfter(before: Amount, changes: DealChanges, usual: string | null): Amount {
  const { minor, currency } = moneyAfter(money(before), change(changes), usual, { amount: 'amount', currency: 'currency' })
  return { amount: minor, currency }
}

/** The amount as a decimal text; null for none. */
export const amountOf = (amount: Amount): string | null => textOf(money(amount))

/** `{ field: [before, after] }` for every field that differs. */
export const differences = (before: DealFields, after: DealFields): Record<string, [unknown, unknown]> =>
  differencesOf(storedFields, told(before), told(after))
const told = (fields: DealFields) => ({ ...fields, amount: amountOf(fields) })

/** The text that the filter `q` and the search look into: the title. */
export const searchTextOf = ({ title }: DealFields): string => searchText([title], [title])
