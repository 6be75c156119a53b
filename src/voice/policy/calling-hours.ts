// When a phone may ring: hours of the day and days of the week, in the time zone of whoever is called. Pure.

export interface CallingHours {
  /** HH:MM; both or neither. The end is not included. */
  from: string | null
  until: string | null
  /** 1 Monday .. 7 Sunday. */
  days: readonly number[]
}

const minuteMs = 60_000
const dayMinutes = 1440
// 3 hours: clocks change by one, in Antarctica by two. A step that ends an hour before midnight is 23 hours past it, and not too late.
const mostChange = 180
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The first time from `now` on at which the phone may ring: `now` itself inside the hours, null when no day is left. */
export function nextOpening({ from, until, days }: CallingHours, timezone: string, now: Date): Date | null {
  if (days.length === 0) return null
  const opens = from === null ? 0 : minutesOf(from)
  const closes = until === null ? dayMinutes : minutesOf(until)
  let at = now
  // Each step goes to a later opening or midnight. Where the clocks are put back on the way it ends before that; the next one goes on.
  for (let steps = 0; steps < 30; steps++) {
    const local = localTime(at, timezone)
    if (!days.includes(local.weekday) || local.minutes >= closes) at = nextTime(at, dayMinutes, timezone)
    else if (local.minutes < opens) at = nextTime(at, opens, timezone)
    else return at
  }
  return null
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** When the clock shows so many minutes after this day's midnight, or an hour before that, where the clocks are put back meanwhile. */
function nextTime(at: Date, minutes: number, timezone: string): Date {
  const landed = later(at, minutes - localTime(at, timezone).minutes)
  const wanted = minutes % dayMinutes
  const tooLate = localTime(landed, timezone).minutes - wanted
  if (tooLate <= 0 || tooLate > mostChange) return landed
  const back = later(landed, -tooLate)
  // A time that the clocks leave out is as much later as they are put forward.
  return localTime(back, timezone).minutes === wanted ? back : landed
}

// To a full minute, so that the wait ends at the opening and not some seconds after it.
const later = (at: Date, minutes: number) => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs + minutes * minuteMs)

// Making one takes 50 microseconds, using one takes 2; there are some 400 zones.
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
