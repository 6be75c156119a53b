// What changes make of a contact's fields, and how that is told. Pure.

import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../errors.ts'
import { type Changes, emptyContact } from './contact-input.ts'
import { type ContactFields, type ContactSource, columnOf } from './contact-row.ts'
import { at, fitTags, tooManyTags } from './contact-value.ts'

/** The fields of a new contact. */
export const startingFrom = (source: ContactSource, changes: Changes): ContactFields => apply({ ...emptyContact, source }, changes)

/** The fields after the changes. Throws INVALID where tags added are more than fit. */
export function apply(before: ContactFields, { fields, custom, addTags, removeTags }: Changes): ContactFields {
  const after: ContactFields = { ...fieldsOf(before), ...fields }
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

/** `{ field: [before, after] }` of everything that differs; properties of `custom` one by one. */
export function differences(before: ContactFields, after: ContactFields): Record<string, [unknown, unknown]> {
  const changed: Record<string, [unknown, unknown]> = {}
  for (const field of fieldNames)
    if (before[field] !== after[field] && !isDeepStrictEqual(before[field], after[field])) changed[field] = [before[field], after[field]]
  if (changed.custom) {
    delete changed.custom
    for (const key of new Set([...Object.keys(before.custom), ...Object.keys(after.custom)]))
      if (!isDeepStrictEqual(before.custom[key], after.custom[key]))
        changed[`custom.${key}`] = [before.custom[key] ?? null, after.custom[key] ?? null]
  }
  return changed
}

/** What `q` searches: names, address, number and company without accents and in lower case. */
export const searchTextOf = ({ fullName, firstName, lastName, email, phone, companyName }: ContactFields): string =>
  searchable(
    [fullName, firstName, lastName, email, phone, companyName].filter((part, index, parts) => isNew(part, index, parts[0])).join(' '),
  )

/** A text as `q` compares it. */
export function searchable(text: string): string {
  const plain = /[\u0080-\uffff]/.test(text) ? text.normalize('NFKD').replace(/\p{M}/gu, '') : text
  return plain.toLowerCase()
}

// First and last name stand in the full name as a rule, and need not be searched twice.
const isNew = (part: string | null, index: number, fullName: string | null | undefined) =>
  part !== null && !((index === 1 || index === 2) && fullName?.includes(part))

const fieldNames = Object.keys(columnOf) as (keyof ContactFields)[]

// A contact has more than its fields; only these are written.
const fieldsOf = (contact: ContactFields): ContactFields => ({
  email: contact.email,
  firstName: contact.firstName,
  lastName: contact.lastName,
  fullName: contact.fullName,
  phone: contact.phone,
  jobTitle: contact.jobTitle,
  companyName: contact.companyName,
  companyDomain: contact.companyDomain,
  linkedinUrl: contact.linkedinUrl,
  city: contact.city,
  region: contact.region,
  country: contact.country,
  timezone: contact.timezone,
  avatarUrl: contact.avatarUrl,
  lifecycleStage: contact.lifecycleStage,
  source: contact.source,
  ownerUserId: contact.ownerUserId,
  tags: contact.tags,
  custom: contact.custom,
  doNotCall: contact.doNotCall,
  externalId: contact.externalId,
  lastContactedAt: contact.lastContactedAt,
})

const joined = ({ firstName, lastName }: ContactFields) => [firstName, lastName].filter(name => name !== null).join(' ') || null

// A full name that nobody gave follows the names it is made of; one that was given stays until it is cleared.
function fullNameOf(before: ContactFields, after: ContactFields, given: string | null | undefined): string | null {
  if (given) return given
  return given === null || before.fullName === joined(before) ? joined(after) : before.fullName
}
