// Queries of searches: their words, compared without accents and case, and as full-text queries and patterns.

import { invalid } from '../errors.ts'
import { problem, valueError } from '../input/problem.ts'
import { storageFault } from '../input/storable.ts'
import { searchable, withoutSigns } from './fold.ts'
import { plainDigits, withPhoneKeys } from './numbers.ts'

// 8: further words rarely narrow a search.
const maxWords = 8
const maxQuery = 200

export interface SearchQuery {
  /** The words separated by spaces, as in a contact's search text, and telephone numbers as one word of their digits. */
  words: readonly string[]
  /** The words separated by ASCII punctuation as well, as the database function `search_words` does. */
  terms: readonly string[]
}

/** Parses a query, whose last word may be unfinished. Throws INVALID for more than 200 characters. */
export function searchQuery(given: string): SearchQuery {
  if (given.length > maxQuery) throw invalid(problem('query', 'string_too_long', given, { max_length: maxQuery }))
  const fault = storageFault(given)
  if (fault !== null) throw invalid(valueError('query', fault, given))
  return { words: wordsOf(given), terms: split(searchable(given), /[\s!-/:-@[-`{-~]+/) }
}

/**
 * The words of a query, at most 8: without the signs of lists and links, and telephone numbers as one word of their digits. `King, Ada`,
 * `<ada@example.com>` and `tel:202-555-0142` are copied from elsewhere.
 */
export const wordsOf = (given: string): string[] => {
  const words = withSigns(given)
  // `AT & T`: a sign alone may be written in another way, or not at all.
  const letters = words.filter(word => /[\p{L}\p{N}]/u.test(word))
  return letters.length > 0 ? letters : words
}
const withSigns = (given: string): string[] =>
  split(withPhoneKeys(searchable(plainDigits(given)).replace(copied, ' ').replace(end, '')), /\s+/).map(word =>
    initials.test(word) ? word.replaceAll('.', '') : (inBrackets.exec(word)?.[1] ?? word),
  )
const copied = /(?<!\S)[<(]?(?:mailto:|tel:|https?:\/\/(?:www\.)?|www\.)|[<>]|[,;](?=\s|$|\p{L})|["“”„«»](?!\p{L})|(?<!\p{L})["“”„«»]/gu
// `Smith Jr.` and `(Bob)`: contacts have them without as well.
const end = /(?<=[\p{L}\p{N})])[.!?:/]{1,3}(?=\s|$)/gu
const inBrackets = /^[([{]?([^()[\]{}]+)[)\]}]?$/
// Contacts have them without points as well.
const initials = /^(?:\p{L}\.){2,}\p{L}?$/u

/** The word, and the same without the signs in it, and with spaces in place of them, as others write it: o'brien, obrien and o brien. */
export const spellingsOf = (word: string): string[] => {
  const bare = withoutSigns(word)
  if (word.includes('@') || bare === word || bare.length < 2) return [word]
  return [word, bare, replaceSigns(word, ' '), ...(word.includes('&') ? [replaceSigns(word, ' & ')] : [])]
}

/** The parts of a word between hyphens, apostrophes and ampersands: all of them are in Anne-Marie, Anne Marie and Annemarie. */
export const partsOf = (word: string): string[] => {
  const parts = word.includes('@') ? [word] : replaceSigns(word, ' ').split(' ')
  // One or two letters are sought at the beginning of a word, where the second part of AT&T is not.
  return parts.every((part, index) => index === 0 || part.length > 2) ? parts : [word]
}

const replaceSigns = (word: string, sign: string) => word.replace(/(?<=[\p{L}\p{N}])['&-](?=[\p{L}\p{N}])/gu, sign)

const split = (plain: string, by: RegExp) => plain.split(by).filter(Boolean).slice(0, maxWords)

/** A tsquery of all terms, with a prefix match for the last. Terms contain no quotes and no backslashes. */
export const tsqueryOf = ({ terms }: Pick<SearchQuery, 'terms'>): string =>
  terms.map((term, index) => (index === terms.length - 1 ? `'${term}':*` : `'${term}'`)).join(' & ')

/**
 * The same for an index that finds candidates, which are then matched with `tsqueryOf`. An index collects the matches of an unfinished word
 * in all organizations, so one or two letters are left out beside other terms, and alone are taken for a whole word.
 */
export const indexedTsqueryOf = ({ terms }: SearchQuery): string => {
  const last = terms.at(-1) ?? ''
  if (!/^[a-z0-9]{1,2}$/.test(last)) return tsqueryOf({ terms })
  return (terms.length > 1 ? terms.slice(0, -1) : terms).map(term => `'${term}'`).join(' & ')
}

/** The word escaped for a LIKE pattern. */
export const literal = (word: string): string => word.replace(/[\\%_]/g, '\\$&')
