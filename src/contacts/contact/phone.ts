// Telephone numbers: read as international numbers where their country is certain. Pure.

import { type CountryCode, isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { e164 } from '../../kernel/input/problem.ts'

/** Whether the number can be called: whether it is in E.164. A national number has no country, so no provider can reach it. */
export const isCallable = (phone: string): boolean => e164.test(phone)

export interface InternationalNumber {
  /** In E.164. */
  number: string
  /** The digits after it that are dialled once somebody answers. */
  extension: string | null
}

/**
 * The international number of a text with a single number: with `+` or `00`, or a number of the country, ISO 3166-1 alpha-2, if that is
 * certain. Null when the text is no such number.
 */
export function internationalNumber(text: string, country: string | null): InternationalNumber | null {
  const plain = text.normalize('NFKC').replaceAll('/', ' ').trim()
  const parsed =
    validIn(plain.replace(/^\(?00/, '+'), null) ?? (country !== null && isSupportedCountry(country) ? ofCountry(plain, country) : null)
  return parsed && e164.test(parsed.number) ? { number: parsed.number, extension: parsed.ext ?? null } : null
}

// Spreadsheets remove a leading + or 0. A number without the 0 that its country dials is one of this country without its +, or a mobile
// number; what could be a number without its area code, or one of another country, is not certain.
function ofCountry(text: string, country: CountryCode): PhoneNumber | null {
  const national = validIn(text, country)
  if (!national || /^\D*0/.test(text) || !/^\D*0/.test(national.formatNational())) return national
  const abroad = validIn(`+${text.replace(/\D/g, '')}`, null)
  if (abroad) return abroad.countryCallingCode === national.countryCallingCode ? abroad : null
  return national.getType() === 'MOBILE' ? national : null
}

function validIn(text: string, country: CountryCode | null): PhoneNumber | null {
  const parsed = parsePhoneNumberFromString(text, country ?? undefined)
  return parsed?.isValid() ? parsed : null
}
