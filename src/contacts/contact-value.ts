// What each field of a contact may hold, and the one spelling it is stored in.

import { domainToASCII } from 'node:url'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Problem } from '../errors.ts'
import { countries } from './country.ts'

/** What is wrong with a value, in Pydantic's words; the place is known to whoever asked. */
export type Fault = Pick<Problem, 'type' | 'message' | 'context'>
export type Read<Input, Value> = (input: Input) => Value | Failed

/** A value that could not be read. `path` leads from the field to the part that is wrong. */
export class Failed {
  readonly faults: readonly (Fault & { path: Problem['path']; input: unknown })[]
  constructor(faults: Failed['faults']) {
    this.faults = faults
  }
}

/** The faults of a value as problems of the field it stands in. */
export const at = (field: string, { faults }: Failed): Problem[] => faults.map(one => ({ ...one, path: [field, ...one.path] }))

const fault = (input: unknown, type: string, message: string, context: Record<string, unknown> = {}) =>
  new Failed([{ path: [], input, type, message, context }])
const valueFault = (input: unknown, error: string) => fault(input, 'value_error', `Value error, ${error}`, { error })

/** Trimmed text of at most so many characters; nothing but space counts as nothing. `check` sees what is left, and may respell it. */
export const text =
  (most: number, check: Read<string, string> = input => input): Read<string, string | null> =>
  input => {
    const trimmed = input.trim()
    if (trimmed === '') return null
    if (trimmed.length > most && [...trimmed].length > most)
      return fault(input, 'string_too_long', `String should have at most ${most} characters`, { max_length: most })
    if (trimmed.includes('\0')) return valueFault(input, 'NUL characters are not allowed')
    if (!trimmed.isWellFormed()) return valueFault(input, 'it holds half of a surrogate pair, which is not Unicode')
    return check(trimmed)
  }

// The characters that HTML's own e-mail fields allow, and a domain with a dot: what mail is delivered to in practice.
const mailbox = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i
const noAddress = (input: string) => valueFault(input, 'it is not a valid email address')

/** An address as it was written: only comparing ignores its case. Nothing is not an address. */
export const email: Read<string, string> = input => {
  const read = text(320, address => (mailbox.test(address) && !/^\.|\.\.|\.@/.test(address) ? address : noAddress(address)))(input)
  return read ?? noAddress(input)
}

const phoneForm = /^\+?[0-9 ().-]{3,32}$/
const internationalForm = /^\+[1-9]\d{6,14}$/

/**
 * A telephone number: in E.164 where it is an international one, else as it was written. A number without its country is not
 * guessed at.
 */
export const phone = text(64, input => {
  if (internationalForm.test(input)) return input
  if (!phoneForm.test(input))
    return fault(
      input,
      'string_pattern_mismatch',
      `String should match pattern '${phoneForm.source}': + and the country code, such as +14155550123`,
      { pattern: phoneForm.source },
    )
  if (input.replace(/\D/g, '').length < 3) return valueFault(input, 'a telephone number has at least 3 digits')
  const parsed = input.startsWith('+') ? parsePhoneNumberFromString(input) : undefined
  return parsed?.isPossible() ? parsed.number : input
})

/** An address in the web that is safe to link to. */
export const webAddress = text(2048, input => {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(input) || /\s/.test(input) || !URL.canParse(input))
    return fault(input, 'url_parsing', 'Input should be a valid URL, relative URL without a base', { error: 'relative URL without a base' })
  if (!/^https?:\/\//i.test(input))
    return fault(input, 'url_scheme', "URL scheme should be 'http' or 'https'", { expected_schemes: "'http' or 'https'" })
  return input
})

/** A bare domain in lower case; an address in the web is cut down to it. */
export const domain = text(2048, input => {
  const host = domainToASCII(input.toLowerCase().replace(/^https?:\/\/(www\.)?|[/?#:].*$/g, ''))
  return host.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(host)
    ? host
    : valueFault(input, 'it is not a domain name')
})

export const country = text(64, input => {
  const code = input.toUpperCase()
  return countries.has(code) ? code : valueFault(input, 'it is not a country code of ISO 3166-1 alpha-2')
})

/** A zone of the IANA database, spelled as there. */
export const timezone = text(64, input => {
  try {
    // Offsets such as +01:00 are accepted by the runtime, but say nothing about summer.
    if (!/^[a-z]/i.test(input)) return valueFault(input, 'it is not a time zone of the IANA database')
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: input }).resolvedOptions()
    return timeZone.toLowerCase() === input.toLowerCase() ? timeZone : input
  } catch {
    return valueFault(input, 'it is not a time zone of the IANA database')
  }
})

/** A time as ISO 8601 text. */
export const time: Read<Date, string> = input =>
  Number.isNaN(input.getTime()) || input.getUTCFullYear() < 1 || input.getUTCFullYear() > 9999
    ? fault(
        Number.isNaN(input.getTime()) ? null : input.toISOString(),
        'datetime_parsing',
        'Input should be a valid datetime, the year is out of range',
        { error: 'the year is out of range' },
      )
    : input.toISOString()

const mostTags = 50
const tag = text(64)

/** Trimmed tags, each once, in the order given; empty ones are left out. */
export const tags: Read<readonly string[], string[]> = input => {
  // Repeated and empty ones do not count, but nobody repeats that many.
  if (input.length > 4 * mostTags) return tooManyTags(input)
  const read = input.map(tag)
  const faults = read.flatMap((result, index) => (result instanceof Failed ? result.faults.map(one => ({ ...one, path: [index] })) : []))
  if (faults.length > 0) return new Failed(faults)
  const unique = [...new Set(read.filter(result => typeof result === 'string'))]
  return unique.length > mostTags ? tooManyTags(unique) : unique
}

export const tooManyTags = (input: readonly string[]): Failed => tooLong(input, mostTags)

/** A list of more than so many. */
export const tooLong = (input: readonly unknown[], most: number): Failed =>
  fault(input, 'too_long', `List should have at most ${most} items after validation, not ${input.length}`, {
    max_length: most,
    actual_length: input.length,
  })
export const fitTags = (list: readonly string[]) => list.length <= mostTags
