// The connection pool of a process: it checks sessions, follows the primary, and detects when PostgreSQL does not answer.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { lentConnection } from '../prisma-transaction.ts'
import { hostsOf } from './address.ts'
import { Connection, type ConnectionOptions, connectInTurn, settleMs, silence } from './connection.ts'
import { type Watch, watchForSilence } from './silence.ts'
import { inStatementSpan } from './span.ts'

export interface Connections {
  pool: pg.Pool
  /** A connection outside the pool that bypasses any pooler. The caller ends it. */
  connect(): Promise<Connection>
  close(): Promise<void>
}

// 10 s: a statement that runs longer is canceled and answered 503, so a slow plan cannot occupy the pool. A transaction whose client is lost
// holds its locks for at most that long, and PostgreSQL detects a lost client within a minute.
// JIT compilation takes longer than any of our statements runs.
const session = {
  statement_timeout: '10000',
  jit: 'off',
  idle_in_transaction_session_timeout: '10000',
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
}
// How long close() waits for running statements. Their requests have been answered already.
const closeTimeoutMs = 1_000

export interface PoolOptions {
  url: string
  /** The address of the same database without a pooler, for LISTEN and session locks. Default: `url`. */
  directUrl?: string | undefined
  /** The maximum number of connections in the pool. Default 16. */
  poolSize?: number
  /** The database is a standby, and stays one. Default: it must take writes. */
  isReplica?: boolean
  log: Pick<Logger, 'warn'>
}

/** Opens the pool, which connects at the first statement. */
export function openPool({ url, directUrl = url, poolSize = 16, isReplica, log }: PoolOptions): Connections {
  const options = { hosts: hostsOf(url), session, isReplica, application_name: 'rolocom', connectionTimeoutMillis: settleMs }
  const direct = { ...options, hosts: directUrl === url ? options.hosts : hostsOf(directUrl), application_name: 'rolocom listener' }
  const watch = watchForSilence(log, pids => activeBackends(new Connection({ ...options, connectionTimeoutMillis: 1_500 }), pids))
  const pool = new Pool({ ...options, max: poolSize, pipeline: true, onSilence: () => watch.suspect() }, watch)
  pool.on('connect', client => watch.add(client as unknown as Connection))
  // The pool replaces an idle connection that fails. Without a listener, the error would end the process.
  pool.on('error', () => {})
  return {
    pool,
    connect: () => connectInTurn(direct.hosts, () => new Connection(direct)),
    async close() {
      const late = setTimeout(watch.closeAll, closeTimeoutMs)
      // A connection that is still being established ends by itself.
      await Promise.race([pool.end(), sleep(1.5 * closeTimeoutMs, undefined, { ref: false })])
      clearTimeout(late)
      watch.stop()
    },
  }
}

export class Pool extends pg.Pool {
  readonly #hosts: number
  readonly #watch: Pick<Watch, 'isSilent'> | undefined

  constructor(options: ConnectionOptions & pg.PoolConfig, watch?: Pick<Watch, 'isSilent'>) {
    // The pool passes its own options to its clients, which pg's types do not declare.
    super({ ...options, Client: Connection as unknown as NonNullable<pg.PoolConfig['Client']> })
    this.#hosts = options.hosts.count
    this.#watch = watch
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares connect by overloads (promise and callback); both pass through.
  override connect(callback?: any): any {
    const lent = callback ? undefined : lentConnection()
    if (lent) return Promise.resolve(lent)
    if (this.#hosts === 1 && !this.#watch?.isSilent()) return callback ? super.connect(callback) : super.connect()
    const connected = this.#connectInTurn()
    if (!callback) return connected
    connected.then(
      client => callback(undefined, client, client.release),
      (error: unknown) => callback(error, undefined, () => {}),
    )
  }

  // Prisma's statements alone come as objects without a callback. The sender traces the others.
  // biome-ignore lint/suspicious/noExplicitAny: pg declares query by overloads; all pass through.
  override query(statement: any, ...others: any[]): any {
    const send = () => super.query(statement, ...(others as []))
    return typeof statement === 'object' && others.length === 0 ? inStatementSpan(statement.text, send) : send()
  }

  // On failure, moves on to the next host.
  async #connectInTurn(): Promise<pg.PoolClient> {
    if (this.#watch?.isSilent()) throw silence()
    for (let left = this.#hosts - 1; ; left--)
      try {
        return await super.connect()
      } catch (error) {
        if (left === 0 || (error as Error).message.startsWith('timeout exceeded')) throw error
      }
  }
}

/** The backends among `pids` that are running a statement, queried on a separate connection. */
async function activeBackends(connection: Connection, pids: readonly number[]): Promise<ReadonlySet<number>> {
  const deadline = setTimeout(() => connection.cut(new Error('too late')), 1_800)
  try {
    await connection.connect()
    const { rows } = await connection.query(
      "select pid from pg_stat_activity where pid = any($1) and state = 'active' and wait_event_type is distinct from 'Client'",
      [pids],
    )
    return new Set(rows.map(({ pid }: { pid: number }) => pid))
  } finally {
    clearTimeout(deadline)
    void connection.end()
  }
}
