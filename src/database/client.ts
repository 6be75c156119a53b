// The database of a process: prepared statements, Prisma and libraries on one pool, in and out of transactions.

import type pg from 'pg'
import type { Logger } from 'pino'
import type { Connection } from './connections/connection.ts'
import { openPool, type PoolOptions } from './connections/pool.ts'
import { createSender } from './connections/sender.ts'
import { shareConnections } from './connections/shared-connections.ts'
import { lazyPrisma } from './prisma.ts'
import type { Queries } from './queries.ts'
import { runTransaction } from './transaction.ts'

export type { Queries } from './queries.ts'

export interface Database extends Queries {
  url: string
  pool: pg.Pool
  /** A connection outside the pool that bypasses any pooler, for LISTEN. The caller ends it. */
  connect(): Promise<Connection>
  close(): Promise<void>
}

export interface DatabaseOptions extends Omit<PoolOptions, 'log'> {
  log?: Pick<Logger, 'warn'>
  /** Called for each statement that is sent, BEGIN and COMMIT included. */
  onStatement?: (name: string) => void
}

/** Opens the pool, which connects at the first statement. */
export function openDatabase({ log = { warn() {} }, poolSize = 16, onStatement, ...options }: DatabaseOptions): Database {
  const { url } = options
  const connections = openPool({ ...options, poolSize, log })
  const { pool } = connections
  // A quarter: the other connections stay free for transactions and slower statements.
  const shared = shareConnections(pool, Math.floor(poolSize / 4))
  const sender = createSender(pool, shared, onStatement)
  const prisma = lazyPrisma(pool)
  return {
    url,
    pool,
    prisma: prisma.prisma,
    inTransaction: false,
    query: (statement, values = []) => sender.query(pool, statement, values),
    execute: (text, values) => sender.execute(pool, text, values),
    transaction: (work, options) => runTransaction(pool, sender, prisma, work, options),
    readAside: work => runTransaction(pool, sender, prisma, work),
    afterCommit: async work => void (await work()),
    connect: connections.connect,
    async close() {
      await prisma.close()
      shared.close()
      await connections.close()
    },
  }
}
