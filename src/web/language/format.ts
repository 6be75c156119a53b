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

/** Returns "87%" for 0.87. */
export const percent = (share: number): string => percents.format(share)

/** The form of a noun for a count. */
export const pluralOf = (count: number, forms: Plural): string => forms[rules.select(count)] ?? forms.other

/** Returns "1 contact", "1,234 contacts". */
export const countText = (count: number, forms: Plural): string => `${numberText(count)} ${pluralOf(count, forms)}`
