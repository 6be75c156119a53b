// A subscription waits while the database is away, and continues where it was.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { readSnapshot } from './event.sql.ts'

// 250 ms: clients are told at most that much later, and an outage costs each stream four attempts a second.
const pauseMs = 250
// An error while the database answers has another reason, such as a total that takes too long to count.
const maxFailures = 3

export const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === 'UNAVAILABLE'

/**
 * Runs the work, and while it fails because the database is away again, until the subscription has ended. Rejects with the last error. `isLast`
 * says that it will not be repeated.
 */
export async function throughOutages<Result>({ services, signal }: Context, work: (isLast: boolean) => Promise<Result>): Promise<Result> {
  for (let failures = 0; ; ) {
    try {
      return await work(failures === maxFailures)
    } catch (error) {
      if (!isUnavailable(error) || signal?.aborted || failures === maxFailures) throw error
      await sleep(pauseMs, undefined, { signal: signal as AbortSignal, ref: false }).catch(() => {})
      const answers = await services.database.query(readSnapshot).then(
        () => true,
        () => false,
      )
      if (answers) failures++
    }
  }
}
