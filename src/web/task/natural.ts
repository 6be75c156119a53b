// Finds a date in a line such as "Call about the offer tomorrow 9". Times are the clock's in the viewer's zone, carried by the UTC fields of a
// Date. Only the end or the beginning of a line is a date: in "Order 2 sun chairs" nothing is.

import type { Chrono, ParsedResult } from 'chrono-node'

export interface Found {
  /** The words that mean the date. */
  words: string
  /** The line without them. */
  rest: string
  /** The clock's time, such as "2026-12-03T14:05". */
  at: string
}

// A day without an hour means the morning; today, the end of the working day or of the day.
const hoursOfDay = [9, 17, 23]
// The parser's English reads no bare hour, as in "tomorrow 9".
const bareHour = /^,?\s+(\d{1,2})(?:[:.](\d{2}))?(?:\s*(?:h|uhr|o'clock))?(?=\s|$)/i
const partOfDay = /night|evening|afternoon|noon|midday|abend|nacht|mittag/i
const minStart = 4

/** The date at the end of the line, or else at its beginning; null for none. */
export function findDate(chrono: Chrono, line: string, now: Date): Found | null {
  const text = line.trimEnd()
  const results = chrono.parse(text, { instant: now, timezone: 0 }, { forwardDate: true }).filter(isDate)
  const found = results.map(result => withHour(result, text, now))
  const last = found.findLast(({ from, to }) => to === text.length && isWord(text, from))
  const first = found.find(({ from, to }) => text.slice(0, from).trim() === '' && to - from >= minStart)
  const chosen = last ?? first
  if (!chosen) return null
  const { from, to, at } = chosen
  const words = (text.slice(0, from) + text.slice(to)).trim().split(/\s+/)
  if (prepositions.has(words.at(-1)?.toLowerCase() ?? '')) words.pop()
  const rest = words.join(' ')
  return { words: text.slice(from, to).trim(), rest, at: at.toISOString().slice(0, 16) }
}

// They belong to the date, which is at the end of the text.
const prepositions = new Set(['by', 'on', 'at', 'until', 'bis', 'am', 'um'])

// A month alone is a word of the title, as in "Send the report of March".
const isDate = ({ start }: ParsedResult) => start.isCertain('day') || start.isCertain('weekday') || start.isCertain('hour')

const isWord = (text: string, from: number) => from === 0 || /\s/.test(text[from - 1] ?? '')

function withHour(result: ParsedResult, text: string, now: Date): { from: number; to: number; at: Date } {
  const { index: from, start } = result
  const end = from + result.text.length
  const at = start.date()
  if (start.isCertain('hour')) {
    // "At 5" of somebody who works by day is five in the afternoon; "5:00" and "5 am" are meant as written.
    const isBare = !start.isCertain('meridiem') && /(?:^|\s)[1-6]$/.test(result.text) && !start.isCertain('second')
    if (isBare && at.getUTCHours() < 7) at.setUTCHours(at.getUTCHours() + 12)
    return { from, to: end, at: isBare ? backToToday(at, now, start.isCertain('day') || start.isCertain('weekday')) : at }
  }
  const [typed, hour, minute = '0'] = bareHour.exec(text.slice(end)) ?? []
  if (typed !== undefined && Number(hour) < 24 && Number(minute) < 60) {
    at.setUTCHours(Number(hour), Number(minute), 0, 0)
    return { from, to: end + typed.length, at }
  }
  if (partOfDay.test(result.text)) return { from, to: end, at }
  const free = hoursOfDay.find(one => new Date(at).setUTCHours(one, 0, 0, 0) > now.getTime())
  at.setUTCHours(free ?? 23, free === 23 || free === undefined ? 59 : 0, 0, 0)
  return { from, to: end, at }
}

/** The parser moves "at 5" to tomorrow when five in the morning is over. */
function backToToday(at: Date, now: Date, isDayGiven: boolean): Date {
  const dayBefore = new Date(at.getTime() - 86_400_000)
  return !isDayGiven && dayBefore > now ? dayBefore : at
}
