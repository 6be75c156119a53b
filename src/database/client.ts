// The database: one pool shared by prepared SQL, Prisma and the queue; transactions that carry all of them.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import type { Logger } from 'pino'
import { AppError } from '../errors.ts'
import { hostsOf } from './address.ts'
import { Adopted, adopt, oneAfterAnother, Pool, type Prisma } from './adoption.ts'
import { Connection, connectInTurn, settleMs, UnusableDatabase } from './connection.ts'
import { PrismaClient } from './generated/client.ts'
import { type Parse, RowQuery, type RowStatement } from './rows.ts'
import { type SharedConnection, shareConnections } from './shared.ts'
import { watchForSilence } from './silence.ts'

/** A prepared statement: planned once per connection under its name. */
export interface Statement<Row> {
  readonly name: string
  readonly text: string
  /** Builds the row from the columns in order. Cheaper than objects where pages are read; absent: rows are objects. */
  readonly row?: (columns: readonly never[]) => Row
  /** It may follow others on their connection. */
  readonly isShort?: boolean
}

export function statement<Row>(name: string, text: string, row?: (columns: readonly never[]) => Row): Statement<Row> {
  return row ? { name, text, row } : { name, text }
}

/**
 * A statement that is soon done whatever it is given: it reads a bounded number of rows by an index, and waits for nobody. Outside of
 * transactions it shares a connection with others of its kind.
 */
export function shortRead<Row>(name: string, text: string, row: (columns: readonly never[]) => Row): Statement<Row> {
  return { name, text, row, isShort: true }
}

/**
 * A parameter that plans are made without looking at. Of a table that grows and shrinks by the second PostgreSQL may believe that a value
 * is rare in it, and then plans for each value anew, for longer than the statement takes.
 */
export const unseen = (parameter: string): string => `(select ${parameter})`

/** What can be asked of the database, in or out of a transaction. Times come back as ISO 8601 text with milliseconds and `Z`. */
export interface Queries {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
  /** Prisma's client, in the same transaction where there is one. Its times are `Date`. */
  prisma: Prisma
  /** Runs the work in a transaction: commits when it resolves, rolls back when it throws. Inside one, runs in that one. */
  transaction<Result>(work: (tx: Queries) => Promise<Result>): Promise<Result>
  inTransaction: boolean
  /** Runs the work once the transaction has committed, before its caller goes on; at once outside of one. Not run after a rollback. */
  afterCommit(work: () => unknown): Promise<void>
  /**
   * Sends the statement together with COMMIT, one round trip for all that is left to do; its values are asked for then. Where it fails, so
   * does the transaction. Only inside of one.
   */
  withCommit(statement: Statement<never>, values: () => readonly unknown[]): void
  /** Sends text of a library's own, unprepared, in the same transaction where there is one. */
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

export interface Database extends Queries {
  url: string
  pool: pg.Pool
  /** A connection of its own, outside the pool and past any pooler, for LISTEN. The caller ends it. */
  connect(): Promise<Connection>
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** The same database past a pooler, for what needs a session of its own. Default: `url`. */
  directUrl?: string | undefined
  log?: Pick<Logger, 'warn'>
  /** Connections. Default 16. */
  poolSize?: number
  /** Called once per statement sent, BEGIN and COMMIT included. */
  onStatement?: (name: string) => void
}

const TIMESTAMPTZ = 1184
const INT8 = 20
const DATE = 1082
const JSONB = 3802
const TEXT_ARRAY = 1009

// "2026-05-31 23:57:24.48+00" -> "2026-05-31T23:57:24.480Z" without a Date; the session's time zone is UTC. Rows that were never changed
// have the same time twice, so the last one is remembered.
let lastText = ''
let lastTime = ''
function isoTime(text: string): string {
  if (text === lastText) return lastTime
  lastText = text
  lastTime = `${text.slice(0, 10)}T${text.slice(11, 19)}.${`${text.slice(20, text.length - 3)}000`.slice(0, 3)}Z`
  return lastTime
}

const parsers: Record<number, (text: string) => unknown> = {
  [TIMESTAMPTZ]: isoTime,
  [DATE]: text => text,
  // Counts and ids of transactions stay below 2^53; money has its own bigint handling.
  [INT8]: Number,
  [JSONB]: text => (text === '{}' ? {} : text === '[]' ? [] : JSON.parse(text)),
  [TEXT_ARRAY]: text => (text === '{}' ? [] : defaultTextArray(text)),
}
const defaultTextArray = pg.types.getTypeParser(TEXT_ARRAY as never, 'text') as (text: string) => string[]
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text'),
}

