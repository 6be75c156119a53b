// Snippets: the part of a text around the search terms, and the positions of the terms in it.

import { searchable } from './fold.ts'

/** Positions count UTF-16 code units, as the strings of JavaScript, Java and C# do. `end` is exclusive. */
export interface Mark {
  start: number
  end: number
}

export interface Snippet {
  text: string
  marks: Mark[]
}

// Fills two lines in a list of results.
const maxLength = 160
// The maximum number of characters before the first term.
const before = 40

/**
 * At most 160 characters of the text around the first term, with the positions of all terms. Where a term occurs at the beginning of a
 * word, only such places are marked. Plain text: nothing is escaped or highlighted in it.
 */
export function snippetOf(text: string, terms: readonly string[]): Snippet {
  const all = marksOf(text, terms)
  const first = all[0]?.start ?? 0
  if (text.length <= maxLength) return { text, marks: all }
  const start = first <= before ? 0 : atWord(text, first - before, first)
  const end = Math.min(text.length, start + maxLength)
  const lead = start > 0 ? '…' : ''
  const cut = text.slice(isHalf(text, start) ? start + 1 : start, isHalf(text, end) ? end - 1 : end)
  const shift = lead.length - (isHalf(text, start) ? start + 1 : start)
  const marks = all.filter(mark => mark.end <= end).map(mark => ({ start: mark.start + shift, end: mark.end + shift }))
  return { text: `${lead}${cut}${end < text.length ? '…' : ''}`, marks: marks.filter(mark => mark.start >= lead.length) }
}

/** Whether a term occurs in the text. */
export const hasTerm = (text: string, terms: readonly string[]): boolean => {
  const plain = searchable(text)
  return terms.some(term => plain.includes(term))
}

function marksOf(text: string, terms: readonly string[]): Mark[] {
  const { plain, originOf } = plainWithOrigins(text)
  const found: Mark[] = []
  for (const term of terms) {
    const places = placesOf(plain, term)
    const atWords = places.filter(place => place === 0 || !/[\p{L}\p{N}]/u.test(plain[place - 1] ?? ' '))
    for (const place of atWords.length > 0 ? atWords : places) found.push({ start: originOf(place), end: originOf(place + term.length) })
  }
  return united(found.sort((one, other) => one.start - other.start || one.end - other.end))
}

function placesOf(plain: string, term: string): number[] {
  const places: number[] = []
  for (let place = plain.indexOf(term); place >= 0; place = plain.indexOf(term, place + term.length)) places.push(place)
  return places
}

// The searchable text, and for each of its code units the index in the original text.
function plainWithOrigins(text: string): { plain: string; originOf: (place: number) => number } {
  // Most texts: ASCII, and the dots between the fields of a contact. Character by character a snippet takes 20 us, a fifth of a search.
  if (/^[\x20-\x5f\x61-\x7e\n·]*$/.test(text)) return { plain: text.toLowerCase(), originOf: place => place }
  let plain = ''
  const origins: number[] = []
  let place = 0
  for (const character of text) {
    const part = searchable(character)
    for (let unit = 0; unit < part.length; unit++) origins.push(place)
    plain += part
    place += character.length
  }
  return { plain, originOf: place => origins[place] ?? text.length }
}

function united(marks: readonly Mark[]): Mark[] {
  const all: Mark[] = []
  for (const mark of marks) {
    const last = all.at(-1)
    if (last && mark.start <= last.end) last.end = Math.max(last.end, mark.end)
    else all.push({ ...mark })
  }
  return all
}

const atWord = (text: string, from: number, until: number) => {
  const space = text.indexOf(' ', from)
  return space >= 0 && space < until ? space + 1 : from
}

// Whether the index is between the two code units of one character.
const isHalf = (text: string, place: number) => place > 0 && place < text.length && /[\udc00-\udfff]/.test(text[place] ?? '')
