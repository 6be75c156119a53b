// The queue: typed names and payloads over pg-boss, enqueued in the caller's own transaction.

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
import { countDeaths, type DeadItem, deadQueue, readDead, readDepths } from './queue.sql.ts'

/** Every task and its payload. */
export interface QueueItems {
  /** Deletes the rows of all domains that are past their retention. */
  retention: Record<string, never>
  /** Sends one e-mail. mail.ts queues it and encrypts its text. */
  mail: { to: string; subject: string; text: string }
  /** Expires suggestions that nobody has decided. */
  'suggestion-expiry': Record<string, never>
  /** Reminds of a contact's task, if its `remindAt` is still this time. */
  'contact-reminder': { orgId: string; taskId: string; remindAt: string }
  /** Writes the next rows of an import. */
  'contact-import': { orgId: string; importId: string }
  /** Works on the next contacts of a bulk change. */
  'contact-bulk': { orgId: string; changeId: string }
  /** Sends a new or changed agent to its telephony provider. */
  'agent-provision': { orgId: string; agentId: string }
  /** Dials a call that was scheduled, or that its provider could not take. */
  'call-dispatch': { orgId: string; callId: string }
  /** Asks the provider about a call whose dial request got no answer. */
  'call-reconcile': { orgId: string; callId: string }
  /** Ends a call at the provider, or leaves a message on an answering machine. */
  'call-act': { orgId: string; callId: string; act: 'hang_up' | 'leave_message' }
  /** Creates suggestions for the contact from the fields extracted from a call. */
  'call-values': { orgId: string; callId: string }
  /** Reaps calls that the provider no longer reports. */
  'call-watch': Record<string, never>
  /** Performs the next step of a simulated call. */
  'simulated-call': { orgId: string; callId: string; step: number }
  /** Begins and ends grants and expires holds of accounts that nobody reads meanwhile. */
  'credits-due': Record<string, never>
  /** Charges a run's cost, in credits, through the credit API of another server; once per `key`. */
  'run-charge': { orgId: string; runId: string; amount: number; key: string }
}
export type QueueItemName = keyof QueueItems

export interface QueueItemSettings {
  /** The number of attempts after the first. Then the task is dead, unless it has a `cron`. */
  retryLimit: number
  /** Seconds before the first retry. The delay doubles each time, with jitter. */
  retryDelaySeconds: number
  /** Seconds after which a running handler is aborted, and the task is retried. */
  timeoutSeconds: number
  /** How many tasks of this name one process runs at once. */
  concurrency: number
  /** How many of them a worker claims, runs and completes together. Default: 1. */
  batchSize?: number
  /** How many tasks of one organization run at once, in all processes together: its many long tasks leave room for another's. Default: all. */
  perOrganization?: number
  /** The schedule of a repeating task: a cron expression in UTC. */
  cron?: string
}

