// The characters of cells whose values are numbers, days and addresses: each in its plain form. Pure.

import { searchable } from '../../../kernel/search/fold.ts'
import { plainDigits } from '../../../kernel/search/numbers.ts'

/** Full-width and other digits, dashes and spaces in ASCII, without characters that cannot be seen. Line ends stay. */
export const plainText = (text: string): string =>
  plainDigits(text.normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[^\S\n]/g, ' ')
    .trim()

/** A word without case, accents and signs: `Größe L` and `grosse-l` are the same. */
export const plainWord = (text: string): string => searchable(text).replace(/[^\p{L}\p{N}]/gu, '')
