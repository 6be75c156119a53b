// Values of custom fields: each must fit its definition, and there is none without one.

import { Failed, type Fault, text, webAddress } from './contact-value.ts'
import type { CustomField, CustomFieldType } from './custom-field.ts'

type Read = (input: unknown, field: CustomField) => unknown

const failed = (input: unknown, type: string, message: string, context: Fault['context'] = {}) =>
  new Failed({ path: [], input, type, message, context })

const longText = text(10_000)
const asText = (input: unknown) =>
  typeof input === 'string' ? longText(input) : failed(input, 'string_type', 'Input should be a valid string')

const isDate = (input: string) =>
  /^\d{4}-\d\d-\d\d$/.test(input) && !Number.isNaN(Date.parse(input)) && new Date(input).toISOString().startsWith(input)

const oneOf = (options: readonly string[]) =>
  options.length < 2
    ? options.map(option => `'${option}'`).join('')
    : `${options
        .slice(0, -1)
        .map(option => `'${option}'`)
        .join(', ')} or '${options.at(-1)}'`

const asOption: Read = (input, { options }) => {
  if (typeof input === 'string' && options.includes(input)) return input
  const expected = oneOf(options)
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
    const read = input.map(one => asOption(one, field))
    const faults = read.flatMap((result, index) => (result instanceof Failed ? result.faults.map(one => ({ ...one, path: [index] })) : []))
    return faults.length > 0 ? new Failed(...faults) : [...new Set(read)]
  },
  url: input => (typeof input === 'string' ? webAddress(input) : failed(input, 'url_type', 'URL input should be a string or URL')),
}

/** Reads the properties an input sets, null for those it removes. Fails with everything that fits no definition. */
export function readCustom(fields: readonly CustomField[], custom: Readonly<Record<string, unknown>>): Record<string, unknown> | Failed {
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
    faults.push(...value.faults.map(one => ({ ...one, path: [key, ...one.path] })))
    return []
  })
  return faults.length > 0 ? new Failed(...faults) : Object.fromEntries(read)
}
