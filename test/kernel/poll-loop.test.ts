// The poll loop and its worker: one poll at a time, none missed, errors, and the stop.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startPolling, startWorker } from '../../src/kernel/queue/poll-loop.ts'
import { untraced } from '../../src/kernel/tracing/tracing.ts'

const never = 1_000_000
const settle = () => new Promise(resolve => setImmediate(resolve))

describe('a poll loop', () => {
  test('polls at its interval and, when notified, at once; a notification during a poll is followed by one more', async () => {
    const polls: PromiseWithResolvers<void>[] = []
    const poll = () => {
      const one = Promise.withResolvers<void>()
      polls.push(one)
      return one.promise
    }
    const loop = startPolling({ intervalMs: 20, poll, onError() {} })
    await sleep(60)
    expect(polls).toHaveLength(1)

    for (let i = 0; i < 5; i++) loop.notify()
    await settle()
    expect(polls).toHaveLength(1)
    polls[0]?.resolve()
    await settle()
    expect(polls).toHaveLength(2)
    polls[1]?.resolve()
    await sleep(60)
    expect(polls).toHaveLength(3)
    polls[2]?.resolve()
    await loop.stop()
  })

  test('a caller gets the result of a poll that began after the call', async () => {
    const results = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let polls = 0
    const errors: unknown[] = []
    const loop = startPolling({
      intervalMs: never,
      poll: () => results[polls++]?.promise ?? Promise.resolve(),
      onError: error => errors.push(error),
    })
    loop.notify()
    const second = loop.poll()
    const told = expect(second).rejects.toThrow('of the second')
    results[0]?.reject(new Error('of the first'))
    await settle()
    results[1]?.reject(new Error('of the second'))
    await told
    expect(errors).toEqual([new Error('of the first')])
    await loop.stop()
  })

  test('goes on after an error, later each time, and in time after a success', async () => {
    const times: number[] = []
    const errors: unknown[] = []
    const loop = startPolling({
      intervalMs: 40,
      async poll() {
        times.push(performance.now())
        if (times.length <= 3) throw new Error(`${times.length}`)
      },
      onError: error => errors.push(error),
    })
    while (times.length < 8) await sleep(10)
    await loop.stop()
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(errors).toEqual([new Error('1'), new Error('2'), new Error('3')])
    expect(pauses[0]).toBeGreaterThan(70)
    expect(pauses[1]).toBeGreaterThan(140)
    expect(pauses[2]).toBeGreaterThan(280)
    expect(Math.min(...pauses.slice(3))).toBeLessThan(pauses[2] ?? 0)
  })

  test('a stop waits for the poll in progress, and none follows', async () => {
    let polls = 0
    const hanging = Promise.withResolvers<void>()
    const poll = () => {
      polls++
      return hanging.promise
    }
    const loop = startPolling({ intervalMs: 5, poll, onError() {} })
    loop.notify()
    loop.notify()
    let isStopped = false
    const stopped = loop.stop().then(() => (isStopped = true))
    await sleep(20)
    expect(isStopped).toBe(false)
    hanging.resolve()
    await stopped
    loop.notify()
    await sleep(20)
    expect(polls).toBe(1)
  })
})

/** A worker over a queue of numbers, whose items end when the test ends them. */
function countingWorker(queue: number[], concurrency: number) {
  const open = new Map<number, PromiseWithResolvers<void>>()
  const returned: number[] = []
  const errors: [unknown, number | undefined][] = []
  const worker = startWorker<number>({
    name: 'item',
    tracing: untraced,
    intervalMs: never,
    concurrency,
    claim: async limit => queue.splice(0, limit),
    async work(item, signal) {
      const one = Promise.withResolvers<void>()
      open.set(item, one)
      signal.addEventListener('abort', () => {
        if (open.has(item)) returned.push(item)
        one.resolve()
      })
      await one.promise.finally(() => open.delete(item))
    },
    giveBack: async item => void returned.push(item),
    onError: (error, item) => errors.push([error, item]),
  })
  return { worker, open, returned, errors }
}

describe('a worker', () => {
  test('claims up to its concurrency, and again when an item is finished or has failed', async () => {
    const queue = [1, 2, 3, 4]
    const { worker, open, errors } = countingWorker(queue, 2)
    await settle()
    expect([...open.keys()]).toEqual([1, 2])
    open.get(1)?.resolve()
    await settle()
    expect([...open.keys()]).toEqual([2, 3])
    open.get(2)?.reject(new Error('broken'))
    await settle()
    expect([...open.keys()]).toEqual([3, 4])
    expect(errors).toEqual([[new Error('broken'), 2]])

    open.get(3)?.resolve()
    await settle()
    queue.push(5)
    worker.notify()
    await settle()
    expect([...open.keys()]).toEqual([4, 5])
    await worker.stop(0)
  })

  test('claims others for items that are only ending, up to three times its concurrency', async () => {
    const queue = Array.from({ length: 20 }, (_, index) => index)
    const ended = Promise.withResolvers<void>()
    let begun = 0
    const worker = startWorker<number>({
      ...{ name: 'item', tracing: untraced, intervalMs: never, concurrency: 2, giveBack: async () => {}, onError: () => {} },
      claim: async limit => queue.splice(0, limit),
      async work(_item, _signal, ending) {
        begun++
        ending()
        await ended.promise
      },
    })
    await settle()
    expect(begun).toBe(8)
    ended.resolve()
    await settle()
    expect(begun).toBe(20)
    await worker.stop(0)
  })

  test('a stop waits for items, aborts those that take too long, and claims no more', async () => {
    const queue = [1, 2, 3]
    const { worker, open, returned } = countingWorker(queue, 2)
    await settle()
    const stopped = worker.stop(400)
    open.get(1)?.resolve()
    await sleep(100)
    expect(returned).toEqual([])
    await stopped
    expect(returned).toEqual([2])
    expect(queue).toEqual([3])
  })

  test('items that were claimed while the stop began go back', async () => {
    const claimed = Promise.withResolvers<number[]>()
    const returned: number[] = []
    const worker = startWorker<number>({
      name: 'item',
      tracing: untraced,
      intervalMs: never,
      concurrency: 2,
      claim: () => claimed.promise,
      work: async () => expect.unreachable(),
      giveBack: async item => void returned.push(item),
      onError() {},
    })
    await settle()
    const stopped = worker.stop(400)
    claimed.resolve([1, 2])
    await stopped
    expect(returned).toEqual([1, 2])
  })
})
