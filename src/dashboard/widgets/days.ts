// Calendar days in a time zone.

const dayMs = 86_400_000

/**
 * The time at which a day begins in the time zone: the calendar day that is `days` days before the day of `now`. A day does not always begin
 * at 0:00. Where clocks skip 0:00, it begins at 1:00. Where they have 0:00 twice, it begins with the first.
 */
export function startOfDayBefore(now: Date, days: number, timezone: string): Date {
  const midnight = Math.floor(asUtc(now, timezone) / dayMs) * dayMs - days * dayMs
  // With the offset before a change and the one after it: the earlier that is of this day. A library's `startOf('day')` is an hour early there.
  const [first = Number.NaN, last = first] = [-dayMs, dayMs]
    .map(distance => midnight - offsetAt(midnight + distance, timezone))
    .toSorted((one, other) => one - other)
  return new Date(asUtc(new Date(first), timezone) < midnight ? last : first)
}

const offsetAt = (time: number, timezone: string) => asUtc(new Date(time), timezone) - time

// The zone's clock, read as UTC.
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
