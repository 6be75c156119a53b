// The conditions on the index of trigrams that find the contacts matching the words of a query.

import { literal } from '../../kernel/search/words.ts'
import { exchangeable, exchangesOf, maySpellWrongly } from './misspelt.ts'
import type { Condition } from './search.sql.ts'

export type SearchCondition = [name: Condition, value: string]
/** Regular expressions for the query as a whole word or words of a text, and as the beginning of some. Null: it is neither, by its ends. */
export type Shapes = [whole: string | null, beginning: string | null]

// The index consists of trigrams.
export const isIndexed = (word: string) => word.length >= 3

// The searched text begins with a space, so that its first word is matched like the others.
export const patternOf = (word: string) => `%${isIndexed(word) ? '' : ' '}${literal(word)}%`

// The beginning of a word is found in the index if it has a letter or digit.
export function conditionsOf(word: string): SearchCondition[] {
  if (isIndexed(word)) return [['contains', patternOf(word)]]
  return /[\p{L}\p{N}]/u.test(word) ? [['begins', `(^| )${escapeWord(word)}`]] : []
}

export function shapesOf(text: string): Shapes {
  if (!/^[\p{L}\p{N}](.*[\p{L}\p{N}])?$/u.test(text)) return [null, null]
  return [`\\m${escapeWord(text)}($|[^[:alnum:]])`, `\\m${escapeWord(text)}`]
}

const escapeWord = (word: string) => word.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** The words that the index is asked for: without words that nearly all `texts` have, if others with trigrams remain. */
export function narrowing(words: readonly string[], texts: readonly string[]): readonly string[] {
  const isRare = (word: string) => countOf(isIndexed(word) ? word : ` ${word}`, texts) < texts.length / 2
  const narrow = words.filter(isRare)
  return narrow.some(word => (isIndexed(word) ? /[\p{L}\p{N}]{3}/u : /[\p{L}\p{N}]/u).test(word)) ? narrow : words
}

/** Whether the words have several pieces, as two names or an address have. */
export const isSeveral = (words: readonly string[]) => piecesOf(words).length > 1

const piecesOf = (words: readonly string[]) => words.flatMap(word => word.split(/[^\p{L}\p{N}]+/u)).filter(Boolean)

/**
 * Asks for two trigrams of each piece: the trigrams that the fewest of `texts` have, the rarest of each piece first. The index looks for the
 * first one, and among its rows for the next one; for whole words it looks for all trigrams at once. Undefined where these may find far
 * more than the words: for one piece, or when several of the texts have them all.
 */
export function conditionsByRarity(words: readonly string[], texts: readonly string[]): SearchCondition[] | undefined {
  const pairs = piecesOf(words)
    .filter(isIndexed)
    .map(piece => rarestOf(piece, texts))
  pairs.sort(([one], [other]) => (one?.count ?? 0) - (other?.count ?? 0))
  const inTurn = [0, 1].flatMap(turn => pairs.flatMap(pair => pair[turn]?.text ?? []))
  if (pairs.length < 2 || texts.filter(text => inTurn.every(part => text.includes(part))).length > 1) return undefined
  return inTurn.map(text => ['contains', `%${text}%`])
}

interface Trigram {
  text: string
  at: number
  count: number
}

/** The rarest trigram of a piece, and the rarest that has other letters; if none has, the one that shares the fewest. */
function rarestOf(piece: string, texts: readonly string[]): Trigram[] {
  const letters = [...piece]
  const [rarest, ...others] = letters
    .slice(2)
    .map((_, at) => letters.slice(at, at + 3).join(''))
    .map((text, at): Trigram => ({ text, at, count: countOf(text, texts) }))
    .sort((one, other) => one.count - other.count)
  if (!rarest) return []
  const apart = ({ at }: Trigram) => Math.min(Math.abs(at - rarest.at), 3)
  return [rarest, ...others.sort((one, other) => apart(other) - apart(one)).slice(0, 1)]
}

const countOf = (part: string, texts: readonly string[]) => texts.filter(text => ` ${text}`.includes(part)).length

/** The input of a search statement: patterns of words that every result has, the conditions on the index, and the ranking. */
export interface Sought {
  patterns: readonly string[]
  conditions: readonly SearchCondition[]
  shapes: Shapes
}

/** Asks for similar words in place of words that may be misspelt. A row with exchanged letters ranks like a beginning of a word. */
export function resemblanceOf(words: readonly string[]): Sought {
  const others = words.filter(word => !maySpellWrongly(word))
  const similar = words.filter(maySpellWrongly)
  return {
    patterns: others.map(patternOf),
    conditions: [
      ...others.flatMap(conditionsOf),
      ...similar.map((word): SearchCondition => ['resembles', word]),
      ...exchangeable(similar).map((expression): SearchCondition => ['exchanged', expression]),
    ],
    shapes: [null, similar.flatMap(exchangesOf).join('|') || null],
  }
}
