// Times and durations in messages of providers. A value that no call can have counts as unknown, because a column would not hold it.

const [first, last] = [Date.UTC(2000, 0), Date.UTC(2100, 0)]
/** A week: the longest call has two hours. */
export const maxSeconds = 604_800

// Seconds until 2100 are fewer, and milliseconds since 2000 more.
const maxTimeInSeconds = 1e11

/** A time between the years 2000 and 2100. A number, also as text, is in seconds or milliseconds since 1970. */
export function timeOf(value: string | number | null | undefined): Date | undefined {
  const number = typeof value === 'number' || /^\s{0,9}\d{9,15}(?:\.\d{1,9})?\s{0,9}$/.test(value ?? '') ? Number(value) : Number.NaN
  const time = Number.isNaN(number) ? Date.parse(String(value ?? '')) : number < maxTimeInSeconds ? number * 1000 : number
  return time >= first && time < last ? new Date(time) : undefined
}

/** A duration in whole seconds. */
export function secondsOf(value: string | number | null | undefined): number | undefined {
  // `Number` reads a blank text as 0, which would cost a call its duration.
  const seconds = value === null || value === undefined || String(value).trim() === '' ? Number.NaN : Number(value)
  return seconds >= 0 && seconds <= maxSeconds ? Math.round(seconds) : undefined
}

/** A time within a call, in milliseconds, from a value in units of `factor` milliseconds. A later one than any call has counts as unknown. */
export function millisecondsOf(value: number | null | undefined, factor: number): number | null {
  const milliseconds = Math.round((value ?? Number.NaN) * factor)
  return milliseconds >= 0 && milliseconds <= maxSeconds * 1000 ? milliseconds : null
}

export const secondsBetween = (from: Date, to: Date): number =>
  Math.min(maxSeconds, Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000)))
