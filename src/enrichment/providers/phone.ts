// phone: validity, country, type and international format of a telephone number.

import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { z } from 'zod'
import { type Finding, nothing, type Provider, textOf } from './provider.ts'

const options = z.strictObject({})

export const phone: Provider<z.output<typeof options>> = {
  options,
  isLocal: true,
  async run({ facts }) {
    const given = textOf(facts, 'phone')
    if (given === null) return nothing()
    const country = textOf(facts, 'country')?.toUpperCase()
    const parsed = parsePhoneNumberFromString(given, country && isSupportedCountry(country) ? (country as CountryCode) : undefined)
    if (!parsed) return nothing({ valid: false })

    const valid = parsed.isValid()
    const detail = { valid, phoneType: parsed.getType()?.toLowerCase() ?? null, international: parsed.formatInternational() }
    if (!valid) return nothing(detail)
    const findings: Finding[] = [
      { field: 'phone', value: parsed.number, confidence: 0.95, verification: 'probable', evidence: given },
      // The country of the numbering plan, which is not proof of where the owner of a mobile number lives.
      ...(parsed.country
        ? [{ field: 'country', value: parsed.country, confidence: 0.75, verification: 'probable' as const, evidence: detail.international }]
        : []),
    ]
    return { findings, detail }
  },
}
