// Amounts of money: decimal texts outside, whole numbers of the currency's smallest unit inside. Pure.

import { bounded, invalidValue, text } from '../input/fields.ts'
import { Invalid } from '../input/problem.ts'
import { currencies, decimalsOf } from './currencies.ts'

// 15 digits: JavaScript's numbers represent them exactly.
const maxDigits = 15

/** A code of ISO 4217, in upper case. */
export const currency = text(64, input => {
  const code = input.toUpperCase()
  return currencies.has(code) ? code : invalidValue(input, 'it is not a currency code of ISO 4217, such as EUR')
})

/** A decimal text that is not negative, as it is written: `1500000.50`. How many decimals it may have depends on its currency. */
export const amount = bounded(64, (input: string) => {
  const read = text(64)(input)
  if (read === null || read instanceof Invalid) return read
  return /^\d+(\.\d+)?$/.test(read)
    ? read
    : invalidValue(input, 'it is not an amount: write digits, and a point before decimals, such as 1500000.50')
})

/** The amount in the smallest unit of the currency. `given` is what `amount` has read. */
export function minorOf(given: string, currencyCode: string): number | Invalid {
  const most = decimalsOf(currencyCode)
  const [whole = '', decimals = ''] = given.split('.')
  // Zeros at the end say nothing: 5.00 is an amount of yen, too.
  const needed = withoutZerosAtEnd(decimals)
  if (needed.length > most)
    return invalidValue(given, `amounts of ${currencyCode} have ${most === 0 ? 'no decimals' : `at most ${most} decimals`}`)
  const digits = `${whole}${needed.padEnd(most, '0')}`.replace(/^0+(?=\d)/, '')
  return digits.length > maxDigits
    ? invalidValue(given, `an amount of ${currencyCode} has at most ${maxDigits - most} digits before the point`)
    : Number(digits)
}

// A loop: an expression for zeros at the end would look at each run of zeros again.
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** The amount as a decimal text, with all decimals of its currency. A sum of the database may be longer than numbers are exact. */
export function decimalOf(minor: number | string, currencyCode: string): string {
  const decimals = decimalsOf(currencyCode)
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
