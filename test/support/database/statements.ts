// All stored statements on a migrated database.

import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { createTestDatabase } from './database.ts'

/** Registers every statement, and connects to a database that has what they name. */
export async function openForStatements(): Promise<{ client: pg.Client; close(): Promise<void> }> {
  for (const file of globSync('{src,prisma}/**/*.sql.ts')) await import(resolve(file))
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // pg-boss creates its own schema when a process starts.
  await client.query(getConstructionPlans('pgboss'))
  return {
    client,
    async close() {
      await client.end()
      await database.drop()
    },
  }
}
