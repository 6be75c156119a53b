// Calendar days in a time zone.

const dayMs = 86_400_000

/** The time at which the day begins in the time zone that is `days` days before the one of `now`. Both are days of the calendar there. */
export function startOfDayBefore(now: Date, days: number, timezone: string): Date {
  const today = asUtc(now, timezone)
  const midnight = Math.floor(today / dayMs) * dayMs - days * dayMs
  // The zone may have another offset at that midnight than now: the second step begins from there.
  const first = midnight - (today - wholeSeconds(now))
  return new Date(midnight - (asUtc(new Date(first), timezone) - first))
}

const wholeSeconds = (at: Date) => Math.floor(at.getTime() / 1000) * 1000

// The zone's clock, as if it were that of UTC.
function asUtc(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
