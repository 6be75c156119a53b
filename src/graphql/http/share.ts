// A share of the event loop: work that is done one at a time, with pauses in proportion between.

import { AppError } from '../errors.ts'

/** Runs work in its turn. What nobody waits for any more is passed over. Throws RATE_LIMITED where too many wait already. */
export type Share = <Result>(work: () => Promise<Result>, isGone: () => boolean) => Promise<Result>

// However long one took, the next need not wait longer: then it was the database, or a busy machine.
const maxPauseMs = 250

/** `part`: of the time, above 0 and at most 1. */
export function createShare({ part, maxWaiting }: { part: number; maxWaiting: number }): Share {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  return async (work, isGone) => {
    if (waiting >= maxWaiting)
      throw new AppError('RATE_LIMITED', 'Too many callers without a credential are waiting; try again, or send a credential', {
        retryAfter: 1,
      })
    const turn = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    waiting++
    await turn
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
