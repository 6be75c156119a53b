// The connections that PostgreSQL has, shared among the processes of one database: a pool takes no more than its process's part.

import type { Logger } from 'pino'
import { type Database, statement } from './client.ts'
import { Connection } from './connection.ts'

export interface Budget {
  stop(): void
}

interface Seats {
  most: number
  reserved: number
  processes: number
}

// Each process has one connection that listens, by which it is known to the others.
const readSeats = statement<Seats>(
  'connection_seats',
  `select current_setting('max_connections')::int as most, current_setting('superuser_reserved_connections')::int as reserved,
     (select count(*)::int from pg_stat_activity where application_name = 'rolocom listener' and datname = current_database()) as processes`,
)
// Looks at connections that went silent, and the next migration.
const spare = 2
const lookAgainMs = 10_000

/** Sets the size of the pool, now and as processes come and go, and says so where it is less than was asked for. */
export async function shareBudget({ pool, query }: Database, poolSize: number, log: Pick<Logger, 'warn'>): Promise<Budget> {
  const share = async () => {
    const [seats] = await query(readSeats)
    if (!seats || seats.processes === 0) return
    const { most, reserved, processes } = seats
    const part = Math.max(2, Math.floor((most - reserved - spare) / processes) - 1)
    const size = Math.min(poolSize, part)
    if (size < poolSize && size !== pool.options.max)
      log.warn(
        `${processes} processes may open ${processes * (poolSize + 1)} connections (DATABASE_POOL_SIZE ${poolSize}, and one to listen, each), and PostgreSQL has ${most - reserved - spare} for them (max_connections ${most}): this process takes ${size} at most; set DATABASE_POOL_SIZE to that or less, or raise max_connections`,
      )
    pool.options.max = size
  }
  // Behind a pooler its connections are the ones that count, and its settings.
  if (await isPooled(pool)) return { stop() {} }
  await share()
  // Of more connections than its part now is, a pool gives back those that are just done.
  pool.on('release', (_error, client) => {
    if (pool.totalCount > pool.options.max) void client.end()
  })
  const timer = setInterval(() => share().catch(() => {}), lookAgainMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

async function isPooled(pool: Database['pool']): Promise<boolean> {
  const client = await pool.connect()
  client.release()
  return client instanceof Connection && client.isPooled
}
