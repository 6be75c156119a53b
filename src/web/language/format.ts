// Numbers and counts, as the chosen language writes them.

import { locale } from './language.ts'

export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

const numbers = new Intl.NumberFormat(locale)
const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
const rules = new Intl.PluralRules(locale)

/** Returns "1,234". */
export const numberText = (number: number): string => numbers.format(number)

/** At most two decimals: "1,234.57". */
export const decimalText = (number: number): string => decimals.format(number)

/** "€1,500,000" for the decimal text of an amount, which may have more digits than a number keeps. */
export function moneyText(amount: string, currency: string | null): string {
  if (currency === null) return amount
  return new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(amount as `${number}`)
}

/** Returns "87%" for 0.87. */
export const percent = (share: number): string => percents.format(share)

/** The form of a noun for a count. */
export const pluralOf = (count: number, forms: Plural): string => forms[rules.select(count)] ?? forms.other

/** Returns "1 contact", "1,234 contacts". */
export const countText = (count: number, forms: Plural): string => `${numberText(count)} ${pluralOf(count, forms)}`

const inSeconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'narrow' })
const inMinutes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'short' })

/** Returns "14s", "2 min 14s". */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  const rest = whole % 60
  return [...(minutes > 0 ? [inMinutes.format(minutes)] : []), ...(rest > 0 || minutes === 0 ? [inSeconds.format(rest)] : [])].join(' ')
}