// null for what stays the text it is.
const asText = pg.types.getTypeParser(25 as never, 'text')
function parserOf(oid: number): Parse | null {
  const parse = types.getTypeParser(oid, 'text')
  return parse === asText ? null : (parse as Parse)
}

const builds = <Row>(statement: Statement<Row>): statement is Statement<Row> & RowStatement<Row> => statement.row !== undefined

function rowsOf<Row>(target: pg.Pool | pg.PoolClient | SharedConnection, query: RowQuery<Row>): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const answer = (error: Error | null | undefined, result: { rows: Row[] }) => (error ? reject(error) : resolve(result.rows))
    // A query object of one's own is what pg calls a submittable; its types know only those that are streams.
    ;(target as unknown as { query(query: RowQuery<Row>, answer: unknown): void }).query(query, answer)
  })
}

// The connection is busy until each of them is answered, whatever the first failure says.
async function allDone(all: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason
}

// 10 s: a statement that runs longer is cancelled and answered 503, so a slow plan cannot hold the pool. A transaction that has lost its
// client holds its locks no longer than that, and a backend whose client is gone is found within a minute.
const session = {
  statement_timeout: '10000',
  idle_in_transaction_session_timeout: '10000',
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
}

/** Opens the pool. Nothing is connected until the first statement. */
export function openDatabase({ url, directUrl = url, log, poolSize = 16, onStatement }: DatabaseOptions): Database {
  const connection = { hosts: hostsOf(url), session, application_name: 'rolocom', connectionTimeoutMillis: settleMs }
  const direct = { ...connection, hosts: directUrl === url ? connection.hosts : hostsOf(directUrl), application_name: 'rolocom listener' }
  const pool = new Pool({ ...connection, max: poolSize, pipeline: true, onSilence: () => watch.suspect() })
  const watch = watchForSilence(log ?? { warn() {} }, pids =>
    backendsAtWork(new Connection({ ...connection, connectionTimeoutMillis: 1_500 }), pids),
  )
  pool.watch = watch
  pool.on('connect', client => watch.add(client as unknown as Connection))
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // A quarter: transactions and whatever takes longer keep the most.
  const connections = shareConnections(pool, Math.floor(poolSize / 4))
  const client = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => createHash('sha1').update(sql).digest('base64url') }),
  })

  const send = async <Row>(target: pg.Pool | pg.PoolClient, statement: Statement<Row>, values: readonly unknown[]) => {
    const { name, text } = statement
    onStatement?.(name)
    try {
      if (builds(statement)) {
        const shared = statement.isShort && target === pool ? connections.free() : undefined
        return await rowsOf(shared ?? target, new RowQuery(statement, values as unknown[], parserOf))
      }
      return (await target.query({ name, text, values: values as unknown[], types })).rows as Row[]
    } catch (error) {
      throw translated(error)
    }
  }
  const execute = async (target: pg.Pool | pg.PoolClient, text: string, values?: unknown[]) => {
    onStatement?.('execute')
    try {
      return await target.query(text, values)
    } catch (error) {
      throw translated(error)
    }
  }
  const begin = async () => {
    const connected = await pool.connect().catch((error: unknown) => {
      throw translated(error)
    })
    onStatement?.('begin')
    return connected as pg.PoolClient
  }

  const transaction = async <Result>(work: (tx: Queries) => Promise<Result>): Promise<Result> => {
    const connection = await begin()
    let broken = false
    const onError = () => {
      broken = true
    }
    connection.on('error', onError)
    let ended: ((commit: boolean) => Promise<void>) | undefined
    const afterwards: (() => unknown)[] = []
    const last: { statement: Statement<never>; values: () => readonly unknown[] }[] = []
    const waitInTurn = oneAfterAnother()
    let isOver = false
    // A straggler of a transaction that was undone would write for good, or into somebody else's.
    const inTurn: typeof waitInTurn = work =>
      waitInTurn(() => (isOver ? Promise.reject(new Error('The transaction is over already')) : work()))
    const held = new Adopted(() => {
      const adoption = adopt(client, connection, inTurn)
      ended = adoption.end
      return adoption.prisma
    })
    const tx: Queries = Object.assign(held, {
      inTransaction: true,
      afterCommit: async work => void afterwards.push(work),
      withCommit: (statement, values) => void last.push({ statement, values }),
      execute: (text, values) => inTurn(() => execute(connection, text, values)),
      query: (statement, values = []) => inTurn(() => send(connection, statement, values)),
      transaction: inner => inner(tx),
    } satisfies Omit<Queries, 'prisma'>)
    let result: Result
    try {
      // The first statement follows on its heels: one round trip for both.
      const begun = connection.query('BEGIN')
      begun.catch(() => {})
      result = await work(tx)
      await ended?.(true)
      const sent = last.map(({ statement, values }) => send(connection, statement, values()))
      onStatement?.('commit')
      // Nothing is waited for in between: where a statement has failed, PostgreSQL makes a ROLLBACK of it.
      await allDone([begun, ...sent, connection.query('COMMIT')])
    } catch (error) {
      await ended?.(false)
      isOver = true
      // What was a primary is one no longer: the next connection is made to the one that is.
      if (sqlState(error) === readOnly) onError()
      // A connection that cannot roll back is not given back to the pool.
      await connection.query('ROLLBACK').catch(onError)
      throw translated(error)
    } finally {
      isOver = true
      connection.removeListener('error', onError)
      connection.release(broken)
    }
    for (const work of afterwards) await work()
    return result
  }

  return {
    url,
    pool,
    prisma: client.$extends({
      query: {
        $allOperations: ({ args, query }) =>
          query(args).catch((error: unknown) => {
            throw translated(error)
          }),
      },
    }) as unknown as Prisma,
    inTransaction: false,
    afterCommit: async work => void (await work()),
    withCommit() {
      throw new Error('There is no transaction to commit')
    },
    execute: (text, values) => execute(pool, text, values),
    query: (statement, values = []) => send(pool, statement, values),
    transaction,
    connect: () => connectInTurn(direct.hosts, () => new Connection(direct)),
    async close() {
      await client.$disconnect()
      connections.close()
      const late = setTimeout(watch.closeAll, goodbyeMs)
      // Connections that are just being made end by themselves.
      await Promise.race([pool.end(), sleep(1.5 * goodbyeMs, undefined, { ref: false })])
      clearTimeout(late)
      watch.stop()
    },
  }
}

