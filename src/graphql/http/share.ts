// Limits work to a share of the event loop's time: runs it sequentially, with a pause after each run in proportion to its duration.

import { AppError } from '../../kernel/errors.ts'

/** Queues work. Skips it if `isGone` when it is next in the queue. Throws RATE_LIMITED if the queue is full. */
export type Share = <Result>(work: () => Promise<Result>, isGone: () => boolean) => Promise<Result>

// 250 ms: work that would need a longer pause was waiting for the database or the CPU, not using the event loop.
const maxPauseMs = 250

/** `part`: the share of the time, above 0 and at most 1. */
export function createShare({ part, maxWaiting }: { part: number; maxWaiting: number }): Share {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  return async (work, isGone) => {
    if (waiting >= maxWaiting)
      throw new AppError('RATE_LIMITED', 'Too many callers without a credential are waiting; try again, or send a credential', {
        retryAfter: 1,
      })
    const previous = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    waiting++
    await previous
    waiting--
    if (isGone()) {
      resolve()
      throw new AppError('UNAVAILABLE', 'The caller hung up before the answer')
    }
    const started = performance.now()
    try {
      return await work()
    } finally {
      const pauseMs = Math.min((performance.now() - started) * (1 / part - 1), maxPauseMs)
      setTimeout(resolve, pauseMs)
    }
  }
}
