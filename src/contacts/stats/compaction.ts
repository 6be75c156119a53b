// Compaction: vacuums the pending counts of contacts, and merges the pending list of the search index. Autovacuum would do both, but only
// once a minute, and in a busy minute 100,000 dead rows accumulate, which readers scan.

import type { Database } from '../../database/client.ts'
import type { Services } from '../../kernel/context.ts'
import { type PollLoop, startPolling } from '../../kernel/queue/poll-loop.ts'

/** Compacts the counts every three seconds and the search index every second. */
export function startCompaction({ database, log }: Services): Pick<PollLoop, 'stop'> {
  const compactions = [every(3_000, compactCounts), every(1_000, compactSearch)]
  return {
    async stop() {
      await Promise.all(compactions.map(({ stop }) => stop()))
    },
  }

  function every(intervalMs: number, compact: (pool: Database['pool']) => Promise<void>): PollLoop {
    return startPolling({
      intervalMs,
      // Uses the pool directly, because these statements belong to no request and must not be counted.
      poll: () => compact(database.pool),
      onError: error => log.debug({ err: error }, 'the compaction of contacts failed; the next round repeats it'),
    })
  }
}

// Pending counts are deleted soon after they are inserted, and every reader of the sums scans the dead rows until a vacuum. 256 kB, about
// 3,000 rows: a smaller table is read in 0.1 ms.
async function compactCounts(pool: Database['pool']): Promise<void> {
  const { rows } = await pool.query<{ large: boolean }>("select pg_relation_size('contact_counts_pending') > 262144 as large")
  // Skips the table if another process is vacuuming it.
  if (rows[0]?.large) await pool.query('vacuum (skip_locked) contact_counts_pending')
}

// When the pending list is full, the next insert of a contact merges it, which takes tens of milliseconds. Merging an empty list is cheap.
async function compactSearch(pool: Database['pool']): Promise<void> {
  await pool.query("select gin_clean_pending_list('contacts_search_by_organization')")
}
