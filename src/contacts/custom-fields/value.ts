// Validates the values of custom fields against their definitions.

import { text, tooLong, webAddress } from '../../kernel/input/fields.ts'
import { at, Invalid, oneOf, type Problem, type ProblemType, problem } from '../../kernel/input/problem.ts'
import { perObject } from '../../kernel/per-object.ts'
import type { CustomField, CustomFieldType } from './field.sql.ts'
import { maxFields, maxOptions } from './field.ts'

type Read = (input: unknown, field: CustomField) => unknown

const invalid = (input: unknown, type: ProblemType, context: Problem['context'] = {}) => new Invalid([problem([], type, input, context)])

const longText = text(10_000)
const asText = (input: unknown) => (typeof input === 'string' ? longText(input) : invalid(input, 'string_type'))

const isDate = (input: string) =>
  /^\d{4}-\d\d-\d\d$/.test(input) && !Number.isNaN(Date.parse(input)) && new Date(input).toISOString().startsWith(input)

// At most 400 characters of allowed options, because the message of every invalid value repeats them.
const maxNamed = 400
const expectationOf = perObject(({ options }: CustomField): string => {
  let room = maxNamed
  const named = options.filter(option => (room -= option.length) >= 0).map(option => `'${option}'`)
  return named.length < options.length ? `${named.join(', ')} or one of ${options.length - named.length} more` : oneOf(named)
})

const asOption: Read = (input, field) => {
  if (typeof input === 'string' && field.options.includes(input)) return input
  const expected = expectationOf(field)
  return invalid(input, 'enum', { expected })
}

const notADate = (input: unknown): Problem => ({
  ...problem([], 'date_parsing', input, { error: 'not a date in the format YYYY-MM-DD' }),
  message: 'Input should be a valid date in the format YYYY-MM-DD',
})

const readers: Record<CustomFieldType, Read> = {
  text: asText,
  number: input => (typeof input === 'number' && Number.isFinite(input) ? input : invalid(input, 'float_type')),
  boolean: input => (typeof input === 'boolean' ? input : invalid(input, 'bool_type')),
  date: input => (typeof input === 'string' && isDate(input) ? input : new Invalid([notADate(input)])),
  select: asOption,
  multi_select(input, field) {
    if (!Array.isArray(input)) return invalid(input, 'list_type')
    if (input.length > maxOptions) return tooLong(input, maxOptions)
    const read = input.map(one => asOption(one, field))
    const problems = read.flatMap((result, index) => (result instanceof Invalid ? at(index, result) : []))
    return problems.length > 0 ? new Invalid(problems) : [...new Set(read)]
  },
  url: input => (typeof input === 'string' ? webAddress(input) : invalid(input, 'url_type')),
}

/** Validates the properties of an input; null removes a property. Returns Invalid with the problems of all properties. */
export function readCustom(fields: readonly CustomField[], custom: Readonly<Record<string, unknown>>): Record<string, unknown> | Invalid {
  const keys = Object.keys(custom)
  if (keys.length > maxFields.most)
    return invalid(null, 'too_long', {
      field_type: 'Dictionary',
      max_length: maxFields.most,
      actual_length: keys.length,
    })
  const byKey = new Map(fields.map(field => [field.key, field]))
  const problems: Problem[] = []
  const read = Object.entries(custom).flatMap(([key, input]) => {
    const field = byKey.get(key)
    const value = field ? (input === null ? null : readers[field.type](input, field)) : invalid(input, 'extra_forbidden')
    if (!(value instanceof Invalid)) return [[key, value] as const]
    problems.push(...at(key, value))
    return []
  })
  return problems.length > 0 ? new Invalid(problems) : Object.fromEntries(read)
}
