// A range of days in the address, such as "2026-01-01..2026-01-31", and the moments that it means. Either end may be open. Days are UTC days: an
// address or a view then shows the same rows in every time zone.

import { tableWords } from '../language/en/frame.ts'
import { daysAfter, dayText } from '../language/zone.ts'
import type { Param } from './params.ts'

export interface DayRange {
  from: string
  to: string
}

const form = /^(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?$/
const isDay = (text: string) => text === '' || !Number.isNaN(Date.parse(text))

export const dayRange: Param<string> = ([value]) => {
  const range = value === undefined ? null : readRange(value)
  return range && (range.from || range.to) && isDay(range.from) && isDay(range.to) ? writeRange(range) : undefined
}

export function readRange(text: string | undefined): DayRange | null {
  const found = text === undefined ? null : form.exec(text)
  return found && { from: found[1] ?? '', to: found[2] ?? '' }
}

export const writeRange = ({ from, to }: DayRange): string | undefined => (from || to ? `${from}..${to}` : undefined)

/** The range as a text for people; empty without a range. */
export function rangeText(text: string | undefined): string {
  const range = readRange(text)
  if (!range) return ''
  const words = tableWords.days
  const [from, to] = [range.from && dayText(range.from), range.to && dayText(range.to)]
  if (from && to) return from === to ? from : words.between(from, to)
  return from ? words.since(from) : words.until(to)
}

/** The first moment of the range, and the first moment after it. */
export function momentsOf(text: string | undefined): { since?: string; until?: string } {
  const range = readRange(text)
  return {
    ...(range?.from && { since: `${range.from}T00:00:00.000Z` }),
    ...(range?.to && { until: `${daysAfter(range.to, 1)}T00:00:00.000Z` }),
  }
}

/** The range that begins and ends at these moments; undefined without any. */
export function rangeOf(since: unknown, until: unknown): string | undefined {
  const before = typeof until === 'string' ? new Date(Date.parse(until) - 1) : null
  return writeRange({ from: typeof since === 'string' ? dayOf(new Date(since)) : '', to: before ? dayOf(before) : '' })
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
