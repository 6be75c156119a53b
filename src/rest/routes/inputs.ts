// Zod schemas of parameters and bodies. They check types, not meaning: here an email is a string; the rules check that it is an address.

import { z } from 'zod'
import { camelCase } from '../../kernel/input/case.ts'
import { maxFilterValues } from '../../kernel/lists/filter-values.ts'
import { isCursor, unknownCursor } from '../../kernel/lists/pagination.ts'

type Issue = z.core.$ZodRawIssue
const custom = (input: unknown, type: string, message: string, ctx: Record<string, unknown> = {}): Issue => ({
  code: 'custom',
  input,
  message,
  params: { type, ctx },
})

/** An integer in a query string. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .transform((text, { issues }) => {
      const number = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (Number.isNaN(number))
        issues.push(custom(text, 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer'))
      else if (number < min) issues.push(custom(text, 'greater_than_equal', `Input should be greater than or equal to ${min}`, { ge: min }))
      else if (number > max) issues.push(custom(text, 'less_than_equal', `Input should be less than or equal to ${max}`, { le: max }))
      return number
    })
    .meta({ type: 'integer', minimum: min, maximum: max })

/** A boolean in a query string. */
export const yesOrNo = () =>
  z
    .string()
    .transform((text, { issues }) => {
      if (!/^(true|false|1|0)$/i.test(text))
        issues.push(custom(text, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'))
      return /^(true|1)$/i.test(text)
    })
    .meta({ type: 'boolean' })

/** The pagination parameters of a list. */
export const pageOf = {
  limit: integer(1, 200).optional().meta({ description: 'Rows on a page.', unlessGiven: 50 }),
  cursor: z
    .string()
    .min(1)
    .max(2000)
    .check(({ value, issues }) => {
      if (!isCursor(value)) issues.push(custom(value, 'value_error', `Value error, ${unknownCursor}`, { error: unknownCursor }))
    })
    .optional()
    .meta({ description: 'The `next_cursor` of the page before.' }),
}

/** The parameter that requests the total count. */
export const total = z
  .literal('total')
  .transform(() => true)
  .optional()
  .meta({ description: 'Counts the whole list as well.' })

// The length is only documented here. The rules validate it after trimming, in characters instead of UTF-16 units.
export const text = (maxLength: number) => z.string().meta({ maxLength })
/** An id (UUID). The rule checks whether it exists. */
export const id = () => z.string().meta({ format: 'uuid' })
export const time = z.iso.datetime({ offset: true })
/** A filter whose parameter may be repeated. It matches rows with any of the values. */
export const anyOf = <Value extends z.ZodType>(value: Value) => z.array(value).max(maxFilterValues).optional()
export const filterText = (max: number) => z.string().min(1).max(max).optional()

/** A single value of such a filter. */
export const oneText = (max: number) => z.string().min(1).max(max)
const oneId = () => z.string().min(1).max(64).meta({ format: 'uuid' })
export const filterId = oneId().optional()
export const filterIds = () => anyOf(oneId())

const email = text(320)

const lifecycleStage = z.enum(['subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'evangelist', 'other'])
const contactSource = z.enum(['api', 'web', 'desktop', 'import', 'voice', 'enrichment', 'hook', 'agent', 'system'])

export const contactFields = {
  first_name: text(200).nullish(),
  last_name: text(200).nullish(),
  full_name: text(401).nullish(),
  phone: text(64).nullish(),
  job_title: text(200).nullish(),
  company_name: text(200).nullish(),
  company_domain: text(2048).nullish(),
  linkedin_url: text(2048).nullish(),
  city: text(200).nullish(),
  region: text(200).nullish(),
  country: text(64).nullish(),
  timezone: text(64).nullish(),
  avatar_url: text(2048).nullish(),
  lifecycle_stage: lifecycleStage
    .nullish()
    .meta({ description: 'How far the contact has come. A new one is a subscriber unless said otherwise.' }),
  source: contactSource
    .optional()
    .meta({ description: 'Where the contact came from. Unless given, who asks decides: `api` for an API key.' }),
  owner_user_id: text(255).nullish(),
  tags: z.array(text(64)).nullish(),
  custom: z.record(z.string(), z.unknown()).nullish(),
  do_not_call: z.boolean().nullish(),
  external_id: text(255).nullish(),
  last_contacted_at: time.nullish(),
}

export const newContact = z.strictObject({ email, ...contactFields }).meta({ id: 'NewContact' })

export const contactChange = z
  .strictObject({
    email: email.nullish(),
    ...contactFields,
    add_tags: z.array(text(64)).optional(),
    remove_tags: z.array(text(64)).optional(),
  })
  .meta({ id: 'ContactChange' })

const contactSorts = {
  created_at: 'created_at',
  '-created_at': 'created_at_desc',
  updated_at: 'updated_at',
  '-updated_at': 'updated_at_desc',
  last_name: 'last_name',
  '-last_name': 'last_name_desc',
  email: 'email',
  '-email': 'email_desc',
} as const
// Object.keys does not keep the key type; the keys are exactly these.
const contactSortNames = Object.keys(contactSorts) as (keyof typeof contactSorts)[]

/** `-created_at` is newest first; the GraphQL schema has an enum value for it. */
export const contactSort = z
  .enum(contactSortNames)
  .transform(sort => contactSorts[sort])
  .meta({ title: 'ContactOrder', unlessGiven: '-created_at' })

export const contactFilter = {
  q: filterText(200),
  email: filterText(320),
  phone: filterText(64),
  lifecycle_stage: anyOf(lifecycleStage),
  source: anyOf(contactSource),
  tag: anyOf(oneText(64)),
  owner_user_id: anyOf(oneText(255)),
  created_since: time.optional(),
  updated_since: time.optional(),
  include_deleted: yesOrNo().optional(),
  only_deleted: yesOrNo().optional(),
}

export const searchParameters = z.strictObject({
  q: z
    .string()
    .max(200)
    .meta({ description: 'Some words. Case and accents do not matter, and contacts are found with a misspelt letter.' }),
  type: anyOf(z.enum(['contact', 'note', 'call', 'agent'])),
  limit: integer(1, 50).optional().meta({ description: 'How many.', unlessGiven: 20 }),
})

/** The action of a create when a contact with the email exists. */
export const onConflict = z
  .enum(['update', 'skip'])
  .meta({ description: 'What to do when the email is taken: update the contact that has it, or answer with it as it is.' })

/**
 * Rows of a batch are passed as a GraphQL input type, so their names are converted here and not by the document. The rule validates each
 * row separately; here a row only has to be an object.
 */
export const newContacts = z.strictObject({
  contacts: z
    .array(
      z
        .strictObject({ email, ...contactFields })
        .meta({ id: 'NewContactRow' })
        .transform(camelCased),
    )
    .min(1)
    .max(100)
    .meta({ description: 'What to create or update.' }),
  on_conflict: onConflict.optional().meta({ description: 'What happens to a row whose email is taken. Absent: it fails.' }),
  atomic: z.boolean().optional().meta({ description: 'Whether one bad row undoes all.', unlessGiven: false }),
})

type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name extends string ? Name : never
export type CamelCased<Fields> = { [Name in keyof Fields as Camel<Name>]: Fields[Name] }

export function camelCased<Fields extends object>(fields: Fields): CamelCased<Fields> {
  const entries = Object.entries(fields).map(([name, value]) => [camelCase(name), value])
  // The mapped type `CamelCased` describes the renaming that the code does.
  return Object.fromEntries(entries) as CamelCased<Fields>
}
