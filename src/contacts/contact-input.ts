// What callers say about a contact, read into what is stored. Pure: what needs the database is in contact-check.ts.

import type { Problem } from '../errors.ts'
import { oneOf } from '../issue-words.ts'
import { type ContactFields, type ContactSource, contactSources, type LifecycleStage } from './contact-row.ts'
import { at, country, domain, email, Failed, phone, type Read, tags, text, time, timezone, webAddress } from './contact-value.ts'

/** An absent field is left as it is, null clears it: to nothing, or where there is no nothing, to what a new contact has. */
export interface ContactInput {
  email?: string | null
  firstName?: string | null
  lastName?: string | null
  fullName?: string | null
  phone?: string | null
  jobTitle?: string | null
  companyName?: string | null
  companyDomain?: string | null
  linkedinUrl?: string | null
  city?: string | null
  region?: string | null
  country?: string | null
  timezone?: string | null
  avatarUrl?: string | null
  lifecycleStage?: LifecycleStage | null
  source?: ContactSource | null
  ownerUserId?: string | null
  tags?: readonly string[] | null
  custom?: Record<string, unknown> | null
  doNotCall?: boolean | null
  externalId?: string | null
  lastContactedAt?: Date | null
}

export interface ContactPatch extends ContactInput {
  addTags?: readonly string[] | null
  removeTags?: readonly string[] | null
}

/** What an input changes. */
export interface Changes {
  fields: Partial<Omit<ContactFields, 'custom'>>
  /** Properties to set, null for those to remove; null instead of an object removes all. */
  custom: Record<string, unknown> | null
  addTags: readonly string[]
  removeTags: readonly string[]
  problems: Problem[]
}

const believed = <Value>(input: Value) => input
const name = text(200)

type Field = Exclude<keyof ContactFields, 'custom'>
const readers: { [F in Field]: Read<NonNullable<ContactInput[F]>, ContactFields[F]> } = {
  email,
  firstName: name,
  lastName: name,
  fullName: text(401),
  phone,
  jobTitle: name,
  companyName: name,
  companyDomain: domain,
  linkedinUrl: webAddress,
  city: name,
  region: name,
  country,
  timezone,
  avatarUrl: webAddress,
  lifecycleStage: believed,
  source: believed,
  ownerUserId: text(255),
  tags,
  doNotCall: believed,
  externalId: text(255),
  lastContactedAt: time,
}
const fieldNames = Object.keys(readers) as Field[]

const expectedSources = oneOf(contactSources.map(source => `'${source}'`))
const noSource = new Failed([
  { path: [], input: null, type: 'enum', message: `Input should be ${expectedSources}`, context: { expected: expectedSources } },
])

/** What a new contact has where nothing is said, but for its source, which the caller's credential decides. */
export const emptyContact: Omit<ContactFields, 'source'> = {
  email: null,
  firstName: null,
  lastName: null,
  fullName: null,
  phone: null,
  jobTitle: null,
  companyName: null,
  companyDomain: null,
  linkedinUrl: null,
  city: null,
  region: null,
  country: null,
  timezone: null,
  avatarUrl: null,
  lifecycleStage: 'subscriber',
  ownerUserId: null,
  tags: [],
  custom: {},
  doNotCall: false,
  externalId: null,
  lastContactedAt: null,
}
const cleared: { [F in Field]: ContactFields[F] | Failed } = { ...emptyContact, source: noSource }

/** Reads an input whole, with every problem it has. */
export function readContact(input: ContactPatch): Changes {
  const changes: Changes = { fields: {}, custom: input.custom === undefined ? {} : input.custom, addTags: [], removeTags: [], problems: [] }
  const { problems } = changes
  for (const field of fieldNames) {
    const given = input[field]
    if (given === undefined) continue
    const value = given === null ? cleared[field] : (readers[field] as Read<unknown, unknown>)(given)
    if (value instanceof Failed) for (const problem of at(field, value)) problems.push(problem)
    // The reader of a field gives what the field holds.
    else changes.fields[field] = value as never
  }
  for (const field of ['addTags', 'removeTags'] as const) {
    const value = tags(input[field] ?? [])
    if (value instanceof Failed) for (const problem of at(field, value)) problems.push(problem)
    else changes[field] = value
  }
  return changes
}
