// Divides PostgreSQL's connections among the processes of one database: each process's pool is limited to its share.

import type { Logger } from 'pino'
import { startPolling } from '../../kernel/queue/poll-loop.ts'
import type { Database } from '../client.ts'
import { readConnections } from '../process.sql.ts'
import { Connection } from './connection.ts'

export interface Budget {
  stop(): void
}

// Connections left for the check of silent connections, and for a migration.
const spare = 2
const checkMs = 10_000

/** Sets the size of the pool, now and whenever processes start or stop. Logs a warning when it is less than `poolSize`. */
export async function shareBudget({ pool, query }: Database, poolSize: number, log: Pick<Logger, 'warn'>): Promise<Budget> {
  const share = async () => {
    const [connections] = await query(readConnections)
    if (!connections || connections.processes === 0) return
    const { max, reserved, processes } = connections
    const part = Math.max(2, Math.floor((max - reserved - spare) / processes) - 1)
    const size = Math.min(poolSize, part)
    if (size < poolSize && size !== pool.options.max)
      log.warn(
        `${processes === 1 ? '1 process' : `${processes} processes`} may open ${processes * (poolSize + 1)} connections (DATABASE_POOL_SIZE ${poolSize}, and one to listen, each), and PostgreSQL has ${max - reserved - spare} for them (max_connections ${max}): this process takes ${size} at most; set DATABASE_POOL_SIZE to that or less, or raise max_connections`,
      )
    pool.options.max = size
  }
  // Behind a pooler, the pooler's own settings limit the connections to PostgreSQL.
  if (await isPooled(pool)) return { stop() {} }
  await share()
  // A pool with more connections than its new share closes them as they are released.
  pool.on('release', (_error, client) => {
    if (pool.totalCount > pool.options.max) void client.end()
  })
  const checking = startPolling({ intervalMs: checkMs, poll: share, onError() {} })
  return { stop: () => void checking.stop() }
}

async function isPooled(pool: Database['pool']): Promise<boolean> {
  const client = await pool.connect()
  client.release()
  return client instanceof Connection && client.isPooled
}
