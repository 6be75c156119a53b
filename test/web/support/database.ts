// The database of a fixture: an embedded one, or one of its own on a server outside of the project.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../../src/database/migrations/migrate.ts'

export interface FixtureDatabase {
  url: string
  /** What the server needs to find it, beside its data folder. */
  settings: Record<string, string>
  /** Ends the embedded one; drops the outside one. */
  stop(): Promise<void>
}

/** `outside`: the address of a server on which databases may be created. */
export async function openDatabase(dataDir: string, outside: string | undefined): Promise<FixtureDatabase> {
  if (!outside) {
    const { url, stop } = await startEmbedded({ dataDir, log: pino({ level: 'warn' }) })
    return { url, settings: {}, stop }
  }
  const name = `rolocom_web_${randomUUID().slice(0, 8)}`
  const url = Object.assign(new URL(outside), { pathname: `/${name}` }).href
  await ask(outside, `create database ${name}`)
  // A server migrates its embedded database alone.
  await applyMigrations(url)
  // Without an embedded database, signing up is closed unless it is opened.
  return { url, settings: { DATABASE_URL: url, SIGN_UP: 'open' }, stop: () => ask(outside, `drop database ${name} with (force)`) }
}

async function ask(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(text).finally(() => client.end())
}
