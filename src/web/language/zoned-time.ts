// A moment on the clock of another place, such as "Mon, Nov 30, 9:00 AM (Europe/Berlin)", and on the reader's where it shows another time.

import { viewersZone } from '../session/preferences.ts'
import { callFormWords } from './en/screens/call-form.ts'
import { locale } from './language.ts'

const options = { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const

export function timeIn(zone: string, at: string): string {
  const here = clockIn(viewersZone(), at) ?? ''
  const there = clockIn(zone, at)
  // The browser does not know the zone.
  if (there === null) return callFormWords.zoned(here, viewersZone().replaceAll('_', ' '), null)
  return callFormWords.zoned(there, zone.replaceAll('_', ' '), there === here ? null : here)
}

function clockIn(timeZone: string, at: string): string | null {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(new Date(at))
  } catch {
    return null
  }
}
