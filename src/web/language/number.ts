// Reads a number as people type it.

import { locale } from './language.ts'

const form = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i
// Three digits after a comma are ambiguous: for some people "1,234" is above a thousand, for others below two.
const unclear = /,\d{3}$/
// JavaScript keeps no more digits.
const maxDigits = 15

/**
 * Takes spaces between thousands, and a decimal comma where it is unambiguous. Null when the text is not a number, or the number would lose
 * digits.
 */
export function numberOf(text: string): number | null {
  const plain = text.replaceAll(/\s/g, '').replace('−', '-')
  const digits = plain.replace(/e.*/i, '').replaceAll(/\D/g, '').replace(/^0+/, '')
  if (!form.test(plain) || unclear.test(plain) || digits.length > maxDigits) return null
  const number = Number(plain.replace(',', '.'))
  return Number.isFinite(number) ? number : null
}

// 1.250.000,50 or 1,250,000.50: the same separator between all groups of three, another one before the decimals.
const grouped = /^([1-9]\d{0,2}([.,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d{1,6}))?$/
const ungrouped = /^(\d{1,15})(?:[.,](\d{1,6}))?$/
const pointHere = new Intl.NumberFormat(locale).format(0.5).charAt(1)

/**
 * The decimal text of an amount as people type it: 1,250.50 and 1.250,50 are 1250.50. Null for another text, and for one that says two
 * things: 24.500 is 24500 to Germans, and to others 24.5. `point`: what the reader's language writes before decimals.
 */
export function decimalOf(text: string, point = pointHere): string | null {
  const plain = text.replaceAll(/[\s'’]/g, '')
  const [, thousands, separator, ofThousands] = grouped.exec(plain) ?? []
  if (thousands !== undefined) {
    const digits = thousands.replaceAll(/\D/g, '')
    if (ofThousands !== undefined) return `${digits}.${ofThousands}`
    return digits.length < 7 && separator === point ? null : digits
  }
  const [, whole, decimals] = ungrouped.exec(plain) ?? []
  return whole === undefined ? null : decimals === undefined ? whole : `${whole}.${decimals}`
}
