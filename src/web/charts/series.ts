// Turns counts over time into the rows of a chart: every day has a row, and there are at most five series.

import type { CalendarUnit } from '../generated/schema.ts'
import { dayOf, daysAfter } from '../language/zone.ts'

interface TimeRow {
  /** The first day of the row's unit, such as 2026-12-03. */
  day: string
  values: Readonly<Record<string, number>>
}

export interface TimeSeries {
  rows: readonly TimeRow[]
  /** The series with the largest sum comes first. */
  names: readonly string[]
}

interface Entry {
  day: string
  name: string
  value: number
}

const maxSeries = 5
export const otherName = 'OTHER'

/** Rows without gaps up to today. They begin with the range, or with the first entry when there is no range. */
export function timeSeries(entries: readonly Entry[], { per, rangeDays }: { per: CalendarUnit; rangeDays: number | null }): TimeSeries {
  const totals = new Map<string, number>()
  for (const { name, value } of entries) totals.set(name, (totals.get(name) ?? 0) + value)
  const byTotal = [...totals].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  const kept = byTotal.length > maxSeries ? [...byTotal.slice(0, maxSeries - 1), otherName] : byTotal
  const values = new Map<string, Record<string, number>>()
  for (const day of daysOf(entries, per, rangeDays)) values.set(day, Object.fromEntries(kept.map(name => [name, 0])))
  for (const { day, name, value } of entries) {
    const shown = kept.includes(name) ? name : otherName
    const row = values.get(day) ?? Object.fromEntries(kept.map(one => [one, 0]))
    row[shown] = (row[shown] ?? 0) + value
    values.set(day, row)
  }
  const rows = [...values].map(([day, row]) => ({ day, values: row })).toSorted((a, b) => (a.day < b.day ? -1 : 1))
  return { rows, names: kept }
}

// The limit of a chart without a range: two years and a day.
const maxDays = 731

function daysOf(entries: readonly Entry[], per: CalendarUnit, rangeDays: number | null): string[] {
  // Weeks, months and years begin by the calendar, which the server knows; it sends those that have entries.
  if (per !== 'DAY') return []
  const first = entries.map(({ day }) => day).toSorted()[0]
  const length = rangeDays ?? (first ? Math.round((Date.parse(today()) - Date.parse(first)) / 86_400_000) + 1 : 0)
  return Array.from({ length: Math.min(length, maxDays) }, (_, index) => daysBefore(length - 1 - index))
}

const today = () => daysBefore(0)

/** Counts days in the viewer's zone, as the server does. */
const daysBefore = (days: number): string => daysAfter(dayOf(new Date()), -days)

export const sumOf = ({ rows }: TimeSeries, name: string): number => rows.reduce((sum, { values }) => sum + (values[name] ?? 0), 0)
export const sumOfAll = (series: TimeSeries): number => series.names.reduce((sum, name) => sum + sumOf(series, name), 0)
