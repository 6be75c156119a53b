// Days as people and spreadsheets write them. Only those that can be read in one way are read. Pure.

import { plainText, plainWord } from './characters.ts'
import { languages } from './countries.ts'

// In these, 3/4/2026 is March 4. In Canada and the Philippines both orders are used.
const monthFirst = new Set(['US', 'FM', 'MH', 'PW', 'PR', 'GU', 'VI', 'AS', 'MP', 'UM'])
const eitherOrder = new Set(['CA', 'PH'])

const clock =
  /(?:[T ,]|(?<=[ ,])(?:um|at|à|klo?)){1,9}(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?\s{0,9}([ap]\.?m\.?)?(?:\s{0,9}(?:Uhr|h))?$/i
// The offset, and the names of zones that programs write behind it.
const zone = /\s{0,9}(?:(?:GMT|UTC)?([+-]\d\d(?::?\d\d)?)|Z|GMT|UTC)\s{0,9}(?:\([^()]*\)|\[[^[\]]*\])?$/i

// The day 0 of spreadsheets: they count February 29, 1900, which was none.
const dayZero = Date.UTC(1899, 11, 30)

/** A day as a spreadsheet counts days, such as 45078; null for another text. */
export function serialMoment(text: string): Moment | null {
  const [days] = /^[2-7]\d{4}(?:[.,]\d+)?$/.exec(plainText(text)) ?? []
  if (days === undefined) return null
  // To the second: the fraction of a day has no more.
  const moment = new Date(dayZero + Math.round(Number(days.replace(',', '.')) * 86_400) * 1000).toISOString()
  return { day: moment.slice(0, 10), time: moment.slice(11, 19), offset: 'Z' }
}

/** A day, and a time of it. */
export interface Moment {
  /** `2026-05-31` */
  day: string
  /** `12:00:00` or `12:00:00.123` */
  time: string
  /** `+02:00`; `Z` where the text has none. */
  offset: string
}

/**
 * Reads a day with or without a time. `country` decides about 3/4/2026. Null for a text that is no day of the calendar, or can be read in two ways.
 */
export function readMoment(given: string, country: string | null): Moment | null {
  // Spain writes p. m. for pm, and Finland, Denmark and Italy 14.30 for 14:30.
  const text = plainText(given)
    .replace(/(?<=[ap]\.) (?=m\.?$)/i, '')
    .replace(/(?<=\d{4},? (?:klo? |kl\. )?)(\d{1,2})\.(\d\d)(?:\.(\d\d))?$/, (_all, ...parts) =>
      parts.slice(0, 3).filter(Boolean).join(':'),
    )
  const zoned = /\d:\d\d/.test(text) ? zone.exec(text) : null
  const local = zoned ? text.slice(0, zoned.index) : text
  const found = clock.exec(local)
  const time = found ? timeOf(found) : '00:00:00'
  const day = readDay(found ? local.slice(0, found.index) : local, country)
  return day === null || time === null ? null : { day, time, offset: offsetOf(zoned?.[1]) }
}

const offsetOf = (text: string | undefined) => (text === undefined ? 'Z' : `${text.slice(0, 3)}:${text.slice(3).replace(':', '') || '00'}`)

function timeOf([, hour = '', minute = '', second = '0', half]: RegExpExecArray): string | null {
  const given = Number(hour)
  if (given > 23 || Number(minute) > 59 || Number(second) >= 60 || (half !== undefined && (given < 1 || given > 12))) return null
  const hours = half === undefined ? given : (given % 12) + (/^p/i.test(half) ? 12 : 0)
  return [hours, minute, second].map(part => String(part).padStart(2, '0')).join(':')
}

function readDay(text: string, country: string | null): string | null {
  const plain = text
    .replace(/[年月년월](?:\s?)/g, '-')
    .replace(/(?<=[日\d])\s?(?:\(\p{L}\)|星期\p{L})$/u, '')
    .replace(/\s?(?:[日일]|(?<=\d\s?)[гр]\.?)$/, '')
    .replace(
      /^[\p{L}\p{M}]{2,15}\.?,\s{0,9}(?=\d|\p{L})|^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s{1,9}|^[\p{L}\p{M}]{2,15}\.?\s{1,9}(?=\d{1,2}\.?\s\p{L})/iu,
      '',
    )
    .trim()
  const iso = /^(\d{4})(?:(-|\/|\.\s?)?)(\d{1,2})(?:-|\/|\.\s?)?(\d{1,2})\.?$/.exec(plain)
  if (/^\d{4}-\d\d-\d\d$/.test(plain)) return dayOf(Number(iso?.[1]), Number(iso?.[3]), Number(iso?.[4]))
  const found = readWritten(plain, iso, country)
  return found !== null && isOfAnotherCalendar(Number(found.slice(0, 4))) ? null : found
}

// In 2024 it is 2567 in Thailand, and 1402 or 1445 in the calendars of Iran and Arabia: nobody means such years of ours.
const isOfAnotherCalendar = (year: number) => (year > 1300 && year < 1500) || (year > 2400 && year < 2700)

function readWritten(plain: string, iso: RegExpExecArray | null, country: string | null): string | null {
  if (iso && (iso[2] !== undefined || plain.length === 8)) return dayOf(Number(iso[1]), Number(iso[3]), Number(iso[4]))
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)$/.exec(plain)
  if (dotted) return dayOf(yearOf(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const dayFirst =
    /^(\d{1,2})(?:st|nd|rd|th|er)?[\s./-]{0,3}(?:(?:of|de)\s)?([\p{L}\p{M}]{3,15})[\s,./-]{0,3}(?:de[l]?\s)?(\d{4}|\d\d)$/iu.exec(plain)
  if (dayFirst) return dayOf(yearOf(dayFirst[3]), monthNamed(dayFirst[2]), Number(dayFirst[1]))
  const named = /^([\p{L}\p{M}]{3,15})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(\d{4})$/iu.exec(plain)
  if (named) return dayOf(yearOf(named[3]), monthNamed(named[1]), Number(named[2]))
  const yearFirst = /^(\d{4})\.?[\s-]([\p{L}\p{M}]{3,15})\.?[\s-](\d{1,2})\.?$/u.exec(plain)
  if (yearFirst) return dayOf(Number(yearFirst[1]), monthNamed(yearFirst[2]), Number(yearFirst[3]))
  const numbers = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)$/.exec(plain)
  return numbers ? dayOfNumbers(Number(numbers[1]), Number(numbers[3]), yearOf(numbers[4]), country) : null
}

function dayOfNumbers(first: number, second: number, year: number, country: string | null): string | null {
  if (first > 12 || first === second) return dayOf(year, second, first)
  if (second > 12 || (country !== null && monthFirst.has(country))) return dayOf(year, first, second)
  return country === null || eitherOrder.has(country) ? null : dayOf(year, second, first)
}

let monthByName: ReadonlyMap<string, number> | undefined

/** The number of the month of a name in most languages, whole or shortened; 0 for none, and for a word that is one month here and another there. */
function monthNamed(name = ''): number {
  monthByName ??= months()
  const word = plainWord(name)
  return monthByName.get(word) ?? 0
}

// Built at the first use.
function months(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const language of languages.split(' '))
    for (const month of ['long', 'short'] as const)
      for (const options of [{ month }, { month, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', numberingSystem: 'latn', calendar: 'gregory' })
        for (let number = 1; number <= 12; number++) {
          const parts = format.formatToParts(Date.UTC(2026, number - 1, 5))
          const word = plainWord(parts.find(({ type }) => type === 'month')?.value ?? '')
          if (/\p{L}/u.test(word)) found.set(word, (found.get(word) ?? number) === number ? number : 0)
        }
      }
  // English decides, and has four letters for September.
  for (const [index, name] of 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').entries()) found.set(name, index + 1)
  return found.set('sept', 9)
}

// 70: nobody was contacted, and few contracts begin, later than 2069.
const yearOf = (text = '') => (text.length === 4 ? Number(text) : Number(text) + (Number(text) < 70 ? 2000 : 1900))

// JavaScript reads February 31 as March 3.
function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isThere = year >= 1000 && month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere ? date.toISOString().slice(0, 10) : null
}
