// Times and durations in messages of providers. What no call can have counts as unknown, because a column would not hold it.

const [first, last] = [Date.UTC(2000, 0), Date.UTC(2100, 0)]
/** A week: the longest call has two hours. */
const maxSeconds = 604_800

/** A time between the years 2000 and 2100. */
export function timeOf(text: string | null | undefined): Date | undefined {
  const time = text ? Date.parse(text) : Number.NaN
  return time >= first && time < last ? new Date(time) : undefined
}

/** A duration in whole seconds. */
export function secondsOf(value: string | number | null | undefined): number | undefined {
  const seconds = value === null || value === undefined || value === '' ? Number.NaN : Number(value)
  return seconds >= 0 && seconds <= maxSeconds ? Math.round(seconds) : undefined
}

export const secondsBetween = (from: Date, to: Date): number =>
  Math.min(maxSeconds, Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000)))
