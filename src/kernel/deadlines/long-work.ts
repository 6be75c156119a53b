// Work of many seconds inside of a write: the reading of a file. Its caller waits for it, and the transaction of a write with an
// Idempotency-Key stays open.

import type { Context } from '../context.ts'
import { stayOpen } from './long-work.sql.ts'

// A third of the time after which PostgreSQL ends an idle transaction.
const everyMs = 3_000

/** Runs work that has limits of its own, beyond the deadline of a write. */
export async function inLongWork<Result>(context: Context, work: () => Promise<Result>): Promise<Result> {
  context.deadline?.lift()
  // An error of the connection is met by the next statement of the write.
  const timer = context.db.inTransaction ? setInterval(() => void context.db.query(stayOpen).catch(() => {}), everyMs) : undefined
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
