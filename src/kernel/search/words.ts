// Queries of searches: their words, compared without accents and case, and as full-text queries and patterns.

import { invalid } from '../errors.ts'
import { problem, valueError } from '../input/problem.ts'
import { storageFault } from '../input/storable.ts'
import { plainDigits } from './digits.ts'
import { searchable, withoutSigns } from './fold.ts'
import { withPhoneKeys } from './numbers.ts'

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
export const wordsOf = (given: string): string[] =>
  split(withPhoneKeys(searchable(plainDigits(given)).replace(copied, ' ')), /\s+/).map(word =>
    initials.test(word) ? word.replaceAll('.', '') : word,
  )
const copied = /(?<!\S)<?(?:mailto|tel):|[<>]|[,;](?=\s|$|\p{L})/gu
// Contacts have them without points as well.
const initials = /^(?:\p{L}\.){2,}\p{L}?$/u

/** The word, and the same without the signs in it, as others write it: o'brien and obrien. */
export const spellingsOf = (word: string): string[] => {
  const bare = withoutSigns(word)
  return word.includes('@') || bare === word || bare.length < 2 ? [word] : [word, bare]
}

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
