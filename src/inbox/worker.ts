// The worker of inboxes: reads the outbox into items.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../kernel/context.ts'
import { outboxChannel } from '../kernel/events/outbox.ts'
import { startPolling } from '../kernel/queue/poll-loop.ts'
import { beginReading } from './outbox/reader.sql.ts'
import { readForInboxes } from './outbox/reader.ts'

// Polling makes up for notifications that were lost with their process.
const intervalMs = 2000
// Under load one reading takes the events of a quarter of a second: each reading is a transaction.
const gatherMs = 250
// Without anything to tell, the position is stored this often. More often would be writes that nobody needs; more seldom, more events would be
// looked at again.
const storeMs = 5000

/** `stop` waits for a reading in progress. */
export async function startInboxWorker(services: Services): Promise<{ stop(): Promise<void> }> {
  const { database, log, notifier } = services
  await database.query(beginReading)
  let storedAt = Number.NEGATIVE_INFINITY
  let readAt = Number.NEGATIVE_INFINITY
  const reading = startPolling({
    intervalMs,
    onError: error => log.warn({ err: error }, 'the outbox could not be read for inboxes; trying again'),
    async poll() {
      await sleep(Math.max(0, readAt + gatherMs - performance.now()))
      readAt = performance.now()
      const isQuiet = readAt - storedAt < storeMs
      const { hasMore } = await readForInboxes(services, isQuiet)
      if (!isQuiet) storedAt = readAt
      if (hasMore) reading.notify()
    },
  })
  reading.notify()
  notifier.subscribe(outboxChannel, reading.notify)
  return { stop: () => reading.stop() }
}
