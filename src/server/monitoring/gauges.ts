// The gauges of /metrics that are read when it is asked: connections, replicas, notifications, queued and running work.

import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Listener } from '../../database/notifications/listener.ts'
import type { Replicas } from '../../database/replicas/replicas.ts'
import type { Queue } from '../../kernel/queue/queue.ts'

interface Counted {
  state: string
  count: number
}
type Open = 'calls' | 'enrichment_jobs' | 'runs' | 'deliveries' | 'webhooks'

export interface Sources {
  pool: pg.Pool
  replicas: Replicas | null
  listener: Pick<Listener, 'isTrusted'>
  queue: Queue
  open: Readonly<Record<Open, () => Promise<Counted[]>>>
  /** The number of calls whose provider should have reported an end, or been asked, five minutes ago. */
  stuckCalls(): Promise<number>
  /** The processes with the role worker that are alive. */
  workers(): Promise<number | undefined>
  /** For how many seconds the longest waiting of each kind of work has been due. */
  oldestDue(): Promise<{ work: string; seconds: number }[]>
  /** When the last backup of the database ended, in seconds since 1970; 0 when none is recorded. */
  lastBackup(): Promise<number>
  /** The members of the gateway's organization. Null: this process has no gateway. */
  gatewayMembers: (() => Promise<number>) | null
}

const unfinished: Record<Open, string> = {
  calls: 'Calls that are not over, by state: waiting for their turn, dispatching, dispatched, or unconfirmed.',
  enrichment_jobs: 'Enrichment jobs by state: waiting, running, or dead (given up, until they are retried or forgotten).',
  runs: 'Runs of agents that are not over, by state.',
  deliveries: 'Messages to channels that are not sent, by state.',
  webhooks: 'Webhook deliveries that are not over, by state.',
}

/** Registers the gauges. While the database does not answer, those that are read from it keep their last values. */
export function observe(sources: Sources, registers: Registry[]): void {
  const { pool, replicas, listener, queue, open, stuckCalls, workers, oldestDue, lastBackup, gatewayMembers } = sources
  new Gauge({
    name: 'rolocom_database_connections',
    help: 'Connections of the pool by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  if (replicas)
    new Gauge({
      name: 'rolocom_replicas',
      help: 'Replicas of DATABASE_READ_URLS by state: used, or left out because they are behind or do not answer.',
      labelNames: ['state'],
      registers,
      collect() {
        const { used, leftOut } = replicas.counts()
        this.set({ state: 'used' }, used)
        this.set({ state: 'left_out' }, leftOut)
      },
    })
  new Gauge({
    name: 'rolocom_notifications_trusted',
    help: 'Whether notifications of PostgreSQL reach this process (1). Without them (0) credentials are read at each request.',
    registers,
    collect() {
      this.set(listener.isTrusted() ? 1 : 0)
    },
  })
  observeQueue(queue, registers)
  for (const [what, help] of Object.entries(unfinished) as [Open, string][])
    new Gauge({
      name: `rolocom_${what}`,
      help,
      labelNames: ['state'],
      registers,
      async collect() {
        for (const { state, count } of await open[what]().catch(() => [])) this.set({ state }, count)
      },
    })
  new Gauge({
    name: 'rolocom_calls_stuck',
    help: 'Calls that should have ended, or been asked for at their provider, more than five minutes ago.',
    registers,
    async collect() {
      const stuck = await stuckCalls().catch(() => undefined)
      if (stuck !== undefined) this.set(stuck)
    },
  })
  new Gauge({
    name: 'rolocom_workers',
    help: 'Processes with the role worker that are connected to the database. Without one nothing that waits is done.',
    registers,
    async collect() {
      const alive = await workers().catch(() => undefined)
      if (alive !== undefined) this.set(alive)
    },
  })
  new Gauge({
    name: 'rolocom_work_oldest_due_seconds',
    help: 'Seconds since the longest waiting call, job, run, delivery or webhook was due; 0 when none is.',
    labelNames: ['work'],
    registers,
    async collect() {
      for (const { work, seconds } of await oldestDue().catch(() => [])) this.set({ work }, seconds)
    },
  })
  new Gauge({
    name: 'rolocom_last_backup_timestamp_seconds',
    help: 'When the last recorded backup of the database ended, in seconds since 1970; 0 when none was.',
    registers,
    async collect() {
      const at = await lastBackup().catch(() => undefined)
      if (at !== undefined) this.set(at)
    },
  })
  if (gatewayMembers)
    new Gauge({
      name: 'rolocom_gateway_members',
      help: "Members of the organization that the gateway belongs to. Without one (0) nobody can read the gateway's events.",
      registers,
      async collect() {
        const members = await gatewayMembers().catch(() => undefined)
        if (members !== undefined) this.set(members)
      },
    })
}

const ofQueue = {
  waiting: {
    name: 'rolocom_tasks_waiting',
    help: 'Tasks waiting in the queue, by name; those named dead have used up their retries.',
  },
  oldestSeconds: {
    name: 'rolocom_tasks_oldest_due_seconds',
    help: 'Seconds since the longest waiting task was due, by name; 0 when none is. More workers make it shorter.',
  },
}

function observeQueue(queue: Queue, registers: Registry[]): void {
  for (const figure of ['waiting', 'oldestSeconds'] as const)
    new Gauge({
      ...ofQueue[figure],
      labelNames: ['task'],
      registers,
      async collect() {
        this.reset()
        for (const depth of await queue.depths().catch(() => [])) this.set({ task: depth.name }, depth[figure])
      },
    })
}
