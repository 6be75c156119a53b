// Requests of one address to the identity provider, over minutes.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requestLimits } from '../../../src/identity/provider/request-limits.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const rule = { window: 60, max: 20 }

test('an office that signs in steadily, below the limit, is never refused', async () => {
  const { customStorage } = requestLimits(true)
  const refused: number[] = []
  for (let second = 0; second < 600; second += 4) {
    if (!(await customStorage?.consume('203.0.113.7|/sign-in/email', rule))?.allowed) refused.push(second)
    vi.advanceTimersByTime(4_000)
  }
  expect(refused).toEqual([])
})

test('the request above the limit is refused until the minute is over, and other addresses are not', async () => {
  const { customStorage } = requestLimits(true)
  const ask = async (address = '203.0.113.7') => await customStorage?.consume(address, rule)
  for (let i = 0; i < 20; i++) expect(await ask()).toEqual({ allowed: true, retryAfter: null })
  vi.advanceTimersByTime(20_000)
  expect([await ask(), await ask('203.0.113.8')]).toEqual([
    { allowed: false, retryAfter: 40 },
    { allowed: true, retryAfter: null },
  ])
  vi.advanceTimersByTime(40_000)
  expect((await ask())?.allowed).toBe(true)
})
