// Fair turns: who is served when more is asked for than can be done at once.

import { describe, expect, test, vi } from 'vitest'
import { createTurns, type TurnLimits } from '../../src/turns.ts'

/** Operations that end when the test says so. */
function desk(limits: Partial<TurnLimits> = {}) {
  const turns = createTurns(limits)
  const begun: string[] = []
  const ends: { name: string; end: () => void }[] = []
  const ask = (organization: string, times: number) =>
    Array.from({ length: times }, () =>
      turns(organization, () => {
        begun.push(organization)
        return new Promise<void>(resolve => ends.push({ name: organization, end: resolve }))
      }),
    )
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    turns,
    ask,
    /** The organizations of the operations that have begun since the last time. */
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

describe('turns', () => {
  test('one organization alone has nearly all, and the rest waits', async () => {
    const { ask, begun, end } = desk({ total: 10, alone: 8 })

    ask('a', 20)
    expect(await begun()).toEqual(times('a', 8))
    await end('a', 3)

    expect(await begun()).toEqual(times('a', 3))
  })

  test('another one that comes begins at once, whatever the first has waiting', async () => {
    const { ask, begun } = desk({ total: 10, alone: 8 })
    ask('a', 1000)
    await begun()

    ask('b', 1)

    expect(await begun()).toEqual(['b'])
  })

  test('with several active each has an equal part, and those with something waiting are served in turn', async () => {
    const { ask, begun, end } = desk({ total: 10, alone: 8, together: 6 })
    ask('a', 100)
    expect(await begun()).toEqual(times('a', 8))
    ask('b', 100)
    // Its part of six for two.
    expect(await begun()).toEqual(['b', 'b'])
    await end('a', 5)
    // One for the other's part, and none for the first, which still has its own.
    expect(await begun()).toEqual(['b'])
    await end('a', 2)
    await end('b', 2)

    expect((await begun()).toSorted()).toEqual(['a', 'a', 'b', 'b'])
  })

  test('an operation that waits for somebody outside keeps nobody waiting for longer than a moment', async () => {
    const { ask, begun, turns } = desk({ total: 2, alone: 2, lateMs: 40 })
    ask('a', 2)
    await begun()

    await turns('a', async () => {})
    await turns('b', async () => {})
  })

  test('while nothing ends at all, nobody is kept waiting for a turn', async () => {
    const { ask, begun } = desk({ total: 4, alone: 2, lateMs: 40 })

    ask('a', 50)
    ask('b', 50)

    await vi.waitFor(async () => expect(begunSoFar.push(...(await begun()))).toBe(100), 5_000)
  })
  const begunSoFar: string[] = []

  test('an operation whose turn does not come is told to come again', async () => {
    const { ask, begun, end, turns } = desk({ total: 1, alone: 1, lateMs: 40, patienceMs: 100 })
    ask('a', 1)
    await begun()
    const ending = setInterval(() => void end('a'), 10)
    for (let i = 0; i < 100; i++) ask('a', 1).map(one => one.catch(() => {}))

    await expect(turns('a', async () => {})).rejects.toMatchObject({ code: 'UNAVAILABLE', extras: { retryAfter: 1 } })
    clearInterval(ending)
  })

  test('what fails gives its turn back', async () => {
    const { turns } = desk({ total: 1, alone: 1, lateMs: 60_000 })
    for (let i = 0; i < 3; i++)
      await expect(
        turns('a', async () => {
          throw new Error('refused')
        }),
      ).rejects.toThrow('refused')
  })

  test('an organization with too much waiting is told to come again, others are not', async () => {
    const { ask, begun, turns } = desk({ total: 3, alone: 2, waiting: 5 })
    ask('a', 7)
    await begun()

    await expect(turns('a', async () => 'never')).rejects.toMatchObject({ code: 'UNAVAILABLE', extras: { retryAfter: 1 } })
    expect(await turns('b', async () => 'done')).toBe('done')
  })

  test('an organization counts as active no longer once it was quiet for a second', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { ask, begun, turns, end } = desk({ total: 10, alone: 8, together: 4 })
      await turns('b', async () => {})
      ask('a', 4)
      expect(await begun()).toEqual(['a', 'a'])

      vi.advanceTimersByTime(2_500)
      ask('a', 10)
      await end('a', 1)

      expect(await begun()).toEqual(times('a', 7))
    } finally {
      vi.useRealTimers()
    }
  })
})
