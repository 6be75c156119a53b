// Readers of field values that only contacts have.

import { domainToASCII } from 'node:url'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { countries } from '../../kernel/countries.ts'
import { bounded, invalid, invalidValue, type Read, text, tooLong } from '../../kernel/input/fields.ts'
import { at, Invalid, phonePattern } from '../../kernel/input/problem.ts'

// The pattern of HTML's e-mail fields, with a domain that has a dot: the addresses to which mail can be delivered in practice.
const mailbox = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i
// IDN: the domain as mail servers and DNS have it.
const withAsciiDomain = (address: string) =>
  address.replace(/@([^@\s]+)$/, (all, host: string) => (/[\u0080-\uffff]/.test(host) ? `@${domainToASCII(host)}` : all))
const noAddress = (input: string) => invalidValue(input, 'it is not a valid email address')

/** An e-mail address, spelled as given, its domain in ASCII; comparisons ignore its case. A blank text is refused. */
export const email = bounded(320, (input: string) => address(input) ?? noAddress(input))
const address = text(320, given => {
  const ascii = withAsciiDomain(given)
  return mailbox.test(ascii) && !/^\.|\.\.|\.@/.test(ascii) ? ascii : noAddress(given)
})

const internationalForm = /^\+[1-9]\d{6,14}$/

/** A telephone number: in E.164 if it is international, otherwise as given, because its country is unknown. */
export const phone = text(64, input => {
  if (internationalForm.test(input)) return input
  if (!phonePattern.test(input)) return invalid(input, 'string_pattern_mismatch', { pattern: phonePattern.source })
  if (input.replace(/\D/g, '').length < 3) return invalidValue(input, 'a telephone number has at least 3 digits')
  const parsed = input.startsWith('+') ? parsePhoneNumberFromString(input) : undefined
  return parsed?.isPossible() ? parsed.number : input
})

export const country = text(64, input => {
  const code = input.toUpperCase()
  return countries.has(code) ? code : invalidValue(input, 'it is not a country code of ISO 3166-1 alpha-2')
})

const maxTags = 50
const maxTag = 64
export const tag = text(maxTag)

/** Trimmed tags in the given order, without duplicates and empty tags. */
export const tags: Read<readonly string[], string[]> = bounded(maxTag, (input: readonly string[]) => {
  // Duplicates and empty tags do not count towards the limit, but a longer list is refused before it is read.
  if (input.length > 4 * maxTags) return tooManyTags(input)
  const read = input.map(tag)
  const problems = read.flatMap((result, index) => (result instanceof Invalid ? at(index, result) : []))
  if (problems.length > 0) return new Invalid(problems)
  const unique = [...new Set(read.filter(result => typeof result === 'string'))]
  return unique.length > maxTags ? tooManyTags(unique) : unique
})

export const fitTags = (list: readonly string[]) => list.length <= maxTags
export const tooManyTags = (input: readonly string[]): Invalid => tooLong(input, maxTags)
