// Filters that lists of records share.

import { text } from '../../../kernel/input/fields.ts'
import { Invalid } from '../../../kernel/input/problem.ts'
import { anyFiltered, compared, type FilterReaders, filtered } from '../../../kernel/lists/filter-readers.ts'
import { type Condition, equals, type FilterValue } from '../../../kernel/lists/filter-values.ts'
import { withoutUmlauts } from '../../../kernel/search/fold.ts'
import { literal, spellingsOf, wordsOf } from '../../../kernel/search/words.ts'

const isShortName = (word: string) => /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{1,2}$/u.test(word)

/** The reader of `q`: all of the words stand somewhere in the search text. */
export function searchedWords(given: string): Condition[] | Invalid {
  const words = text(1000)(given)
  if (words instanceof Invalid) return words
  // Mueller is found by Müller, too.
  const written = wordsOf(withoutUmlauts(words ?? ''))
  return wordsOf(words ?? '').map((word, index): Condition => {
    // The index has trigrams. A given name of two characters begins a word of the search text, and so has two of them.
    if (isShortName(word)) return { name: 'q', value: `(^| )${word}`, sql: parameter => `search_text ~ ${parameter}` }
    const spellings = new Set([word, written[index] ?? word].flatMap(spellingsOf))
    const [pattern = '', ...others] = [...spellings].map(one => `%${literal(one)}%`)
    if (others.length === 0) return { name: 'q', value: pattern, sql: parameter => `search_text like ${parameter}` }
    return { name: 'q', value: [pattern, ...others], sql: parameter => `search_text like any(${parameter}::text[])` }
  })
}

// The second condition lets PostgreSQL use the partial index on tags.
/** SQL: the record has the tag, or any of the tags. */
export const tagged = (parameter: string, value: FilterValue) =>
  `tags ${typeof value === 'string' ? `@> array[${parameter}]` : `&& ${parameter}`} and tags <> '{}'`

/** The reader of `tagAll`: the record has all of the tags. */
export function allTagged(given: readonly string[]): Condition[] | Invalid {
  const values = anyFiltered('tagAll', text(1000), parameter => `tags @> ${parameter} and tags <> '{}'`, 'tagAll')(given)
  // A single value becomes a list, because tags are compared as a list.
  return values instanceof Invalid ? values : values.map(one => ({ ...one, value: [one.value].flat() }))
}

export interface SharedFilter {
  q?: string | null
  ownerUserId?: string | null
  ownerUserIdIn?: readonly string[] | null
  tag?: string | null
  tagIn?: readonly string[] | null
  tagAll?: readonly string[] | null
  externalIdIn?: readonly string[] | null
  createdSince?: Date | null
  createdUntil?: Date | null
  updatedSince?: Date | null
  updatedUntil?: Date | null
}

export const sharedFilters: FilterReaders<SharedFilter> = {
  q: searchedWords,
  ownerUserId: filtered('ownerUserId', text(1000), equals('owner_user_id')),
  ownerUserIdIn: anyFiltered('ownerUserId', text(1000), equals('owner_user_id')),
  tag: filtered('tag', text(1000), tagged),
  tagIn: anyFiltered('tag', text(1000), tagged),
  tagAll: allTagged,
  externalIdIn: anyFiltered('externalId', text(1000), equals('external_id')),
  createdSince: compared('createdSince', 'created_at', '>='),
  createdUntil: compared('createdUntil', 'created_at', '<'),
  updatedSince: compared('updatedSince', 'updated_at', '>='),
  updatedUntil: compared('updatedUntil', 'updated_at', '<'),
}
