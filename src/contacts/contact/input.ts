// Validates and normalizes a contact's input. Pure: checks that need the database are in check.ts.

import { domain, type Read, text, time, timezone, webAddress } from '../../kernel/input/fields.ts'
import { at, Invalid, oneOf, type Problem, problem } from '../../kernel/input/problem.ts'
import { country, email, phone, tags } from './fields.ts'
import { type ContactFields, contactFields, contactSources } from './row.ts'

/** An absent field stays unchanged. Null clears it: to null, or to the default of a new contact. */
export type ContactInput = {
  [Field in keyof ContactFields]?: Given<Field> | null
}
type Given<Field extends keyof ContactFields> = Field extends 'lastContactedAt'
  ? Date
  : Field extends 'tags'
    ? readonly string[]
    : NonNullable<ContactFields[Field]>

export interface ContactPatch extends ContactInput {
  addTags?: readonly string[] | null
  removeTags?: readonly string[] | null
}

/** The changes that an input makes. */
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
const readers: {
  [F in Field]: Read<NonNullable<ContactInput[F]>, ContactFields[F]>
} = {
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

const noSource = new Invalid([problem([], 'enum', null, { expected: oneOf(contactSources.map(source => `'${source}'`)) })])

// The fields that cannot be null.
const defaults: {
  [F in keyof ContactFields as F extends 'source' ? never : null extends ContactFields[F] ? never : F]: ContactFields[F]
} = { lifecycleStage: 'subscriber', tags: [], custom: {}, doNotCall: false }
/** The defaults of a new contact. The source is missing, because it depends on the caller. */
export const emptyContact: Omit<ContactFields, 'source'> = {
  // Object.fromEntries does not keep the key type; the fields that are not in `defaults` can be null.
  ...(Object.fromEntries(contactFields.map(field => [field, null])) as Record<keyof ContactFields, null>),
  ...defaults,
}
const cleared: { [F in Field]: ContactFields[F] | Invalid } = { ...emptyContact, source: noSource }

/** Validates a value of one field, and returns it as it is stored. */
export const readField = (field: Field, value: NonNullable<ContactInput[Field]>): unknown =>
  (readers[field] as Read<unknown, unknown>)(value)

/** Validates an input. The result has the problems of all fields. */
export function readContact(input: ContactPatch): Changes {
  const changes: Changes = { fields: {}, custom: input.custom === undefined ? {} : input.custom, addTags: [], removeTags: [], problems: [] }
  const { problems } = changes
  for (const field of fieldNames) {
    const given = input[field]
    if (given === undefined) continue
    const value = given === null ? cleared[field] : (readers[field] as Read<unknown, unknown>)(given)
    if (value instanceof Invalid) for (const problem of at(field, value)) problems.push(problem)
    // `as`: each reader returns the type of its field.
    else changes.fields[field] = value as never
  }
  for (const field of ['addTags', 'removeTags'] as const) {
    const value = tags(input[field] ?? [])
    if (value instanceof Invalid) for (const problem of at(field, value)) problems.push(problem)
    else changes[field] = value
  }
  return changes
}
