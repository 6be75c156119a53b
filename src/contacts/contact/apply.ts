// Applies changes to a contact's fields, and computes the differences for the event. Pure.

import { domainToUnicode } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../kernel/errors.ts'
import { ownMember } from '../../kernel/input/json.ts'
import { at } from '../../kernel/input/problem.ts'
import { bareWords, endsOfNames, searchable, withoutSpaces, withoutUmlauts } from '../../kernel/search/fold.ts'
import { fitTags, tooManyTags } from './fields.ts'
import { type Changes, emptyContact } from './input.ts'
import { type ContactFields, type ContactSource, contactFields } from './row.ts'

/** The fields of a new contact. */
export const startingFrom = (source: ContactSource, changes: Changes): ContactFields => apply({ ...emptyContact, source }, changes)

/** The fields after the changes. Throws INVALID if there are too many tags. */
export function apply(before: ContactFields, { fields, custom, addTags, removeTags }: Changes): ContactFields {
  const after: ContactFields = { ...before, ...fields }
  after.fullName = fullNameOf(before, after, fields.fullName)
  if (addTags.length > 0 || removeTags.length > 0) {
    after.tags = [...new Set([...after.tags, ...addTags])].filter(tag => !removeTags.includes(tag))
    if (!fitTags(after.tags)) throw invalid(at('addTags', tooManyTags(after.tags)))
  }
  if (custom === null) after.custom = {}
  else if (Object.keys(custom).length > 0)
    after.custom = Object.fromEntries(Object.entries({ ...before.custom, ...custom }).filter(([, value]) => value !== null))
  return after
}

/** `{ field: [before, after] }` for every field that differs; each property of `custom` counts as a field. */
export function differences(before: ContactFields, after: ContactFields): Record<string, [unknown, unknown]> {
  const changed: Record<string, [unknown, unknown]> = {}
  for (const field of contactFields)
    if (before[field] !== after[field] && !isDeepStrictEqual(before[field], after[field])) changed[field] = [before[field], after[field]]
  if (changed.custom) {
    delete changed.custom
    for (const key of new Set([...Object.keys(before.custom), ...Object.keys(after.custom)])) {
      const [former, present] = [ownMember(before.custom, key), ownMember(after.custom, key)]
      if (!isDeepStrictEqual(former, present)) changed[`custom.${key}`] = [former ?? null, present ?? null]
    }
  }
  return changed
}

/**
 * The text that the filter `q` searches: names, address, number and company as `searchable` makes them, a number without a country as its
 * digits, the parts of names that are written without spaces, and names without their signs and umlauts.
 */
export function searchTextOf({ fullName, firstName, lastName, email, phone, companyName }: ContactFields): string {
  const names = [fullName, firstName, lastName]
  const number = phone !== null && !phone.startsWith('+') ? phone.replace(/\D/g, '') || phone : phone
  const parts = [...names, email, unicodeDomain(email), number, companyName].filter((part, index, all) => isNew(part, index, all[0]))
  const named = [...names, companyName].filter(part => part !== null)
  const ends = endsOfNames(named.join(' '))
  const plain = searchable([...parts, ...(ends === null ? [] : [ends]), ...named.flatMap(withoutSpaces)].join(' '))
  const written = [...new Set([named.join(' | '), withoutUmlauts(named.join(' | '))])]
  const further = written.flatMap(names => bareWords(searchable(names))).filter(word => !plain.includes(word))
  return [plain, ...new Set(further)].join(' ')
}

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
