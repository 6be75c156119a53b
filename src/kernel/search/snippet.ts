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
  const { plain, originOf } = plainWithOrigins(text)
  const places = placesOfTerms(plain, terms)
  const first = originOf(places[0]?.start ?? 0)
  if (text.length <= maxLength) return { text, marks: marksAt(places, originOf, text.length) }
  const start = first <= before ? 0 : atWord(text, first - before, first)
  const end = Math.min(text.length, start + maxLength)
  const lead = start > 0 ? '…' : ''
  const cut = text.slice(isHalf(text, start) ? start + 1 : start, isHalf(text, end) ? end - 1 : end)
  const shift = lead.length - (isHalf(text, start) ? start + 1 : start)
  const all = marksAt(places, originOf, end)
  const marks = all.filter(mark => mark.end <= end).map(mark => ({ start: mark.start + shift, end: mark.end + shift }))
  return { text: `${lead}${cut}${end < text.length ? '…' : ''}`, marks: marks.filter(mark => mark.start >= lead.length) }
}

/** Whether a term occurs in the text. */
export const hasTerm = (text: string, terms: readonly string[]): boolean => {
  const plain = searchable(text)
  return terms.some(term => plain.includes(term))
}

// In the searchable text, in its order.
function placesOfTerms(plain: string, terms: readonly string[]): Mark[] {
  const found = terms.flatMap(term => {
    const places = placesOf(plain, term)
    const atWords = places.filter(place => place === 0 || !/[\p{L}\p{N}]/u.test(plain[place - 1] ?? ' '))
    return (atWords.length > 0 ? atWords : places).map(start => ({ start, end: start + term.length }))
  })
  return found.sort((one, other) => one.start - other.start || one.end - other.end)
}

// In the text itself, those that begin before `end`: a short term may occur thousands of times behind it.
function marksAt(places: readonly Mark[], originOf: (place: number) => number, end: number): Mark[] {
  const marks: Mark[] = []
  for (const place of places) {
    const mark = { start: originOf(place.start), end: originOf(place.end) }
    if (mark.start > end) break
    marks.push(mark)
  }
  return uniteMarks(marks)
}

function placesOf(plain: string, term: string): number[] {
  const places: number[] = []
  for (let place = plain.indexOf(term); place >= 0; place = plain.indexOf(term, place + term.length)) places.push(place)
  return places
}

// Long enough that few of them are read character by character, which takes a microsecond for each.
const pieceLength = 256

// The searchable text, and the index in the original text of one of its code units.
function plainWithOrigins(text: string): { plain: string; originOf: (place: number) => number } {
  // Most texts: ASCII, and the dots between the fields of a contact. A snippet of another one takes a fifth of a search.
  if (/^[\x20-\x5f\x61-\x7e\n·]*$/.test(text)) return { plain: text.toLowerCase(), originOf: place => place }
  const pieces: Piece[] = []
  let plain = ''
  for (let start = 0; start < text.length; ) {
    const end = start + pieceLength
    const piece = text.slice(start, isHalf(text, end) ? end + 1 : end)
    pieces.push({ start, plainStart: plain.length, text: piece })
    plain += searchable(piece)
    start += piece.length
  }
  return {
    plain,
    originOf(place) {
      const piece = place < plain.length ? pieces.findLast(({ plainStart }) => plainStart <= place) : undefined
      return piece ? (originsOf(piece)[place - piece.plainStart] ?? text.length) : text.length
    },
  }
}

interface Piece {
  start: number
  plainStart: number
  text: string
  origins?: number[]
}

function originsOf(piece: Piece): number[] {
  if (piece.origins) return piece.origins
  let place = piece.start
  piece.origins = [...piece.text].flatMap(character => {
    const origin = place
    place += character.length
    return Array.from({ length: searchable(character).length }, () => origin)
  })
  return piece.origins
}

function uniteMarks(marks: readonly Mark[]): Mark[] {
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

/** One result of a search. */
export interface Hit<Entity> {
  entity: Entity
  /** 0 to 1. Matches in names rank above matches in longer texts. */
  rank: number
  /** The name under which a list shows the result. */
  title: string
  snippet: Snippet
}