// The names are stored with each task and its schedule: renaming one (`call-act` is call control, `call-watch` is the reaper) needs a data
// migration.
export const queueItemSettings: Record<QueueItemName, QueueItemSettings> = {
  retention: { retryLimit: 2, retryDelaySeconds: 60, timeoutSeconds: 600, concurrency: 1, cron: '17 * * * *' },
  mail: { retryLimit: 4, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 2 },
  'suggestion-expiry': { retryLimit: 2, retryDelaySeconds: 60, timeoutSeconds: 300, concurrency: 1, cron: '*/5 * * * *' },
  'contact-reminder': { retryLimit: 5, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 2 },
  // A task writes rows for half a minute, and queues the next task for the rest. The retries take a quarter of an hour.
  'contact-import': { retryLimit: 8, retryDelaySeconds: 2, timeoutSeconds: 300, concurrency: 2, perOrganization: 1 },
  'contact-bulk': { retryLimit: 8, retryDelaySeconds: 2, timeoutSeconds: 300, concurrency: 2, perOrganization: 1 },
  'agent-provision': { retryLimit: 5, retryDelaySeconds: 10, timeoutSeconds: 60, concurrency: 2 },
  'call-dispatch': { retryLimit: 3, retryDelaySeconds: 2, timeoutSeconds: 60, concurrency: 2 },
  'call-reconcile': { retryLimit: 3, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 4 },
  'call-act': { retryLimit: 5, retryDelaySeconds: 2, timeoutSeconds: 60, concurrency: 4 },
  'call-values': { retryLimit: 4, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 16, batchSize: 8 },
  'call-watch': { retryLimit: 0, retryDelaySeconds: 1, timeoutSeconds: 50, concurrency: 1, cron: '* * * * *' },
  // 32, four workers: while two organizations have eight tasks each, in a batch or two, a worker is left for another. Twelve of one organization
  // would be faster alone, and slow others down by nearly four times. In batches, because claiming and completing a task takes PostgreSQL as long
  // as a step of a call.
  'simulated-call': { retryLimit: 10, retryDelaySeconds: 1, timeoutSeconds: 120, concurrency: 32, batchSize: 8, perOrganization: 8 },
  // Every minute. Reading an account updates it too; this task sends the events of accounts that nobody reads.
  'credits-due': { retryLimit: 0, retryDelaySeconds: 1, timeoutSeconds: 300, concurrency: 1, cron: '* * * * *' },
  // The retries take six hours in all, less than the 24 hours for which the other server keeps the idempotency key.
  'run-charge': { retryLimit: 12, retryDelaySeconds: 5, timeoutSeconds: 30, concurrency: 4 },
}
const taskNames = Object.keys(queueItemSettings) as QueueItemName[]

interface RunningItem<Name extends QueueItemName> {
  id: string
  payload: QueueItems[Name]
  /** 1 for the first attempt. */
  attempt: number
  /** Aborted when the task has timed out or another worker has claimed it. */
  signal: AbortSignal
}
/** The handlers of this process. A task whose name has no handler stays queued for another process. */
export type QueueHandlers = { [Name in QueueItemName]?: (task: RunningItem<Name>) => Promise<void> }
/** What ends the work of a task that is given up because its process died too often. The task itself is dead then. */
export type QueueEndings = { [Name in QueueItemName]?: (payload: QueueItems[Name], reason: string) => Promise<void> }

interface Enqueue {
  /** The transaction in which the task is inserted. Default: none, the task is queued at once. */
  db?: Queries
  startAfter?: Date
}

export interface Queue {
  /** Queues a task, which starts after the transaction commits and is discarded when it rolls back. Resolves with the task's id. */
  enqueue<Name extends QueueItemName>(name: Name, payload: QueueItems[Name], options?: Enqueue): Promise<string>
  /** Runs due tasks in this process until `stop`. */
  work(handlers: QueueHandlers, endings?: QueueEndings): Promise<void>
  /** The number of waiting tasks by name, and the seconds since the first of them was due (0 if none is), for the metrics. */
  depths(): Promise<{ name: string; waiting: number; oldestSeconds: number }[]>
  dead(): Promise<DeadItem[]>
  /** Queues a dead task again. False when no dead task has this id. */
  retry(id: string): Promise<boolean>
  /** Stops claiming tasks, and waits for running ones at most the given time. */
  stop(graceMs: number): Promise<void>
}

/** A payload as it is queued: the task continues the trace of what queued it. */
interface Traced {
  traceparent?: string
  /** See `countDeaths`. */
  ended?: number
}

