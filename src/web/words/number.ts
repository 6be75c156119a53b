// A number as people type it.

const form = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i
// Between a comma and the end: "1,234" is a thousand to some and one and a bit to others.
const unclear = /,\d{3}$/
// More digits than that are not kept.
const maxDigits = 15

/** Spaces between thousands are read, and a comma for the point where it is clear. Null for what is no number, or loses digits as one. */
export function numberOf(text: string): number | null {
  const plain = text.replaceAll(/\s/g, '').replace('−', '-')
  const digits = plain.replace(/e.*/i, '').replaceAll(/\D/g, '').replace(/^0+/, '')
  if (!form.test(plain) || unclear.test(plain) || digits.length > maxDigits) return null
  const number = Number(plain.replace(',', '.'))
  return Number.isFinite(number) ? number : null
}
