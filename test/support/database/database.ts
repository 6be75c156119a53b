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
