// Readers of field values from callers: each validates a value and returns it as it is stored. Pure functions.

import { domainToASCII } from 'node:url'
import { Invalid, type Problem, type ProblemType, problem, valueError } from './problem.ts'
import { storageFault } from './storable.ts'

export interface Read<Input, Value> {
  (input: Input): Value | Invalid
  /** In characters; of a list in characters of an item. */
  readonly maxLength?: number
  /** Of a number. */
  readonly range?: { readonly minimum: number; readonly maximum: number }
}

/** A reader with the bound that it checks. */
export const bounded = <Input, Value>(maxLength: number, read: (input: Input) => Value | Invalid): Read<Input, Value> =>
  Object.assign(read, { maxLength })

/** The result of a reader that refuses a value. */
export const invalid = (input: unknown, type: ProblemType, context: Problem['context'] = {}) =>
  new Invalid([problem([], type, input, context)])
export const invalidValue = (input: unknown, error: string) => new Invalid([valueError([], error, input)])

/** Reads text of at most `max` characters, trimmed; null for a blank text. `check` gets the trimmed text and returns the text to store. */
export const text = (max: number, check: Read<string, string> = input => input): Read<string, string | null> =>
  bounded(max, (input: string) => {
    const trimmed = input.trim()
    if (trimmed === '') return null
    if (trimmed.length > max && [...trimmed].length > max) return invalid(input, 'string_too_long', { max_length: max })
    const fault = storageFault(trimmed, 'it')
    return fault === null ? check(trimmed) : invalidValue(input, fault)
  })

/** An http or https URL, which is safe to link to. */
export const webAddress = text(2048, input => {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(input) || /\s/.test(input) || !URL.canParse(input))
    return invalid(input, 'url_parsing', { error: 'relative URL without a base' })
  if (!/^https?:\/\//i.test(input)) return invalid(input, 'url_scheme', { expected_schemes: "'http' or 'https'" })
  return input
})

/** A domain in lower case, without `www`; for a URL, its host. */
export const domain = text(2048, input => {
  const host = domainToASCII(
    input
      .toLowerCase()
      .replace(/^(?:https?:\/\/)?(?:www\.(?=[^./]+\.))?/, '')
      .split(/[/?#:]/, 1)[0] ?? '',
  )
  return host.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(host)
    ? host
    : invalidValue(input, 'it is not a domain name')
})

/** A time zone of the IANA database, spelled as there. */
export const timezone = text(64, input => {
  try {
    // The runtime also accepts offsets such as +01:00, which have no daylight saving time.
    if (!/^[a-z]/i.test(input)) return invalidValue(input, 'it is not a time zone of the IANA database')
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: input }).resolvedOptions()
    return timeZone.toLowerCase() === input.toLowerCase() ? timeZone : input
  } catch {
    return invalidValue(input, 'it is not a time zone of the IANA database')
  }
})

/** A time as ISO 8601 text. */
export const time: Read<Date, string> = input =>
  Number.isNaN(input.getTime()) || input.getUTCFullYear() < 1 || input.getUTCFullYear() > 9999
    ? invalid(Number.isNaN(input.getTime()) ? null : input.toISOString(), 'datetime_parsing', { error: 'the year is out of range' })
    : input.toISOString()

/** The problem of a list with more than `max` items. */
export const tooLong = (input: readonly unknown[], max: number): Invalid =>
  invalid(input, 'too_long', { max_length: max, actual_length: input.length })
