// Reads a number as people type it.

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
