// Readers of field values that only contacts have.

import { domainToASCII } from 'node:url'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { isId } from '../../kernel/ids.ts'
import { bounded, invalid, invalidValue, text } from '../../kernel/input/fields.ts'
import { phonePattern } from '../../kernel/input/problem.ts'

// The pattern of HTML's email fields, with a domain that has a dot: the addresses to which mail can be delivered in practice.
const mailbox = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i
// IDN: the domain as mail servers and DNS have it.
const withAsciiDomain = (address: string) =>
  address.replace(/@([^@\s]+)$/, (all, host: string) => (/[\u0080-\uffff]/.test(host) ? `@${domainToASCII(host)}` : all))
const noAddress = (input: string) => invalidValue(input, 'it is not a valid email address')

/** An email address, spelled as given, its domain in ASCII; comparisons ignore its case. A blank text is refused. */
export const email = bounded(320, (input: string) => address(input) ?? noAddress(input))
const address = text(320, given => {
  const ascii = withAsciiDomain(given)
  return mailbox.test(ascii) && !/^\.|\.\.|\.@/.test(ascii) ? ascii : noAddress(given)
})

/** The id of a company; whether the organization has it is checked with the database. */
export const companyId = bounded(64, (input: string) => (isId(input) ? input.toLowerCase() : invalidValue(input, noCompany)))
export const noCompany = 'no company has this id'

const internationalForm = /^\+[1-9]\d{6,14}$/

/** A telephone number: in E.164 if it is international, otherwise as given, because its country is unknown. */
export const phone = text(64, input => {
  if (internationalForm.test(input)) return input
  if (!phonePattern.test(input)) return invalid(input, 'string_pattern_mismatch', { pattern: phonePattern.source })
  if (input.replace(/\D/g, '').length < 3) return invalidValue(input, 'a telephone number has at least 3 digits')
  const parsed = input.startsWith('+') ? parsePhoneNumberFromString(input) : undefined
  return parsed?.isPossible() ? parsed.number : input
})
