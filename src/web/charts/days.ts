// The label of a chart's day: the day itself, or the week, month or year that it begins.

import type { CalendarUnit } from '../generated/schema.ts'
import { locale } from '../language/language.ts'

const dayNames = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const monthNames = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })

export function dayLabel(day: string, per: CalendarUnit): string {
  if (per === 'YEAR') return day.slice(0, 4)
  return (per === 'MONTH' ? monthNames : dayNames).format(new Date(`${day}T00:00:00Z`))
}
