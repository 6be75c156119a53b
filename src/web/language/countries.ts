// Countries and currencies to choose from: the codes of ISO 3166-1 alpha-2 and ISO 4217 that the browser has a name for.

import { locale } from './language.ts'
import { byLabel } from './order.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
// Regions of Unicode that are no country of ISO 3166-1.
const others = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' '))

/** Options of a select, by name. */
export function countryOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const options = letters.flatMap(first =>
    letters.flatMap(second => {
      const value = first + second
      const label = others.has(value) || isFormer(value) ? undefined : names.of(value)
      return label === undefined ? [] : [{ value, label }]
    }),
  )
  return options.toSorted(byLabel)
}

// Such as DD, whose canonical code is DE.
const isFormer = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`

/** Options of a select, such as "EUR, Euro". */
export function currencyOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  return Intl.supportedValuesOf('currency').map(value => ({ value, label: `${value}, ${names.of(value)}` }))
}
