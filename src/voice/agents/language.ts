// The language that an agent speaks and understands: BCP 47, such as de-DE.

import { text } from '../../kernel/input/fields.ts'
import { Invalid, valueError } from '../../kernel/input/problem.ts'

/** A language in its usual spelling. */
export const language = text(35, input => {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(input)
    return tag
  } catch {
    return new Invalid([valueError([], 'it is not a language of BCP 47, such as de-DE', input)])
  }
})

/** The most spoken language of a country, such as de-DE for DE; null for a country that has none, and for none. */
export function languageOfCountry(country: string | null): string | null {
  if (country === null) return null
  const { language: found, region } = new Intl.Locale('und', { region: country }).maximize()
  return found === 'und' || region === undefined ? null : `${found}-${region}`
}

/** The language with its region, which Twilio needs: de-DE for de. */
export function withRegion(tag: string): string {
  const { language: found, region } = new Intl.Locale(tag).maximize()
  return region === undefined ? found : `${found}-${region}`
}
