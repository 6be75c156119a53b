// The marks of a chart's axis.

import { expect, test } from 'vitest'
import { ticksTo } from '../../src/web/charts/ticks.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [13, [0, 5, 10, 15]],
  [33_600, [0, 10_000, 20_000, 30_000, 40_000]],
  [24_000, [0, 10_000, 20_000, 30_000]],
  [1_999_999_999.5, [0, 500_000_000, 1_000_000_000, 1_500_000_000, 2_000_000_000]],
])('up to %d they are whole, round and at most five', (largest, ticks) => {
  expect(ticksTo(largest)).toEqual(ticks)
})
