// The characters of cells whose values are numbers, days and addresses: each in its plain form. Pure.

import { searchable } from '../../../kernel/search/fold.ts'

// The zeros of the scripts whose digits people write numbers with; the nine others follow each.
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0ae6, 0x0be6, 0x0e50]

const asciiDigit = (digit: string) => {
  const code = digit.charCodeAt(0)
  const zero = zeros.find(one => code >= one && code < one + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** Full-width and other digits, dashes and spaces in ASCII, without characters that cannot be seen. Line ends stay. */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[^\S\n]/g, ' ')
    .replace(/\p{Nd}/gu, asciiDigit)
    .trim()

/** A word without case, accents and signs: `Größe L` and `grosse-l` are the same. */
export const plainWord = (text: string): string => searchable(text).replace(/[^\p{L}\p{N}]/gu, '')
