// The worker of webhooks: reads the outbox into deliveries, and sends those that are due.

import type { Services } from '../kernel/context.ts'
import { outboxChannel } from '../kernel/events/outbox.ts'
import { startPolling, startWorker, type Worker } from '../kernel/queue/poll-loop.ts'
import { promoteAll } from './deliveries/delivery.sql.ts'
import { createReader } from './outbox/reader.ts'
import { added, webhookChannel } from './sending/channel.ts'
import type { ObjectOf } from './sending/payload.ts'
import { concurrency, createSender } from './sending/sender.ts'

// Polling makes up for notifications that were lost with their process, and finds deliveries that have become due.
const intervalMs = 1000
// Makes deliveries due whose worker died between storing a result and that.
const sweepMs = 10_000

/** `stop` lets requests in progress finish, and returns to the queue what does not. */
export function startWebhookWorker(services: Services, objectOf: ObjectOf): Pick<Worker, 'stop'> {
  const { database, log, notifier, tracing } = services
  const read = createReader(services)
  let isIdle = false
  let sweptAt = Number.NEGATIVE_INFINITY

  const { wake, ...sending } = createSender(services, objectOf, () => sender.notify())
  const sender = startWorker({ ...sending, name: 'webhook', tracing, intervalMs, concurrency })
  const sendMore = () => {
    wake()
    sender.notify()
  }
  const reading = startPolling({
    intervalMs,
    onError: error => log.warn({ err: error }, 'the outbox could not be read for webhooks; trying again'),
    async poll() {
      if (performance.now() - sweptAt > sweepMs) {
        sweptAt = performance.now()
        await database.query(promoteAll)
      }
      const { hasMore, added: count, isIdle: none } = await read()
      isIdle = none
      if (count > 0) {
        sendMore()
        notifier.notify(webhookChannel)
      }
      if (hasMore) reading.notify()
    },
  })
  reading.notify()
  // Without an endpoint, writes cause no reading.
  notifier.subscribe(outboxChannel, () => {
    if (!isIdle) reading.notify()
  })
  notifier.subscribe(webhookChannel, payload => {
    if (payload === added) sweptAt = Number.NEGATIVE_INFINITY
    if (payload === added || isIdle) reading.notify()
    sendMore()
  })

  return {
    async stop(graceMs) {
      await Promise.all([reading.stop(), sender.stop(graceMs)])
    },
  }
}
