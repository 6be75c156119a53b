// Times in the viewer's zone: as people read them, and as inputs hold them, "2026-12-03T14:05".

import { viewersZone } from '../session/preferences.ts'

/** A format that follows the viewer's zone. */
export function zonedFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: { zone: string; format: Intl.DateTimeFormat } | undefined
  return date => {
    const zone = viewersZone()
    if (made?.zone !== zone) made = { zone, format: new Intl.DateTimeFormat(undefined, { ...options, timeZone: zone }) }
    return made.format.format(date)
  }
}

/** "2026-12-03T14:05": what clocks there say. */
export const toZone = (date: Date): string => clockOf(date).toISOString().slice(0, 16)

/** The moment at which clocks there say so; the later one where they say it twice. Invalid for what is no time. */
export function fromZone(text: string): Date {
  const clock = Date.parse(`${text}Z`)
  if (Number.isNaN(clock)) return new Date(clock)
  const near = clock - offsetAt(new Date(clock))
  return new Date(clock - offsetAt(new Date(near)))
}

/**
 * The first moment of a day there, which is not always 0:00: where clocks go from 0:00 to 1:00 in spring the day begins at 1:00, and where they
 * say 0:00 twice it begins with the first of them. Every bound by days is made here.
 */
export function startOfDay(day: string): Date {
  const midnight = Date.parse(day)
  const [first = Number.NaN, last = first] = [-dayMs, dayMs]
    .map(distance => midnight - offsetAt(new Date(midnight + distance)))
    .toSorted((one, other) => one - other)
  return new Date(dayOf(new Date(first)) < day ? last : first)
}

/** "2026-12-03": the day that it is there. */
export const dayOf = (date: Date): string => toZone(date).slice(0, 10)

/** "2026-12-03", so many days later. */
export const daysAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

const dayMs = 86_400_000

const offsetAt = (date: Date): number => clockOf(date).getTime() - Math.floor(date.getTime() / 1000) * 1000

let parts: { zone: string; format: Intl.DateTimeFormat } | undefined

/** A date whose UTC fields are what clocks there say. */
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
