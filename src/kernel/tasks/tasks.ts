// The queue: typed task names and payloads over pg-boss, enqueued in the caller's own transaction.

import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Bell } from './database/bell.ts'
import { type Database, type Queries, statement } from './database/client.ts'

/** Every task and its payload. */
export interface TaskPayloads {
  /** Prunes what has outlived its retention: idempotency keys, events, sessions, enrichment. */
  retention: Record<string, never>
  /** Sends one e-mail. Queued by mail-queue.ts, which encrypts the text. */
  mail: { to: string; subject: string; text: string }
  /** Lets suggestions expire that nobody decided. */
  'suggestion-expiry': Record<string, never>
  /** Makes an agent, or a change of it, known to its provider. */
  'agent-provision': { orgId: string; agentId: string }
  /** Dials what waits: the safety net of a call whose request did not get that far. */
  'call-dispatch': { orgId: string; callId: string }
  /** Asks the provider about a dial without an answer. */
  'call-reconcile': { orgId: string; callId: string }
  /** Ends a call at the provider, or speaks into the machine that answered. */
  'call-act': { orgId: string; callId: string; act: 'hang_up' | 'leave_message' }
  /** Proposes what a call has told about its contact as suggestions. */
  'call-values': { orgId: string; callId: string }
  /** Looks after calls that nobody speaks of any more. */
  'call-watch': Record<string, never>
  /** The next steps of a simulated call. */
  'simulated-call': { callId: string; step: number }
  /** Begins and ends grants, and lets holds lapse, of accounts that nobody looks at meanwhile. */
  'credits-due': Record<string, never>
  /** Asks another server's credit API for what a run cost, in credits; once per key. */
  'run-charge': { orgId: string; runId: string; amount: number; key: string }
}
export type TaskName = keyof TaskPayloads

export interface TaskSettings {
  /** Attempts after the first; then the task is dead, unless it repeats. */
  retryLimit: number
  /** Seconds before the first retry. Doubles each time, with jitter. */
  retryDelaySeconds: number
  /** A handler still running then is aborted and retried. */
  timeoutSeconds: number
  /** Tasks of this name that one process runs at once. */
  concurrency: number
  /** When it repeats: a cron expression in UTC. */
  cron?: string
}

export const taskSettings: Record<TaskName, TaskSettings> = {
  retention: { retryLimit: 2, retryDelaySeconds: 60, timeoutSeconds: 600, concurrency: 1, cron: '17 * * * *' },
  mail: { retryLimit: 4, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 2 },
  'suggestion-expiry': { retryLimit: 2, retryDelaySeconds: 60, timeoutSeconds: 300, concurrency: 1, cron: '*/5 * * * *' },
  'agent-provision': { retryLimit: 5, retryDelaySeconds: 10, timeoutSeconds: 60, concurrency: 2 },
  'call-dispatch': { retryLimit: 3, retryDelaySeconds: 2, timeoutSeconds: 60, concurrency: 2 },
  'call-reconcile': { retryLimit: 3, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 4 },
  'call-act': { retryLimit: 5, retryDelaySeconds: 2, timeoutSeconds: 60, concurrency: 4 },
  'call-values': { retryLimit: 4, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 2 },
  'call-watch': { retryLimit: 0, retryDelaySeconds: 1, timeoutSeconds: 50, concurrency: 1, cron: '* * * * *' },
  'simulated-call': { retryLimit: 10, retryDelaySeconds: 1, timeoutSeconds: 120, concurrency: 4 },
  // Every minute: who looks at an account sees it up to date anyway; this is for the events, and for those that nobody looks at.
  'credits-due': { retryLimit: 0, retryDelaySeconds: 1, timeoutSeconds: 300, concurrency: 1, cron: '* * * * *' },
  // Six hours in all: well within the day that the other side remembers the key.
  'run-charge': { retryLimit: 12, retryDelaySeconds: 5, timeoutSeconds: 30, concurrency: 4 },
}
const taskNames = Object.keys(taskSettings) as TaskName[]

export interface RunningTask<Name extends TaskName> {
  id: string
  payload: TaskPayloads[Name]
  /** 1 for the first attempt. */
  attempt: number
  /** Aborts when the task's time is up or its claim was lost to another worker. */
  signal: AbortSignal
}
/** A task without a handler waits for a process that has one. */
export type TaskHandlers = { [Name in TaskName]?: (task: RunningTask<Name>) => Promise<void> }

/** A task that failed for good, with the reason. */
export interface DeadTask {
  id: string
  name: string
  payload: unknown
  reason: unknown
  failedAt: string
}

export interface Enqueue {
  /** The transaction to enqueue in. Default: the caller has none, it is queued at once. */
  db?: Queries
  startAfter?: Date
}

