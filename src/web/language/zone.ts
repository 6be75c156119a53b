// Times in the viewer's zone, as texts for people and for inputs, such as "2026-12-03T14:05".

import { viewersZone } from '../session/preferences.ts'
import { locale } from './language.ts'

/** A format that follows the viewer's zone. */
export function zonedFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: { zone: string; format: Intl.DateTimeFormat } | undefined
  return date => {
    const zone = viewersZone()
    if (made?.zone !== zone) made = { zone, format: new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }) }
    return made.format.format(date)
  }
}

/** The clock's time in the zone, such as "2026-12-03T14:05". */
export const toZone = (date: Date): string => clockOf(date).toISOString().slice(0, 16)

/** The moment of a clock's time in the zone; the later one when clocks show it twice. An invalid Date for an invalid text. */
export function fromZone(text: string): Date {
  const clock = Date.parse(`${text}Z`)
  if (Number.isNaN(clock)) return new Date(clock)
  const near = clock - offsetAt(new Date(clock))
  return new Date(clock - offsetAt(new Date(near)))
}

/**
 * The first moment of a day in the zone, which is not always 0:00. If clocks skip from 0:00 to 1:00, the day begins at 1:00. If clocks show 0:00
 * twice, the day begins with the first one. All ranges of days are built with this function.
 */
export function startOfDay(day: string): Date {
  const midnight = Date.parse(day)
  const [first = Number.NaN, last = first] = [-dayMs, dayMs]
    .map(distance => midnight - offsetAt(new Date(midnight + distance)))
    .toSorted((one, other) => one - other)
  return new Date(dayOf(new Date(first)) < day ? last : first)
}

/** The day in the zone, such as "2026-12-03". */
export const dayOf = (date: Date): string => toZone(date).slice(0, 10)

const plainDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** Returns "3 Dec 2026" for a day, such as 2026-12-03. */
export const dayText = (day: string): string => plainDay.format(new Date(`${day}T00:00:00Z`))

/** The day so many days later. */
export const daysAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

const dayMs = 86_400_000

const offsetAt = (date: Date): number => clockOf(date).getTime() - Math.floor(date.getTime() / 1000) * 1000

let parts: { zone: string; format: Intl.DateTimeFormat } | undefined

/** A date whose UTC fields show the clock's time in the zone. */
function clockOf(date: Date): Date {
  const zone = viewersZone()
  if (parts?.zone !== zone)
    parts = {
      zone,
      format: new Intl.DateTimeFormat('en-US', {
        ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
        ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
      }),
    }
  const of = Object.fromEntries(parts.format.formatToParts(date).map(({ type, value }) => [type, Number(value)]))
  return new Date(Date.UTC(of.year ?? 0, (of.month ?? 1) - 1, of.day, of.hour, of.minute, of.second))
}
