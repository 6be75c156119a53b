// The queue: items of typed kinds over pg-boss, enqueued in the caller's own transaction.

import { isDeepStrictEqual } from 'node:util'
import { SpanKind } from '@opentelemetry/api'
import { type Job, type JobInsert, PgBoss, type UpdateQueueOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { v4 as uuid } from 'uuid'
import type { Database, Queries } from '../../database/client.ts'
import type { Notifier } from '../../database/notifications/notifier.ts'
import { batcherPerKey } from '../batching/batcher-per-key.ts'
import { storedJson } from '../input/storable.ts'
import { perObject } from '../per-object.ts'
import { inSpan, traceHeaders } from '../tracing/span.ts'
import { inTrace, type Tracing } from '../tracing/tracing.ts'
import { deathReason, maxDeaths } from './deaths.ts'
import { declaredItems, type Handler, type QueueItem } from './item.ts'
import { countDeaths, type DeadItem, deadQueue, readDead, readDepths } from './queue.sql.ts'

interface Enqueue {
  /** The transaction in which the item is inserted. Default: none, the item is queued at once. */
  db?: Queries
  startAfter?: Date
}

export interface Queue {
  /** Queues an item, which starts after the transaction commits and is discarded when it rolls back. Resolves with the item's id. */
  enqueue<Payload extends object>(item: QueueItem<Payload>, payload: NoInfer<Payload>, options?: Enqueue): Promise<string>
  /** Works on due items in this process until `stop`. Items of other kinds stay queued for other processes. */
  work(handlers: readonly Handler[]): Promise<void>
  /** The number of waiting items by name, and the seconds since the first of them was due (0 if none is), for the metrics. */
  depths(): Promise<{ name: string; waiting: number; oldestSeconds: number }[]>
  dead(): Promise<DeadItem[]>
  /** Queues a dead item again. False when no dead item has this id. */
  retry(id: string): Promise<boolean>
  /** Stops claiming items, and waits for running ones at most the given time. */
  stop(graceMs: number): Promise<void>
}

/** A payload as it is queued: the item continues the trace of the work that queued it. */
interface Traced {
  traceparent?: string
  /** See `countDeaths`. */
  ended?: number
}

function aboutItem(name: string, operation: 'send' | 'process', id?: string) {
  return {
    name: `${operation} ${name}`,
    kind: operation === 'send' ? SpanKind.PRODUCER : SpanKind.CONSUMER,
    attributes: {
      'messaging.system': 'pg-boss',
      'messaging.destination.name': name,
      'messaging.operation.name': operation,
      'messaging.operation.type': operation,
      ...(id !== undefined && { 'messaging.message.id': id }),
    },
  }
}

const channel = 'rolocom_tasks'
const soonMs = 1000
// 15 s: the items of a killed worker are retried well within a minute. pg-boss allows no less than 10.
const heartbeatSeconds = 15

interface Options {
  isWorker: boolean
  tracing: Tracing
}

// The error of an item is stored with it, and may quote what a service outside has said.
const storable = (value: unknown) => (isPlainObject(value) ? storedJson(value) : value)
const isPlainObject = (value: unknown) => value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

/** Starts the queue on the process's pool. pg-boss creates and migrates its own tables, in the schema `pgboss`. */
export async function startQueue(database: Database, notifier: Notifier, log: Logger, { isWorker, tracing }: Options): Promise<Queue> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.execute(text, values?.map(storable)) as Promise<{ rows: never[] }> },
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: 5,
    // Less than superviseIntervalSeconds: otherwise the timer's first round would be skipped, because the round at start was too recent.
    monitorIntervalSeconds: 4,
  })
  boss.on('error', error => log.warn({ err: error }, 'the queue met an error; it goes on'))
  await boss.start()

  // Only what differs is written: an unchanged queue would cost every start two transactions, and each of its workers a lookup, because
  // pg-boss forgets a queue that was written.
  const stored = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
  const keepQueue = async (name: string, options: UpdateQueueOptions) => {
    const queue = stored.get(name)
    if (!queue) await boss.createQueue(name)
    if (!queue || !isDeepStrictEqual({ ...queue, ...options }, queue)) await boss.updateQueue(name, options)
  }
  await keepQueue(deadQueue, { retentionSeconds: 30 * 86_400 })
  for (const { name, retryLimit, retryDelaySeconds, timeoutSeconds, cron } of declaredItems()) {
    await keepQueue(name, {
      retryLimit,
      retryDelay: retryDelaySeconds,
      retryBackoff: true,
      expireInSeconds: timeoutSeconds,
      heartbeatSeconds,
      deleteAfterSeconds: 3600,
      // A failed round of a repeating item is not reported to the operator, because the next round does its work.
      deadLetter: cron ? null : deadQueue,
    })
  }

  // pg-boss can wake a worker by its id, so each unit of concurrency is a worker of its own. A notification wakes an idle worker. A worker
  // that gets an item wakes the next one, and polls again when it has finished, so a burst of items occupies all workers.
  const idle = new Map<string, Set<string>>()
  const wakeOne = (name: string) => {
    for (const worker of idle.get(name) ?? []) return boss.notifyWorker(worker)
  }
  notifier.subscribe(channel, wakeOne)

  const listen = async ({ item, work, giveUp }: Handler) => {
    const { name, retryLimit, concurrency, batchSize = 1, perOrganization } = item
    const run = async (job: Job<never & Traced>): Promise<void> => {
      const { traceparent, ended: _, ...payload }: Traced = job.data
      const { id, retryCount, signal } = job
      // `as`: every item with this name is of this kind.
      const running = { id, payload: payload as never, attempt: retryCount + 1, isLast: retryCount >= retryLimit, signal }
      await inTrace(
        tracing,
        () => aboutItem(name, 'process', id),
        async () => {
          const isGivenUp = retryCount > 0 && (await hasDiedTooOften(name, job))
          if (!isGivenUp) return work(running)
          await giveUp?.(running.payload, deathReason)
          throw new Error(deathReason)
        },
        traceparent,
      ).catch((error: unknown) => {
        log.warn({ err: error, item: name, id, attempt: running.attempt }, 'a queue item failed')
        throw error
      })
    }
    // Throws the error of the only item. Of several, it ends those that failed itself, and the worker completes the others.
    const runAll = async (jobs: Job<never & Traced>[]): Promise<void> => {
      const [only] = jobs
      if (only && jobs.length === 1) return void (await run(only))
      const settled = await Promise.allSettled(jobs.map(run))
      for (const [index, job] of jobs.entries()) {
        const one = settled[index]
        // As an attempt, so that nothing is changed if another worker has it meanwhile.
        if (one?.status === 'rejected') await boss.fail(name, { id: job.id, retryCount: job.retryCount }, one.reason)
      }
    }
    const idleWorkers = new Set<string>()
    idle.set(name, idleWorkers)
    for (let i = 0; i < concurrency / batchSize; i++) {
      // The first worker polls often, for items queued without a notification; the others rely on notifications.
      const options = {
        batchSize,
        pollingIntervalSeconds: i === 0 ? 2 : 30,
        ...(perOrganization && { groupConcurrency: perOrganization }),
      }
      let workerId = ''
      workerId = await boss.work<never & Traced>(name, options, async jobs => {
        idleWorkers.delete(workerId)
        wakeOne(name)
        try {
          await runAll(jobs)
        } finally {
          idleWorkers.add(workerId)
          boss.notifyWorker(workerId)
        }
      })
      idleWorkers.add(workerId)
    }
  }

  const hasDiedTooOften = async (name: string, { id, retryCount }: Job): Promise<boolean> => {
    const [counted] = await database.query(countDeaths, [name, id, retryCount])
    return (counted?.deaths ?? 0) >= maxDeaths
  }

  // Items of one kind that are queued at the same time, in the same transaction if there is one, share a statement.
  const senderOf = perObject((db: Queries) =>
    batcherPerKey(async (name: string, jobs: readonly (JobInsert & { id: string })[]): Promise<string[]> => {
      const executeSql = (text: string, values?: unknown[]) => db.execute(text, values) as Promise<{ rows: never[] }>
      const ids = await boss.insert(name, [...jobs], { db: { executeSql }, returnId: true })
      if (ids?.length !== jobs.length) throw new Error(`An item ${name} was not accepted by the queue`)
      return jobs.map(({ id }) => id)
    }),
  )

  return {
    async enqueue({ name, perOrganization }, payload, { db = database, startAfter } = {}) {
      const group = perOrganization && 'orgId' in payload ? { id: String(payload.orgId) } : undefined
      const id = await inSpan(
        () => aboutItem(name, 'send'),
        () =>
          senderOf(db).send(name, {
            id: uuid(),
            data: { ...payload, ...traceHeaders() },
            ...(group && { group }),
            ...(startAfter && { startAfter }),
          }),
      )
      // A worker that is woken long before the item is due finds nothing; an item that is due soon may be due when it looks.
      if (!startAfter || startAfter.getTime() - Date.now() < soonMs) await db.afterCommit(() => notifier.notify(channel, name))
      return id
    },
    async work(handlers) {
      const scheduled = new Map((await boss.getSchedules()).map(schedule => [schedule.name, schedule.cron]))
      for (const handler of handlers) {
        const { name, cron } = handler.item
        if (cron && scheduled.get(name) !== cron) await boss.schedule(name, cron, {}, { tz: 'UTC' })
        await listen(handler)
      }
      // The timer's first round is 5 s away. If every process died sooner, the items of a killed process would never be retried.
      boss.supervise().catch((error: unknown) => log.warn({ err: error }, 'abandoned queue items were not looked for; the next round will'))
    },
    depths: () => database.query(readDepths),
    dead: () => database.query(readDead),
    async retry(id) {
      return (await boss.redrive(deadQueue, { ids: [id] })) > 0
    },
    async stop(graceMs) {
      await boss.stop({ graceful: true, timeout: graceMs, close: false })
    },
  }
}
