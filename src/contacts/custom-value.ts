// Values of custom fields: each must fit its definition, and there is none without one.

import { oneOf } from '../issue-words.ts'
import { ofEach } from '../own.ts'
import { Failed, type Fault, text, tooLong, webAddress } from './contact-value.ts'
import { type CustomField, type CustomFieldType, mostFields, mostOptions } from './custom-field.ts'

type Read = (input: unknown, field: CustomField) => unknown

const failed = (input: unknown, type: string, message: string, context: Fault['context'] = {}) =>
  new Failed([{ path: [], input, type, message, context }])

const longText = text(10_000)
const asText = (input: unknown) =>
  typeof input === 'string' ? longText(input) : failed(input, 'string_type', 'Input should be a valid string')

const isDate = (input: string) =>
  /^\d{4}-\d\d-\d\d$/.test(input) && !Number.isNaN(Date.parse(input)) && new Date(input).toISOString().startsWith(input)

// 400 characters: a caller with more options knows them, and each wrong value says it all again.
const mostNamed = 400
const expectedOf = ofEach(({ options }: CustomField): string => {
  let room = mostNamed
  const named = options.filter(option => (room -= option.length) >= 0).map(option => `'${option}'`)
  return named.length < options.length ? `${named.join(', ')} or one of ${options.length - named.length} more` : oneOf(named)
})

const asOption: Read = (input, field) => {
  if (typeof input === 'string' && field.options.includes(input)) return input
  const expected = expectedOf(field)
  return failed(input, 'enum', `Input should be ${expected}`, { expected })
}

const readers: Record<CustomFieldType, Read> = {
  text: asText,
  number: input =>
    typeof input === 'number' && Number.isFinite(input) ? input : failed(input, 'float_type', 'Input should be a valid number'),
  boolean: input => (typeof input === 'boolean' ? input : failed(input, 'bool_type', 'Input should be a valid boolean')),
  date: input =>
    typeof input === 'string' && isDate(input)
      ? input
      : failed(input, 'date_parsing', 'Input should be a valid date in the format YYYY-MM-DD', {
          error: 'not a date in the format YYYY-MM-DD',
        }),
  select: asOption,
  multi_select(input, field) {
    if (!Array.isArray(input)) return failed(input, 'list_type', 'Input should be a valid list')
    if (input.length > mostOptions) return tooLong(input, mostOptions)
    const read = input.map(one => asOption(one, field))
    const faults = read.flatMap((result, index) => (result instanceof Failed ? result.faults.map(one => ({ ...one, path: [index] })) : []))
    return faults.length > 0 ? new Failed(faults) : [...new Set(read)]
  },
  url: input => (typeof input === 'string' ? webAddress(input) : failed(input, 'url_type', 'URL input should be a string or URL')),
}

/** Reads the properties an input sets, null for those it removes. Fails with everything that fits no definition. */
export function readCustom(fields: readonly CustomField[], custom: Readonly<Record<string, unknown>>): Record<string, unknown> | Failed {
  const keys = Object.keys(custom)
  if (keys.length > mostFields)
    return failed(null, 'too_long', `Dictionary should have at most ${mostFields} items after validation, not ${keys.length}`, {
      field_type: 'Dictionary',
      max_length: mostFields,
      actual_length: keys.length,
    })
  const byKey = new Map(fields.map(field => [field.key, field]))
  const faults: Failed['faults'][number][] = []
  const read = Object.entries(custom).flatMap(([key, input]) => {
    const field = byKey.get(key)
    const value = field
      ? input === null
        ? null
        : readers[field.type](input, field)
      : failed(input, 'extra_forbidden', 'Extra inputs are not permitted')
    if (!(value instanceof Failed)) return [[key, value] as const]
    for (const one of value.faults) faults.push({ ...one, path: [key, ...one.path] })
    return []
  })
  return faults.length > 0 ? new Failed(faults) : Object.fromEntries(read)
}
