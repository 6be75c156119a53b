// Creates a migrated, empty database for one test file.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A copy of the migrated template, or with `empty` a database without any table. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const { url: serverUrl, template, strategy } = inject('testServer')
  const name = `rolocom_test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await query(serverUrl, `create database ${name} template ${empty ? 'template0' : template} strategy ${strategy}`)
  return { url: url.href, drop: () => query(serverUrl, `drop database ${name} with (force)`).then(() => {}) }
}

/** Sends one statement on a connection of its own, and returns the rows. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return await client
    .query<Row>(text, values)
    .then(result => result.rows)
    .finally(() => client.end())
}

/** A connection that the caller ends. */
export async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/**
 * Makes two writers meet: a transaction takes locks with the statement `locking`; `meeting` begins, and waits for them; then the transaction executes
 * `writing`, and commits.
 */
export async function meetWriter<Result>(url: string, locking: string, meeting: () => Promise<Result>, writing: string): Promise<Result> {
  const client = await connected(url)
  try {
    await client.query('begin')
    await client.query(locking)
    const met = meeting()
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    for (let tries = 0; (await client.query(waiting)).rowCount === 0; tries++) {
      if (tries === 500) throw new Error('Nobody waits for the locks')
      await new Promise(resolve => setTimeout(resolve, 10))
      await client.query('select pg_stat_clear_snapshot()')
    }
    await client.query(writing)
    await client.query('commit')
    return await met
  } finally {
    await client.end()
  }
}
