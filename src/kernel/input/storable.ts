// Text and JSON that PostgreSQL can store: without NUL characters and lone surrogates.
//
// The rule: what our own API is given is refused if it cannot be stored (`storageFault`, `isStorable`), because its sender can correct it.
// All other text from outside is repaired before anything else reads it: messages and answers of telephony providers, models, channels,
// enrichment providers and pages, files, tool outputs. There the sender does not know of us, and a fault would lose the whole message.
// Answers to our requests are repaired in outgoing/answer.ts. Rows that are written as JSON are made by `storedJson`, which a test checks.

import { cutText } from './cut.ts'

/** Why a text cannot be stored and returned unchanged, as a sentence about `subject`; null when it can. */
export function storageFault(text: string, subject = 'the text'): string | null {
  if (text.includes('\0')) return 'NUL characters are not allowed'
  if (!text.isWellFormed()) return `${subject} holds half of a surrogate pair, which is not Unicode`
  return null
}

/** Whether all texts and member names of a JSON value can be stored and returned unchanged. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return storageFault(value) === null
  if (Array.isArray(value)) return value.every(isStorable)
  if (value === null || typeof value !== 'object') return true
  return Object.entries(value).every(entry => entry.every(isStorable))
}

/**
 * The text with U+FFFD for each NUL character and lone surrogate, cut to `maxLength` UTF-16 units. The second parameter is no number, so that
 * the index that `texts.map(storableText)` would pass as one is a type error. The same goes for all functions that may be given to `map`.
 */
export const storableText = (text: string, { maxLength }: { maxLength: number } = { maxLength: Number.POSITIVE_INFINITY }): string =>
  cutText(text, maxLength).replaceAll('\0', '\ufffd').toWellFormed()

// More than our own API takes. PostgreSQL's limit is some thousands, by its stack.
const maxDepth = 1000

/** The JSON value with `storableText` applied to all texts and member names, and null for values nested deeper than 1000 levels. */
export const storableJson = (value: unknown): unknown => storableWithin(value, 0)

function storableWithin(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value)
  if (value === null || typeof value !== 'object') return value
  const isList = Array.isArray(value)
  if (!isList && !isRecord(value)) return value
  if (depth >= maxDepth) return null
  if (isList) return value.map(item => storableWithin(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storableWithin(member, depth + 1)]))
}

// A date, for example, is stored as it is.
const isRecord = (value: object) => Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null

/** The JSON of a value for a parameter of a statement, after `storableJson`. Few values need a repair, which their JSON shows. */
export function storedJson(value: unknown): string {
  const json = JSON.stringify(value)
  return /\\u(?:0000|d[89a-f])/.test(json) ? JSON.stringify(storableJson(JSON.parse(json))) : json
}
