// One reading of everything that must not grow: of the process, its files, and its PostgreSQL.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Retained } from './monitor.ts'
import type { Measure } from './slope.ts'

export interface Sampled extends Retained {
  files: number
  temporary: number
  subscriptions: number
  connections: number
  transactions: number
  /** Dead rows of all tables, and those beyond what autovacuum leaves alone. */
  dead: number
  overdue: number
  /** The tables of the latter. */
  overdueTables: string | null
}

// `noise`: some times what was seen in 5 minutes on a machine with ten times the work that it can do, so that no busy machine fails. 6 MiB of
// the heap in the 3.5 minutes that are measured then are 30 kB a second.
export const measures = {
  heapMiB: { name: 'heap', unit: 'MiB', perHour: 1, noise: 6 },
  externalMiB: { name: 'buffers', unit: 'MiB', perHour: 0.5, noise: 1.5 },
  // The allocator and V8 keep freed pages for later, so this cannot be as exact as the heap.
  rssMiB: { name: 'RSS', unit: 'MiB', perHour: 10, noise: 40 },
  timers: { name: 'timers', unit: '', perHour: 0, noise: 5 },
  handles: { name: 'sockets and pipes', unit: '', perHour: 0, noise: 8 },
  files: { name: 'open files', unit: '', perHour: 0, noise: 8 },
  processListeners: { name: 'listeners of process', unit: '', perHour: 0, noise: 1 },
  emitters: { name: 'event emitters', unit: '', perHour: 0, noise: 60 },
  // Those of deadlines live until these are over: of enrichment jobs, two minutes.
  abortSignals: { name: 'abort signals', unit: '', perHour: 0, noise: 200 },
  subscriptions: { name: 'subscriptions', unit: '', perHour: 0, noise: 1 },
  connections: { name: 'connections', unit: '', perHour: 0, noise: 3 },
  transactions: { name: 'open transactions', unit: '', perHour: 0, noise: 1 },
  temporary: { name: 'temporary files', unit: '', perHour: 0, noise: 1 },
} satisfies Partial<Record<keyof Sampled, Measure>>

export type Measured = keyof typeof measures

interface Sources {
  pid: number
  monitorUrl: string
  /** Where the server writes files, except the database. */
  folders: readonly string[]
  database: pg.Client
  metrics(): Promise<string>
}

export async function sample({ pid, monitorUrl, folders, database, metrics }: Sources): Promise<Sampled> {
  const [, subscriptions = Number.NaN] = /^rolocom_listeners (\d+)/m.exec(await metrics()) ?? []
  const retained = (await (await fetch(monitorUrl, { headers: { connection: 'close' } })).json()) as Retained
  const { rows } = await database.query<Pick<Sampled, 'connections' | 'transactions' | 'dead' | 'overdue' | 'overdueTables'>>(
    `select * from
       (select count(*)::int as connections, count(*) filter (where state like 'idle in transaction%')::int as transactions
        from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()) a,
       (select sum(dead)::int as dead, coalesce(sum(dead - kept) filter (where dead > kept), 0)::int as overdue,
          string_agg(relname, ' ') filter (where dead > kept) as "overdueTables"
        from (select s.relname, n_dead_tup as dead, coalesce(substring(reloptions::text from 'autovacuum_vacuum_threshold=(\\d+)')::float, 50) + 0.2 * greatest(n_live_tup, reltuples) as kept
              from pg_stat_user_tables s join pg_class on pg_class.oid = relid) c) b`,
  )
  const [figures] = rows
  if (!figures) throw new Error('PostgreSQL has no statistics')
  return {
    ...retained,
    ...figures,
    subscriptions: Number(subscriptions),
    files: readdirSync(`/proc/${pid}/fd`).length,
    temporary: folders.reduce((sum, folder) => sum + filesBelow(folder), 0),
  }
}

// The database, and what Node keeps of compiled sources.
const notOurs = new Set(['postgres', 'node-compile-cache'])

function filesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.isDirectory()) return notOurs.has(entry.name) ? sum : sum + filesBelow(join(folder, entry.name))
    return sum + 1
  }, 0)
}
