// The days of a list, in the zone of the viewer, and the times at which a snoozed item may come back.

import type { InboxRow } from '../inbox-item/sentence.ts'
import { inboxWords } from '../language/en/inbox.ts'
import { zonedFormat } from '../language/zone.ts'

const dayOf = zonedFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const dayMs = 86_400_000

/** The rows by the day of `shownAt`, in their order. */
export function byDay(rows: readonly InboxRow[], now = new Date()): readonly (readonly [day: string, rows: InboxRow[]])[] {
  const names = new Map([
    [dayOf(now), inboxWords.today],
    [dayOf(new Date(now.getTime() - dayMs)), inboxWords.yesterday],
  ])
  return [
    ...Map.groupBy(rows, ({ shownAt }) => {
      const day = dayOf(new Date(shownAt))
      return names.get(day) ?? day
    }),
  ]
}

/** The times that a snooze offers, soonest first. */
export function snoozeTimes(now = new Date()): readonly { label: string; at: Date }[] {
  const at = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  const { hour, evening, tomorrow, week } = inboxWords.until
  const untilMonday = (8 - now.getDay()) % 7 || 7
  return [
    { label: hour, at: new Date(now.getTime() + 3_600_000) },
    ...(now.getHours() < 17 ? [{ label: evening, at: at(0, 18) }] : []),
    { label: tomorrow, at: at(1, 8) },
    { label: week, at: at(untilMonday, 8) },
  ]
}
