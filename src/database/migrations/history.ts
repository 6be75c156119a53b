// The migration history of a database: the table _prisma_migrations, read and corrected with plain SQL.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Queries } from '../client.ts'
import { addressesOf, hostsOf, placeOf } from '../connections/address.ts'
import { Connection, connectInTurn, settleMs, UnusableDatabase } from '../connections/connection.ts'
import { Pool } from '../connections/pool.ts'
import { queryRows } from '../connections/row-query.ts'
import { forgetMigration, lockMigrations, lockMigrationsWithin, type MigrationRow, selectMigrations } from './history.sql.ts'

/** The database cannot be migrated. The message is a sentence for the operator. */
export class MigrationError extends Error {}

export type Queryable = Pick<Queries, 'query'>

const undefinedTable = '42P01'
// 200 ms: short beside a migration, long beside a query.
const lockEveryMs = 200

/** Every migration that was begun and not rolled back, in order; none in a database that was never migrated. */
export async function readRows(database: Queryable): Promise<MigrationRow[]> {
  try {
    return await database.query(selectMigrations)
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return []
    throw error
  }
}

/**
 * Marks the migrations of processes that died as rolled back. Their rows have no error, and their scripts did not commit: see
 * `finishMigration`.
 */
export async function forgetInterrupted(pool: pg.Pool): Promise<void> {
  for (const row of await readRows(queryable(pool)))
    if (!row.finished && row.logs === null) await queryable(pool).query(forgetMigration, [row.name])
}

/**
 * Runs `work` while no other process migrates this database. One connection holds the lock and sends the scripts: when this process dies,
 * PostgreSQL keeps the lock until the script has ended.
 */
export async function exclusively<Result>(url: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new LastingPool({ hosts: hostsOf(url), max: 1, idleTimeoutMillis: 0, application_name: 'rolocom migrate' })
  pool.on('error', () => {})
  try {
    // Polled, because a statement that waits for the lock holds a snapshot, and a concurrent index build of the process with the lock would
    // wait for the end of that snapshot.
    while (!(await queryable(pool).query(lockMigrations))[0]?.locked) await sleep(lockEveryMs)
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/**
 * The same in one transaction, whose end frees the lock. Behind a pooler a session outlives its client, and would keep it: nobody could migrate
 * until the pooler closes that session, ten minutes later as a rule.
 */
export async function exclusivelyWithin<Result>(url: string, work: (database: Queryable) => Promise<Result>): Promise<Result> {
  return withClient(url, async client => {
    const database = queryable(client)
    for (;;) {
      await client.query('begin')
      try {
        const isLocked = (await database.query(lockMigrationsWithin))[0]?.locked
        const result = isLocked ? { made: await work(database) } : undefined
        await client.query('commit')
        if (result) return result.made
      } catch (error) {
        // A transaction that cannot roll back is closed with the client.
        await client.query('rollback').catch(() => {})
        throw error
      }
      await sleep(lockEveryMs)
    }
  })
}

type Answer = (error: Error | null, result?: unknown) => void

/** A pool that keeps a connection after a failed statement, where pg-pool would close it and so release the lock. */
class LastingPool extends Pool {
  // The arguments of pg: a text or query, optional values, an optional callback.
  override query(...args: unknown[]): never {
    const last = args.at(-1)
    const send = async () => {
      const client = await this.connect()
      try {
        return await client.query(...(args as [string]))
      } finally {
        client.release()
      }
    }
    if (typeof last !== 'function') return send() as never
    const answer = last as Answer
    const begun = this.connect().then((client: pg.PoolClient) => {
      const releaseAndAnswer: Answer = (error, result) => {
        client.release()
        answer(error, result)
      }
      client.query(...([...args.slice(0, -1), releaseAndAnswer] as unknown as [string]))
    })
    return void begun.catch(answer) as never
  }
}

/** Runs `work` on a connection of its own. Throws MigrationError when it cannot connect. */
export const withConnection = <Result>(url: string, work: (database: Queryable) => Promise<Result>): Promise<Result> =>
  withClient(url, client => work(queryable(client)))

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const hosts = hostsOf(url)
  const client = await connectInTurn(
    hosts,
    () => new Connection({ hosts, application_name: 'rolocom migrate', connectionTimeoutMillis: settleMs }),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof UnusableDatabase) throw new MigrationError(error.message, { cause: error })
    const places = addressesOf(url).map(placeOf).join(', ')
    throw new MigrationError(`The database ${places} cannot be reached: ${error.message || error.code}`, { cause: error })
  })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const queryable = (database: pg.Pool | pg.Client): Queryable => ({
  // Not prepared, because each of these statements is sent once.
  query: (statement, values = []) => queryRows(database, { ...statement, name: '' }, values),
})
