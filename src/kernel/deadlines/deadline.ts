// The time within which a write is answered. It may have to wait longer: for a lock, a full pool, a commit that a synchronous standby does
// not confirm, which PostgreSQL's own time limits do not end. The caller is then told that the outcome is unknown, and the write goes on.
//
// A request that is answered early must not be repeated blindly, so each sentence says how it is repeated safely.

import { AppError } from '../errors.ts'

/** The deadline of one write. */
export interface Deadline {
  /** From now on something may be stored. Throws if the caller has been told already that nothing is. */
  begin(): void
  /** The rows of the write are committed. It waits for something else, which has a time limit of its own. */
  lift(): void
}

// 5 s: with the rest of its work, a request is answered within 6 s.
const maxMs = 5_000

/** The outcome of a write is unknown: 503 with `unconfirmed: true`. */
export const unconfirmedError = (reason: string, { hasKey = false, cause }: { hasKey?: boolean; cause?: unknown } = {}) =>
  new AppError(
    'UNAVAILABLE',
    `${reason}, so it is unknown whether this was stored: ${hasKey ? 'send it again with the same Idempotency-Key' : 'look before you send it again; with an Idempotency-Key it can be sent again safely'}`,
    { retryAfter: 1, unconfirmed: true, ...(cause !== undefined && { cause }) },
  )

/** Settles as the work does, or rejects with UNAVAILABLE after 5 s. */
export async function answerInTime<Result>(
  { hasKey }: { hasKey: boolean },
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  let hasBegun = false
  let isOver = false
  const { promise: late, reject } = Promise.withResolvers<never>()
  const tooBusy = () => new AppError('UNAVAILABLE', 'The server is too busy; nothing was stored, try again', { retryAfter: 1 })
  const timer = setTimeout(() => {
    isOver = true
    reject(hasBegun ? unconfirmedError(`The database has not confirmed this within ${maxMs / 1000} s`, { hasKey }) : tooBusy())
  }, maxMs)
  const deadline: Deadline = {
    begin() {
      if (isOver) throw tooBusy()
      hasBegun = true
    },
    lift: () => clearTimeout(timer),
  }
  try {
    return await Promise.race([work(deadline), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The same for a write without a key that begins at once. */
export function writeInTime<Result>(work: () => Promise<Result>, { hasKey = false } = {}): Promise<Result> {
  return answerInTime({ hasKey }, ({ begin }) => {
    begin()
    return work()
  })
}