export interface Tasks {
  /** Queues a task; it starts after the caller's transaction commits, and never when it rolls back. Resolves with the task's id. */
  enqueue<Name extends TaskName>(name: Name, payload: TaskPayloads[Name], options?: Enqueue): Promise<string>
  /** Runs due tasks in this process until `stop`. */
  work(handlers: TaskHandlers): Promise<void>
  /** Tasks waiting, by name, for the metrics. */
  depths(): Promise<{ name: string; waiting: number }[]>
  dead(): Promise<DeadTask[]>
  /** Queues a dead task again. False when there is none with this id. */
  retry(id: string): Promise<boolean>
  /** Finishes what runs, for at most the given time. */
  stop(graceMs: number): Promise<void>
}

const channel = 'rolocom_tasks'
const deadQueue = 'dead'
// 15 s: a killed worker's tasks run again well within a minute; the queue's least is 10.
const heartbeatSeconds = 15

const readDepths = statement<{ name: string; waiting: number }>(
  'task_depths',
  `select queue.name, count(job.id)::int as waiting from pgboss.queue
   left join pgboss.job on job.name = queue.name and job.state in ('created', 'retry') group by queue.name`,
)
const readDead = statement<DeadTask>(
  'task_dead',
  `select id, source_name as name, data as payload, source_output as reason, created_on as "failedAt" from pgboss.job
   where name = '${deadQueue}' and state = 'created' order by created_on desc limit 200`,
)

/** Starts the queue on the shared pool. Its tables live in their own schema, `pgboss`, and migrate themselves. */
export async function startTasks(database: Database, bell: Bell, log: Logger, { isWorker }: { isWorker: boolean }): Promise<Tasks> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.execute(text, values) as Promise<{ rows: never[] }> },
    supervise: isWorker,
    schedule: isWorker,
    superviseIntervalSeconds: 5,
    // Less than that, or the first round of the timer would find the one at the start too fresh.
    monitorIntervalSeconds: 4,
  })
  boss.on('error', error => log.warn({ err: error }, 'the task queue met an error; it goes on'))
  await boss.start()

  await boss.createQueue(deadQueue, { retentionSeconds: 30 * 86_400 })
  for (const name of taskNames) {
    const { retryLimit, retryDelaySeconds, timeoutSeconds, cron } = taskSettings[name]
    const options = {
      retryLimit,
      retryDelay: retryDelaySeconds,
      retryBackoff: true,
      expireInSeconds: timeoutSeconds,
      heartbeatSeconds,
      deleteAfterSeconds: 3600,
    }
    await boss.createQueue(name, options)
    // What repeats is done by its next round: a round whose worker was killed is nothing that an operator must look into.
    await boss.updateQueue(name, { ...options, deadLetter: cron ? null : deadQueue })
  }

  // pg-boss wakes a worker by its id, and a worker that has nothing to do sleeps. So each worker is one of its own: a ring wakes one
  // that is idle, a worker that finds a task wakes the next, and looks again when it is done. A burst is taken up by all of them.
  const idle = new Map<string, Set<string>>()
  const wakeOne = (name: string) => {
    for (const worker of idle.get(name) ?? []) return boss.notifyWorker(worker)
  }
  bell.heard(channel, wakeOne)

  const listen = async (name: TaskName, handle: (task: RunningTask<never>) => Promise<void>) => {
    const { concurrency, cron } = taskSettings[name]
    if (cron) await boss.schedule(name, cron, {}, { tz: 'UTC' })
    const resting = new Set<string>()
    idle.set(name, resting)
    for (let i = 0; i < concurrency; i++) {
      // The first looks by itself for what was queued without a ring; the others mostly wait to be woken.
      const options = { batchSize: 1, pollingIntervalSeconds: i === 0 ? 2 : 30 }
      let own = ''
      own = await boss.work<never>(name, options, async ([job]) => {
        if (!job) return
        resting.delete(own)
        wakeOne(name)
        try {
          await handle({ id: job.id, payload: job.data, attempt: job.retryCount + 1, signal: job.signal })
        } catch (error) {
          log.warn({ err: error, task: name, id: job.id, attempt: job.retryCount + 1 }, 'a task failed')
          throw error
        } finally {
          resting.add(own)
          boss.notifyWorker(own)
        }
      })
      resting.add(own)
    }
  }

  return {
    async enqueue(name, payload, { db = database, startAfter } = {}) {
      const id = await boss.send(name, payload, {
        db: { executeSql: (text, values) => db.execute(text, values) as Promise<{ rows: never[] }> },
        ...(startAfter && { startAfter }),
      })
      if (id === null) throw new Error(`The task ${name} was not accepted by the queue`)
      await db.afterCommit(() => bell.ring(channel, name))
      return id
    },
    async work(handlers) {
      for (const name of taskNames) {
        const handle = handlers[name]
        if (handle) await listen(name, handle)
      }
      // The timer's first round is 5 s away: what a killed process had begun would never run again while every process dies sooner.
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
