// Words of a query that may be misspelt, and words that are similar to them.

// A wrong letter leaves too little of shorter words, and addresses have too much in common with each other.
export const maySpellWrongly = (word: string) => word.length >= 4 && word.length <= 20 && !word.includes('@')

/**
 * When the sample has this many matches, they are the answer. A rarer word, of some 600 contacts at most, is sought among all contacts: a
 * comparison takes 8 us.
 */
export const enoughAlike = 10

/** Among more contacts a word of the sample is one that many have, and to compare all takes longer than the rest of a search. */
export const enoughToKnow = 20_000

// 0.45: one wrong or missing letter leaves half of a short word. PostgreSQL's default of 0.6 finds few of them.
export const least = 0.45
// Among more contacts, thousands have 0.45 of the trigrams in other words, and all of these would be compared.
const many = 100_000
// Long words keep more than that with one wrong letter, and may have two.
const mostAsked = 0.65

/** The similarity that is asked for, 0 to 1: among many contacts what one wrong letter leaves. */
export const leastSimilarity = (contacts: number, words: readonly string[]): number =>
  contacts < many ? least : Math.min(...words.map(word => Math.max(least, Math.min(mostAsked, withOneWrong(word)))))

// A letter is in three of the trigrams of a word, which has one more trigram than letters. Similarity is the number of trigrams that two
// words share, divided by the number that either has. 0.001: it is compared as a real.
const withOneWrong = ({ length }: string) => (length + 1 - 3) / (length + 1 + 3) - 0.001

/** The words that it becomes with two neighbouring letters exchanged, which can leave a third of its similarity. */
export function exchangesOf(word: string): string[] {
  // The index uses regular expressions of more than ten such words in part only.
  if (word.length > 10 || !isPlain(word)) return []
  const letters = [...word]
  const exchanged = letters.slice(1).map((letter, at) => letters.toSpliced(at, 2, letter, letters[at] ?? '').join(''))
  return [...new Set(exchanged)].filter(other => other !== word)
}

/** Regular expressions for each word or an exchange of it. None for words with other characters than letters and digits. */
export const exchangeable = (words: readonly string[]): string[] =>
  words.every(isPlain) ? words.map(word => [word, ...exchangesOf(word)].join('|')) : []

const isPlain = (word: string) => /^[\p{L}\p{N}]+$/u.test(word)
