// Fair queueing: the order in which operations of several organizations run at the concurrency limit.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { createFairQueue, type FairQueueLimits, type Kind } from '../../src/kernel/fair-queue.ts'

/** Operations that the test ends. */
function fixture(limits: Partial<FairQueueLimits> = {}) {
  const fairQueue = createFairQueue(limits)
  const begun: string[] = []
  const ends: { name: string; end: () => void }[] = []
  const ask = (organization: string, times: number, kind?: Kind) =>
    Array.from({ length: times }, () => {
      const work = () => {
        begun.push(organization)
        return new Promise<void>(resolve => ends.push({ name: organization, end: resolve }))
      }
      const ending = fairQueue(organization, work, kind)
      // What waits when a test ends is refused later.
      ending.catch(() => {})
      return ending
    })
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    fairQueue,
    ask,
    /** The organizations of the operations that have begun since the last call. */
    async begun() {
      await settle()
      return begun.splice(0)
    },
    async end(organization: string, times = 1) {
      for (let i = 0; i < times; i++) {
        const index = ends.findIndex(({ name }) => name === organization)
        ends.splice(index, 1)[0]?.end()
        await settle()
      }
    },
  }
}
const times = (organization: string, count: number) => Array.from({ length: count }, () => organization)

describe('the fair queue', () => {
  afterEach(() => void vi.useRealTimers())

  test('one organization alone gets most of the slots, and its other operations wait', async () => {
    const { ask, begun, end } = fixture({ total: 10, alone: 8 })

    ask('a', 20)
    expect(await begun()).toEqual(times('a', 8))
    await end('a', 3)

    expect(await begun()).toEqual(times('a', 3))
  })

  test('a second one begins at once, however many operations of the first wait', async () => {
    const { ask, begun } = fixture({ total: 10, alone: 8 })
    ask('a', 1000)
    await begun()

    ask('b', 1)

    expect(await begun()).toEqual(['b'])
  })

  test('several active ones get equal shares, and those with waiting operations are served in turn', async () => {
    const { ask, begun, end } = fixture({ total: 10, alone: 8, together: 6 })
    ask('a', 100)
    expect(await begun()).toEqual(times('a', 8))
    ask('b', 100)
    // Half of the six.
    expect(await begun()).toEqual(['b', 'b'])
    await end('a', 5)
    // The second gets one more of its share; the first already has its own.
    expect(await begun()).toEqual(['b'])
    await end('a', 2)
    await end('b', 2)

    expect((await begun()).toSorted()).toEqual(['a', 'a', 'b', 'b'])
  })

  test('beside one that asks for less than its share, another one has one operation at a time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { ask, begun, end } = fixture({ total: 10, alone: 8, together: 6 })
    ask('b', 1)
    ask('a', 100)
    ask('a', 100, 'background')
    expect(await begun()).toEqual(['b', 'a'])
    await end('a', 2)
    expect(await begun()).toEqual(['a', 'a'])

    await end('b')
    await end('a')
    expect(await begun()).toEqual(['a'])
    // The next operation of `b` has not come.
    vi.advanceTimersByTime(30)
    await end('a')

    // Three of each kind.
    expect(await begun()).toEqual(times('a', 6))
  })

  test('it has its whole share again when the other operation takes long', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { ask, begun, end } = fixture({ total: 10, alone: 8, together: 6 })
    ask('b', 1)
    ask('a', 100)
    expect(await begun()).toEqual(['b', 'a'])

    vi.advanceTimersByTime(200)
    await end('a')

    expect(await begun()).toEqual(times('a', 3))
  })

  test('work in the background is counted apart, and waits without an end', async () => {
    const { ask, begun, end, fairQueue } = fixture({ total: 10, alone: 2, waiting: 1, lateMs: 20, maxWaitMs: 20 })
    ask('a', 2, 'background')
    const waiting = ask('a', 5, 'background')
    expect(await begun()).toEqual(['a', 'a'])

    expect(await fairQueue('a', async () => 'done')).toBe('done')
    const ending = setInterval(() => void end('a'), 5)
    await Promise.all(waiting)
    clearInterval(ending)
  })

  test('an operation that waits for an outside service holds others up only for a moment', async () => {
    const { ask, begun, fairQueue } = fixture({ total: 2, alone: 2, lateMs: 40 })
    ask('a', 2)
    await begun()

    await fairQueue('a', async () => {})
    await fairQueue('b', async () => {})
  })

  test('while no operation ends, waiting ones begin all the same', async () => {
    const { ask, begun } = fixture({ total: 4, alone: 2, lateMs: 40 })

    ask('a', 50)
    ask('b', 50)

    await vi.waitFor(async () => expect(begunSoFar.push(...(await begun()))).toBe(100), 5_000)
  })
  const begunSoFar: string[] = []

  test('an operation that waits too long is refused with a retry time', async () => {
    const { ask, begun, end, fairQueue } = fixture({ total: 1, alone: 1, lateMs: 40, maxWaitMs: 100 })
    ask('a', 1)
    await begun()
    const ending = setInterval(() => void end('a'), 10)
    for (let i = 0; i < 100; i++) ask('a', 1).map(one => one.catch(() => {}))

    await expect(fairQueue('a', async () => {})).rejects.toMatchObject({ code: 'UNAVAILABLE', extras: { retryAfter: 1 } })
    clearInterval(ending)
  })

  test('a failed operation gives its slot back', async () => {
    const { fairQueue } = fixture({ total: 1, alone: 1, lateMs: 60_000 })
    for (let i = 0; i < 3; i++)
      await expect(
        fairQueue('a', async () => {
          throw new Error('refused')
        }),
      ).rejects.toThrow('refused')
  })

  test('an organization with too many waiting operations is refused with a retry time, others are not', async () => {
    const { ask, begun, fairQueue } = fixture({ total: 3, alone: 2, waiting: 5 })
    ask('a', 7)
    await begun()

    await expect(fairQueue('a', async () => 'never')).rejects.toMatchObject({ code: 'UNAVAILABLE', extras: { retryAfter: 1 } })
    expect(await fairQueue('b', async () => 'done')).toBe('done')
  })

  test('an organization is no longer active after a second without operations', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { ask, begun, fairQueue, end } = fixture({ total: 10, alone: 8, together: 4 })
    await fairQueue('b', async () => {})
    vi.advanceTimersByTime(500)
    ask('a', 4)
    expect(await begun()).toEqual(['a', 'a'])

    vi.advanceTimersByTime(2_500)
    ask('a', 10)
    await end('a', 1)

    expect(await begun()).toEqual(times('a', 7))
  })
})
