// Reads the value of a field out of an answer. Pure.

import * as chrono from 'chrono-node'
import { cutText } from '../../../kernel/input/cut.ts'
import type { ExtractedField } from '../../providers/telephony.ts'
import type { Sentences } from './languages/sentences.ts'

export type Value = string | number | boolean

// A value is a name, a place or a sentence; longer ones are refused by the fields of contacts.
const maxText = 500

/** The value in the answer; null if the other side does not know or tell it, undefined if the answer is not understood. */
export function valueIn(said: string, field: ExtractedField, sentences: Sentences, now: Date): Value | null | undefined {
  const text = said.trim()
  const heard = text.toLowerCase()
  if (text === '') return undefined
  if (sentences.hears.unknown.test(heard)) return null
  if (field.enum && field.enum.length > 0) return optionIn(heard, field.enum)
  if (field.format === 'date') return dateIn(text, sentences.locale, now)
  switch (field.type) {
    case 'boolean':
      return truthOf(heard, sentences)
    case 'number':
    case 'integer':
      return numberIn(text, field.type === 'integer')
    default:
      return cutText(
        text
          .replace(sentences.beforeValue, '')
          .replace(/[.!?\s]{1,20}$/, '')
          .trim() || text,
        maxText,
      )
  }
}

/** Whether the answer says yes or no. "Not" counts more than "right": "that is not right" is a no. */
export function truthOf(heard: string, { hears }: Sentences): boolean | undefined {
  if (hears.no.test(heard)) return false
  return hears.yes.test(heard) ? true : undefined
}

// The longest first: "very large" contains "large".
function optionIn(heard: string, options: readonly Value[]): Value | undefined {
  const inOrder = options.toSorted((one, other) => String(other).length - String(one).length)
  return inOrder.find(option => ` ${wordsOf(heard)} `.includes(` ${wordsOf(String(option).toLowerCase())} `))
}
const wordsOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

function numberIn(text: string, isWhole: boolean): number | undefined {
  const [found] = /-?\d[\d.,'\u00a0\u202f]{0,30}/.exec(text) ?? []
  if (found === undefined) return undefined
  const number = Number(plainNumber(found.replace(/['\u00a0\u202f]/g, '').replace(/[.,]{1,9}$/, '')))
  return Number.isFinite(number) && (!isWhole || Number.isInteger(number)) ? number : undefined
}

// 1.234,5 and 1,234.5: the last separator is the decimal one, unless it stands once before three digits (1.234).
function plainNumber(digits: string): string {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last < 0) return digits
  const isThousands = digits.length - last === 4 && new Set(digits.replace(/[^.,]/g, '')).size === 1
  const whole = digits.slice(0, last).replace(/[.,]/g, '')
  const rest = digits.slice(last + 1)
  return isThousands ? `${whole}${rest}` : `${whole}.${rest}`
}

const parsers = { de: chrono.de, en: chrono.en, es: chrono.es, fr: chrono.fr }

function dateIn(text: string, locale: string, now: Date): string | undefined {
  const parser = Object.hasOwn(parsers, locale) ? parsers[locale as keyof typeof parsers] : chrono.en
  const [found] = parser.parse(cutText(text, 200), now, { forwardDate: true })
  if (!found) return undefined
  const [year, month, day] = (['year', 'month', 'day'] as const).map(part => found.start.get(part))
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
