// What a database knows of its migrations: the table _prisma_migrations, read and corrected by plain SQL.

import type pg from 'pg'
import { addressesOf, hostsOf, placeOf } from './address.ts'
import { Pool } from './adoption.ts'
import { type Queries, statement } from './client.ts'
import { Connection, connectInTurn, settleMs, UnusableDatabase } from './connection.ts'

/** Something that keeps the database from being migrated, in a sentence for whoever runs it. */
export class MigrationError extends Error {}

export type Asker = Pick<Queries, 'query'>

export interface MigrationRow {
  name: string
  checksum: string
  finished: boolean
  logs: string | null
}

const selectRows = statement<MigrationRow>(
  'migrations_read',
  `select migration_name as name, checksum, finished_at is not null as finished, logs
   from _prisma_migrations where rolled_back_at is null order by started_at`,
)
const undefinedTable = '42P01'

/** Every migration begun and not given up, in order; none where nobody has migrated yet. */
export async function readRows(database: Asker): Promise<MigrationRow[]> {
  try {
    return await database.query(selectRows)
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return []
    throw error
  }
}

/**
 * Sent in the script's own transaction, so that a migration is never done without being known as done, however the process ends.
 * No other row is unfinished: whoever migrates is alone.
 */
export const finish = 'update _prisma_migrations set finished_at = now() where finished_at is null and rolled_back_at is null'

/** Gives an unfinished migration up, so that it is applied anew. $1 its name. */
export const forget =
  'update _prisma_migrations set rolled_back_at = now() where migration_name = $1 and finished_at is null and rolled_back_at is null'

/** Gives up what processes that died have left. Such a row has no reason, and its script did not commit: see `finish`. */
export async function forgetInterrupted(pool: pg.Pool): Promise<void> {
  for (const row of await readRows(asker(pool))) if (!row.finished && row.logs === null) await pool.query(forget, [row.name])
}

// The number that Prisma's own tools lock, so that they wait for us too.
const lock = 'select pg_advisory_lock(72707369)'

/**
 * Works while no other process migrates this database. One connection holds the lock and sends the scripts: when this process dies,
 * PostgreSQL keeps both until the script has ended.
 */
export async function alone<Result>(url: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new Pool({ hosts: hostsOf(url), max: 1, idleTimeoutMillis: 0, application_name: 'rolocom migrate' })
  pool.on('error', () => {})
  try {
    await pool.query(lock)
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Works on a connection of its own. Throws MigrationError when there is none to be had. */
export async function connected<Result>(url: string, work: (asker: Asker) => Promise<Result>): Promise<Result> {
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
    return await work(asker(client))
  } finally {
    await client.end()
  }
}

export const asker = (database: pg.Pool | pg.Client): Asker => ({
  query: async ({ text }, values = []) => (await database.query(text, [...values])).rows,
})