function aboutItem(name: QueueItemName, operation: 'send' | 'process', id?: string) {
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
// 15 s: the tasks of a killed worker are retried well within a minute. pg-boss allows no less than 10.
const heartbeatSeconds = 15

interface Options {
  isWorker: boolean
  tracing: Tracing
}

// The error of a task is stored with it, and may quote what a service outside has said.
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
  for (const name of taskNames) {
    const { retryLimit, retryDelaySeconds, timeoutSeconds, cron } = queueItemSettings[name]
    await keepQueue(name, {
      retryLimit,
      retryDelay: retryDelaySeconds,
      retryBackoff: true,
      expireInSeconds: timeoutSeconds,
      heartbeatSeconds,
      deleteAfterSeconds: 3600,
      // A failed round of a repeating task is not reported to the operator, because the next round does its work.
      deadLetter: cron ? null : deadQueue,
    })
  }

  // pg-boss can wake a worker by its id, so each unit of concurrency is a worker of its own. A notification wakes an idle worker. A worker
  // that gets a task wakes the next one, and polls again when it has finished, so a burst of tasks occupies all workers.
  const idle = new Map<string, Set<string>>()
  const wakeOne = (name: string) => {
    for (const worker of idle.get(name) ?? []) return boss.notifyWorker(worker)
  }
  notifier.subscribe(channel, wakeOne)

  const listen = async (
    name: QueueItemName,
    handle: (task: RunningItem<never>) => Promise<void>,
    end: (payload: never, reason: string) => Promise<void> = async () => {},
  ) => {
    const { concurrency, batchSize = 1, perOrganization } = queueItemSettings[name]
    const run = async (job: Job<never & Traced>): Promise<void> => {
      const { traceparent, ended: _, ...payload }: Traced = job.data
      const task = { id: job.id, payload: payload as never, attempt: job.retryCount + 1, signal: job.signal }
      await inTrace(
        tracing,
        () => aboutItem(name, 'process', job.id),
        async () => {
          const isGivenUp = job.retryCount > 0 && (await diedTooOften(name, job))
          if (!isGivenUp) return handle(task)
          await end(payload as never, deathReason)
          throw new Error(deathReason)
        },
        traceparent,
      ).catch((error: unknown) => {
        log.warn({ err: error, task: name, id: job.id, attempt: task.attempt }, 'a task failed')
        throw error
      })
    }
    // Throws the error of the only task. Of several, it ends those that failed itself, and the worker completes the others.
    const runAll = async (jobs: Job<never & Traced>[]): Promise<void> => {
      const [only] = jobs
      if (only && jobs.length === 1) return run(only)
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
      // The first worker polls often, for tasks queued without a notification; the others rely on notifications.
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

  const diedTooOften = async (name: QueueItemName, { id, retryCount }: Job): Promise<boolean> => {
    const [counted] = await database.query(countDeaths, [name, id, retryCount])
    return (counted?.deaths ?? 0) >= maxDeaths
  }

  // Tasks of one name that are queued at the same time, in the same transaction if there is one, share a statement.
  const senderOf = perObject((db: Queries) =>
    batcherPerKey(async (name: QueueItemName, jobs: readonly (JobInsert & { id: string })[]): Promise<string[]> => {
      const executeSql = (text: string, values?: unknown[]) => db.execute(text, values) as Promise<{ rows: never[] }>
      const ids = await boss.insert(name, [...jobs], { db: { executeSql }, returnId: true })
      if (ids?.length !== jobs.length) throw new Error(`A task ${name} was not accepted by the queue`)
      return jobs.map(({ id }) => id)
    }),
  )

  return {
    async enqueue(name, payload, { db = database, startAfter } = {}) {
      const group = queueItemSettings[name].perOrganization && 'orgId' in payload ? { id: payload.orgId } : undefined
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
      // A worker that is woken long before the task is due finds nothing; what is due soon may be when it looks.
      if (!startAfter || startAfter.getTime() - Date.now() < soonMs) await db.afterCommit(() => notifier.notify(channel, name))
      return id
    },
    async work(handlers, endings = {}) {
      const scheduled = new Map((await boss.getSchedules()).map(schedule => [schedule.name, schedule.cron]))
      for (const name of taskNames) {
        const handle = handlers[name]
        const { cron } = queueItemSettings[name]
        if (handle && cron && scheduled.get(name) !== cron) await boss.schedule(name, cron, {}, { tz: 'UTC' })
        if (handle) await listen(name, handle, endings[name])
      }
      // The timer's first round is 5 s away. If every process died sooner, the tasks of a killed process would never be retried.
      boss.supervise().catch((error: unknown) => log.warn({ err: error }, 'abandoned tasks were not looked for; the next round will'))
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