async function backendsAtWork(connection: Connection, pids: readonly number[]): Promise<ReadonlySet<number>> {
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

const readOnly = '25006'
// A statement sent while the database is closed belongs to a request that has been answered already.
const goodbyeMs = 1_000

// What a caller may try again: the server is away, full, restarting, or the statement was cancelled or lost a lock.
const unavailableStates = /^(08|53|57|40001|40P01|25006|25P03|58)/
const unavailableErrors = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/
const unavailableMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|not queryable/

// Prisma's own words for the same: not reachable, timed out, closed, no connection free, write conflict.
const unavailableInPrisma = /^P(1001|1002|1008|1017|2024|2028|2034|2037)$/

function translated(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const code = (error as { code?: unknown }).code
  const state = sqlState(error) ?? ''
  const unavailable =
    error instanceof UnusableDatabase ||
    unavailableStates.test(state) ||
    unavailableErrors.test(state) ||
    (typeof code === 'string' && unavailableInPrisma.test(code)) ||
    unavailableMessages.test(error.message)
  return unavailable ? new AppError('UNAVAILABLE', 'The database is not available; try again', { cause: error, retryAfter: 1 }) : error
}

/** The SQLSTATE of a database error, also of one that Prisma wrapped; undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  type Wrapped = { code?: unknown; meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } } | null
  const wrapped = error as Wrapped
  const code = wrapped?.meta?.driverAdapterError?.cause?.originalCode ?? wrapped?.code
  return typeof code === 'string' ? code : undefined
}
