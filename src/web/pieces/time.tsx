// A moment: relative at a glance, exact in the viewer's zone on hover. A past moment never shows as future, although the clocks of browser and
// server differ. `isPlanned` is for moments that may be in the future, such as a due date.

import { useSyncExternalStore } from 'react'
import { locale } from '../language/language.ts'
import { dayOf, zonedFormat } from '../language/zone.ts'
import { useViewersZone } from '../session/preferences.ts'

const exactly = zonedFormat({ dateStyle: 'full', timeStyle: 'long' })
const thisYear = zonedFormat({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })
const timeOfDay = zonedFormat({ hour: 'numeric', minute: '2-digit' })
const otherYear = zonedFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const relatively = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
// An hour counts for plans: "tomorrow, 9:00 AM", not "in 13 hr.".
const nearDays = 1

export function Time({ at, isPlanned = false }: { at: string; isPlanned?: boolean }) {
  const now = useMinute()
  useViewersZone()
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactly(date)}>
      {relative(date, now, isPlanned)}
    </time>
  )
}

/** Returns "3 Dec, 14:05". */
export const exact = (at: string): string => thisYear(new Date(at))

function relative(date: Date, now: number, isPlanned: boolean): string {
  const difference = (date.getTime() - now) / 1000
  const seconds = isPlanned ? difference : Math.min(difference, 0)
  const size = Math.abs(seconds)
  if (size < 45) return relatively.format(0, 'second')
  if (size < 45 * 60) return relatively.format(Math.round(seconds / 60), 'minute')
  const days = (Date.parse(dayOf(date)) - Date.parse(dayOf(new Date(now)))) / 86_400_000
  if (isPlanned && Math.abs(days) <= nearDays) return `${relatively.format(days, 'day')}, ${timeOfDay(date)}`
  if (size < 22 * 3600) return relatively.format(Math.round(seconds / 3600), 'hour')
  if (size < 7 * 86_400) return relatively.format(Math.round(seconds / 86_400), 'day')
  return (date.getFullYear() === new Date(now).getFullYear() ? thisYear : otherYear)(date)
}

// One clock for all times on the screen.
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function useMinute(): number {
  return useSyncExternalStore(listen, () => now)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  // The clock stops while no time is shown, so it may be old.
  if (timer === undefined) now = Date.now()
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tell of listeners) tell()
  }, 30_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
