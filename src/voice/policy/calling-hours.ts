// Calling hours: times of day and days of the week in the callee's time zone. Pure.

export interface CallingHours {
  /** HH:MM; both or neither. `until` is exclusive. */
  from: string | null
  until: string | null
  /** 1 is Monday, 7 is Sunday. */
  days: readonly number[]
}

const minuteMs = 60_000
const dayMinutes = 1440
// 3 hours: clocks change by one hour, in Antarctica by two. A larger difference means that the time belongs to the day before.
const maxChange = 180
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The first time from `now` on within the calling hours, which may be `now` itself; null if there is none. */
export function nextOpening({ from, until, days }: CallingHours, timezone: string, now: Date): Date | null {
  if (days.length === 0) return null
  const opens = from === null ? 0 : minutesOf(from)
  const closes = until === null ? dayMinutes : minutesOf(until)
  let at = now
  // Each step goes to the opening time or to midnight. If clocks go back in between, it stops earlier, and the next step continues.
  for (let steps = 0; steps < 30; steps++) {
    const local = localTime(at, timezone)
    if (!days.includes(local.weekday) || local.minutes >= closes) at = nextTime(at, dayMinutes, timezone)
    else if (local.minutes < opens) at = nextTime(at, opens, timezone)
    else return at
  }
  return null
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** The time at which the local clock shows `minutes` after this day's midnight; up to two hours earlier if clocks go back before it. */
function nextTime(at: Date, minutes: number, timezone: string): Date {
  const landed = later(at, minutes - localTime(at, timezone).minutes)
  const wanted = minutes % dayMinutes
  const tooLate = localTime(landed, timezone).minutes - wanted
  if (tooLate <= 0 || tooLate > maxChange) return landed
  const back = later(landed, -tooLate)
  // If clocks going forward skip the local time, the time after the gap.
  return localTime(back, timezone).minutes === wanted ? back : landed
}

// Rounded down to the minute, so that the result is the opening time and not some seconds later.
const later = (at: Date, minutes: number) => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs + minutes * minuteMs)

// Creating a format takes 50 microseconds, using it 2. There are about 400 zones.
const formats = new Map<string, Intl.DateTimeFormat>()

function localTime(at: Date, timezone: string): { weekday: number; minutes: number } {
  let format = formats.get(timezone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timezone, format)
  }
  const part = (type: string, parts: Intl.DateTimeFormatPart[]) => parts.find(one => one.type === type)?.value ?? ''
  const parts = format.formatToParts(at)
  return {
    weekday: weekdays.indexOf(part('weekday', parts)) + 1,
    minutes: Number(part('hour', parts)) * 60 + Number(part('minute', parts)),
  }
}
