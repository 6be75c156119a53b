// Zod schemas of parameters and bodies. They check types, not meaning: here an email is a string; the rules check that it is an address.

import { isEnumType } from 'graphql'
import { z } from 'zod'
import type { SearchType } from '../../generated/operations.ts'
import { declaredSchema } from '../../graphql/execute/run.ts'
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
/** A value of an enum of the GraphQL schema, in lower case. `Value` is the type that codegen writes for it. */
export function enumOf<Value extends string>(name: string): z.ZodType<Value, Value> {
  const type = declaredSchema.getType(name)
  if (!isEnumType(type)) throw new Error(`The schema has no enum ${name}`)
  // The guarantee: codegen made the values of the type from this enum.
  return z.enum(type.getValues().map(one => one.name.toLowerCase())) as z.ZodType as z.ZodType<Value, Value>
}
/** An id (UUID). The rule checks whether it exists. */
export const id = () => z.string().meta({ format: 'uuid' })
export const time = z.iso.datetime({ offset: true })
export const day = z.iso.date()
/** A filter whose parameter may be repeated. It matches rows with any of the values. */
export const anyOf = <Value extends z.ZodType>(value: Value) => z.array(value).max(maxFilterValues).optional()
export const filterText = (max: number) => z.string().min(1).max(max).optional()

/** A single value of such a filter. */
export const oneText = (max: number) => z.string().min(1).max(max)
const oneId = () => z.string().min(1).max(64).meta({ format: 'uuid' })
export const filterId = oneId().optional()
export const filterIds = () => anyOf(oneId())

export const searchParameters = z.strictObject({
  q: z
    .string()
    .max(200)
    .meta({ description: 'Some words. Case and accents do not matter, and contacts are found with a misspelt letter.' }),
  type: anyOf(enumOf<SearchType>('SearchType')),
  limit: integer(1, 50).optional().meta({ description: 'How many.', unlessGiven: 20 }),
})

type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name extends string ? Name : never
export type CamelCased<Fields> = { [Name in keyof Fields as Camel<Name>]: Fields[Name] }

export function camelCased<Fields extends object>(fields: Fields): CamelCased<Fields> {
  const entries = Object.entries(fields).map(([name, value]) => [camelCase(name), value])
  // The mapped type `CamelCased` describes the renaming that the code does.
  return Object.fromEntries(entries) as CamelCased<Fields>
}
