// Days as people and spreadsheets write them. Only those that can be read in one way are read. Pure.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthNamed = (name: string) => months.indexOf(name.slice(0, 3).toLowerCase()) + 1

// In these, 3/4/2026 is March 4. In Canada and the Philippines both orders are used.
const monthFirst = new Set(['US', 'FM', 'MH', 'PW', 'PR', 'GU', 'VI', 'AS', 'MP', 'UM'])
const eitherOrder = new Set(['CA', 'PH'])

const clock = /[T ,]{1,9}(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?\s{0,9}([ap]\.?m\.?)?(?:\s{0,9}(?:Z|UTC|GMT))?$/i

/** A day, and a time of it in UTC. */
export interface Moment {
  /** `2026-05-31` */
  day: string
  /** `12:00:00` */
  time: string
}

/**
 * Reads a day with or without a time. `country` decides about 3/4/2026. Null for what is no day of the calendar, or can be read in two ways.
 */
export function readMoment(text: string, country: string | null): Moment | null {
  const found = clock.exec(text)
  const time = found ? timeOf(found) : '00:00:00'
  const day = readDay(found ? text.slice(0, found.index) : text, country)
  return day === null || time === null ? null : { day, time }
}

function timeOf([, hour = '', minute = '', second = '0', half]: RegExpExecArray): string | null {
  const given = Number(hour)
  if (given > 23 || Number(minute) > 59 || Number(second) > 59 || (half !== undefined && (given < 1 || given > 12))) return null
  const hours = half === undefined ? given : (given % 12) + (/^p/i.test(half) ? 12 : 0)
  return [hours, minute, second].map(part => String(part).padStart(2, '0')).join(':')
}

function readDay(text: string, country: string | null): string | null {
  const plain = text.trim().replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i, '')
  const iso = /^(\d{4})([-./]?)(\d{1,2})\2(\d{1,2})$/.exec(plain)
  if (iso && (iso[2] !== '' || plain.length === 8)) return dayOf(Number(iso[1]), Number(iso[3]), Number(iso[4]))
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)$/.exec(plain)
  if (dotted) return dayOf(yearOf(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[-\s./]*([a-z]{3,9})\.?[-\s,./]*(\d{4}|\d\d)$/i.exec(plain)
  if (dayFirst) return dayOf(yearOf(dayFirst[3]), monthNamed(dayFirst[2] ?? ''), Number(dayFirst[1]))
  const named = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i.exec(plain)
  if (named) return dayOf(yearOf(named[3]), monthNamed(named[1] ?? ''), Number(named[2]))
  const numbers = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(plain)
  return numbers ? ordered(Number(numbers[1]), Number(numbers[2]), Number(numbers[3]), country) : null
}

function ordered(first: number, second: number, year: number, country: string | null): string | null {
  if (first > 12 || first === second) return dayOf(year, second, first)
  if (second > 12 || (country !== null && monthFirst.has(country))) return dayOf(year, first, second)
  return country === null || eitherOrder.has(country) ? null : dayOf(year, second, first)
}

// 70: nobody was contacted, and few contracts begin, later than 2069.
const yearOf = (text = '') => (text.length === 4 ? Number(text) : Number(text) + (Number(text) < 70 ? 2000 : 1900))

// JavaScript reads February 31 as March 3.
function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isThere = year >= 1000 && month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere ? date.toISOString().slice(0, 10) : null
}
