// Reads an amount of money as people type it.

import { locale } from './language.ts'

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

/** An amount as people type it, with its currency or without: `1250.50 EUR`. Null for another text. */
export function moneyOf(text: string): string | null {
  const [, typed = '', currency] = /^(.*?\d)\s*([A-Za-z]{3})?$/.exec(text.trim()) ?? []
  const amount = decimalOf(typed)
  return amount === null ? null : [amount, currency?.toUpperCase()].filter(Boolean).join(' ')
}
