// The check of the soak: a slow leak among outliers is found, noise and warm caches are not taken for one.

import { expect, test } from 'vitest'
import { median } from '../support/median.ts'
import { checkSlope, type Sample, theilSen } from './slope.ts'

// Noise that is the same in every run: the fractional part of multiples of the golden ratio.
const noise = (index: number) => ((index * 0.618_033_988_75) % 1) - 0.5
/** A sample each ten seconds. */
const series = (minutes: number, value: (minute: number, index: number) => number): Sample[] =>
  Array.from({ length: minutes * 6 }, (_, index) => ({ atMs: index * 10_000, value: value(index / 6, index) }))
const heap = { perHour: 1, noise: 3 }

test('a leak of 2 MiB an hour is found within two hours, one of 60 MiB an hour within four minutes', () => {
  const slow = checkSlope(
    heap,
    series(110, (minute, index) => 90 + (minute / 60) * 2 + noise(index) * 3),
  )
  const fast = checkSlope(
    heap,
    series(4, (minute, index) => 90 + minute + noise(index)),
  )

  expect(slow.isFlat).toBe(false)
  expect(fast.isFlat).toBe(false)
})

test('outliers in a quarter of the samples and noise are no growth', () => {
  const { isFlat, perHour } = checkSlope(
    heap,
    series(110, (_, index) => 90 + noise(index) * 3 + (index % 4 === 3 ? 100 : 0)),
  )

  expect(isFlat).toBe(true)
  expect(Math.abs(perHour)).toBeLessThan(0.2)
})

test('a count that grows by one a minute is found, and one that goes up and down is not', () => {
  const count = { perHour: 0, noise: 5 }

  expect(
    checkSlope(
      count,
      series(10, minute => 40 + Math.floor(minute)),
    ).isFlat,
  ).toBe(false)
  expect(
    checkSlope(
      count,
      series(10, (_, index) => 40 + (index % 7)),
    ).isFlat,
  ).toBe(true)
})

test('too few samples, or one that is no number, are not flat', () => {
  expect(
    checkSlope(
      heap,
      series(1, () => 90),
    ).isFlat,
  ).toBe(false)
  expect(
    checkSlope(
      heap,
      series(10, () => Number.NaN),
    ).isFlat,
  ).toBe(false)
})

test('median and slope', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN])
  expect(theilSen([0, 1, 2, 3, 4].map(at => ({ atMs: at, value: at === 2 ? 1000 : at * 7 })))).toBe(7)
})
