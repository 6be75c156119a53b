// Keeps the pending counts of contacts small. A row of theirs lives for moments, and until vacuum has been there everybody who adds them up
// reads past the dead: autovacuum comes once a minute, when a busy minute has left a hundred thousand.

import type { Services } from '../context.ts'

const everyMs = 3_000
// 256 kB, some 3,000 rows: less is read in a tenth of a millisecond.
const isLarge = "select pg_relation_size('contact_counts_pending') > 262144 as large"

export interface CountSweep {
  stop(): Promise<void>
}

/** Sweeps every three seconds, where there is something to sweep. */
export function startCountSweep({ database, log }: Services): CountSweep {
  let sweeping = Promise.resolve()
  const sweep = async () => {
    // Not among the statements that are counted: nobody has asked for these.
    const { rows } = await database.pool.query<{ large: boolean }>(isLarge)
    // Another process may be at it.
    if (rows[0]?.large) await database.pool.query('vacuum (skip_locked) contact_counts_pending')
  }
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep).catch(error => log.debug({ err: error }, 'the pending counts could not be swept; the next round will'))
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}
