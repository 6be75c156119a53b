// Checks series of samples: whether a figure grows, by a slope that single outliers do not move.

import { median } from '../support/median.ts'

export interface Measure {
  name: string
  unit: string
  /** What it may grow by within an hour. */
  perHour: number
  /** What it may grow by in less than an hour, or where `perHour` is 0, because it moves as much by itself. */
  noise: number
}

export interface Sample {
  atMs: number
  value: number
}

export interface Verdict {
  first: number
  last: number
  growth: number
  perHour: number
  allowed: number
  isFlat: boolean
}

const hourMs = 3_600_000

/** Samples are in the order of their time. Fewer than ten give NaN, which is not flat. */
export function checkSlope({ perHour, noise }: Omit<Measure, 'name' | 'unit'>, samples: readonly Sample[]): Verdict {
  const hours = samples.length < 10 ? Number.NaN : ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / hourMs
  const slope = theilSen(samples) * hourMs
  const growth = slope * hours
  const allowed = Math.max(perHour * hours, hours < 1 || perHour === 0 ? noise : 0)
  const third = Math.ceil(samples.length / 3)
  const valuesOf = (part: readonly Sample[]) => median(part.map(({ value }) => value))
  return {
    first: valuesOf(samples.slice(0, third)),
    last: valuesOf(samples.slice(-third)),
    growth,
    perHour: slope,
    allowed,
    isFlat: growth <= allowed,
  }
}

/** The median of the slopes of all pairs of samples, per millisecond: up to 29 % of the samples may be anything. */
export function theilSen(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((later, index) =>
    samples.slice(0, index).map(earlier => (later.value - earlier.value) / (later.atMs - earlier.atMs)),
  )
  return median(slopes)
}
