// Keeps small what writers of contacts leave for later, so that neither they nor their readers have to: autovacuum, which would do the same,
// comes once a minute, when a busy minute has left a hundred thousand rows.

import type { Services } from '../context.ts'
import type { Database } from '../database/client.ts'

export interface Sweep {
  stop(): Promise<void>
}

/** Sweeps the pending counts every three seconds and the search's pending list every second, where there is something to sweep. */
export function startSweep({ database, log }: Services): Sweep {
  const sweeps = [every(3_000, sweepCounts), every(1_000, sweepSearch)]
  return {
    async stop() {
      await Promise.all(sweeps.map(({ stop }) => stop()))
    },
  }

  function every(ms: number, sweep: (pool: Database['pool']) => Promise<void>): Sweep {
    let sweeping: Promise<void> | undefined
    const timer = setInterval(() => {
      // Not among the statements that are counted: nobody has asked for these.
      sweeping ??= sweep(database.pool)
        .catch(error => log.debug({ err: error }, 'what is pending of contacts could not be swept; the next round will'))
        .finally(() => {
          sweeping = undefined
        })
    }, ms)
    timer.unref()
    return {
      async stop() {
        clearInterval(timer)
        await sweeping
      },
    }
  }
}

// A row of pending counts lives for moments, and until vacuum has been there everybody who adds them up reads past the dead. 256 kB, some
// 3,000 rows: less is read in a tenth of a millisecond.
async function sweepCounts(pool: Database['pool']): Promise<void> {
  const { rows } = await pool.query<{ large: boolean }>("select pg_relation_size('contact_counts_pending') > 262144 as large")
  // Another process may be at it.
  if (rows[0]?.large) await pool.query('vacuum (skip_locked) contact_counts_pending')
}

// A full list is sorted in by whoever creates the next contact, who then waits for tens of milliseconds. An empty one costs a look.
async function sweepSearch(pool: Database['pool']): Promise<void> {
  await pool.query("select gin_clean_pending_list('contacts_search')")
}
