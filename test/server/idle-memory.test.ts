// Giving memory back while idle: after a start, and after each time of work.

import { setImmediate as turn } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { releaseMemoryWhenIdle } from '../../src/server/idle-memory.ts'

describe('releaseMemoryWhenIdle', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  test('collects 20 s after the start, and once 5 minutes after each time of work', () => {
    const idle = (times: number) => Array.from({ length: times }, () => 0.02)
    // A little work counts, what the workers of an idle process do does not.
    const shares = [...idle(2), 0.8, 0.9, ...idle(14), 0.07, ...idle(16)]
    const collectedAfter: number[] = []
    let looks = 0
    const stop = releaseMemoryWhenIdle(
      () => void collectedAfter.push(looks),
      () => shares[looks++] ?? 0,
    )

    vi.advanceTimersByTime(20_000 * shares.length)
    stop()
    vi.advanceTimersByTime(20_000)

    expect({ collectedAfter, looks }).toEqual({ collectedAfter: [1, 19 + 15], looks: shares.length })
  })

  test('its own collection is a full one, and shows gc to no context that is made later', async () => {
    const garbage = new WeakRef({})
    const stop = releaseMemoryWhenIdle(undefined, () => 0)
    // A weak reference holds its object until the end of the turn that made it.
    await turn()

    vi.advanceTimersByTime(20_000)
    stop()

    expect([garbage.deref(), runInNewContext('typeof gc')]).toEqual([undefined, 'undefined'])
  })
})
