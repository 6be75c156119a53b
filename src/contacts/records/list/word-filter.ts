// Conditions on the search text of a record.

import { text } from '../../../kernel/input/fields.ts'
import { Invalid } from '../../../kernel/input/problem.ts'
import type { Condition } from '../../../kernel/lists/filter-values.ts'
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
