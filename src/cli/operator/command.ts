// The input of every command, and the database that it runs on.

import type { Logger } from 'pino'
import { type Config, ConfigError } from '../../config/environment.ts'
import { startEmbedded } from '../../database/embedded/embedded.ts'
import { applyMigrations, pendingMigrations } from '../../database/migrations/migrate.ts'
import { areSameDatabase, renumberRestored } from '../../database/migrations/restored.ts'

/** The audit has found a difference: exit status 1 without a stack trace. */
export class AuditError extends Error {}

export interface Command {
  config: Config
  log: Logger
  /** The arguments after the command's name. */
  words: readonly string[]
  options: {
    help?: boolean
    json?: boolean
    yes?: boolean
    file?: string
    header?: string[]
    query?: string
    url?: string
    label?: string
    scopes?: string
    org?: string[]
  }
  /** Whether standard output is a terminal. */
  isTerminal: boolean
  print(text: string): void
}

export interface DatabaseAt {
  url: string
  /** The same past a pooler: for migrations, whose lock needs a session of its own. */
  directUrl: string
  /** Releases the embedded database; does nothing for an external one. */
  leave(): Promise<void>
}

/** The configured database: an external PostgreSQL, or the embedded one, which is started unless it runs already. */
export async function reachDatabase({ config, log }: Command): Promise<DatabaseAt> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = config
  if (DATABASE_URL && DATABASE_DIRECT_URL && !(await areSameDatabase(DATABASE_URL, DATABASE_DIRECT_URL)))
    throw new ConfigError(['DATABASE_DIRECT_URL: leads to another database than DATABASE_URL; both must lead to the same one'])
  if (DATABASE_URL) return { url: DATABASE_URL, directUrl: DATABASE_DIRECT_URL ?? DATABASE_URL, leave: async () => {} }
  const { url, stop } = await startEmbedded({ dataDir: config.DATA_DIR, log })
  return { url, directUrl: url, leave: stop }
}

/**
 * Migrates the embedded database. Refuses an external one with pending migrations: its operator decides when it is migrated. Also repairs
 * either after a restore.
 */
export async function upToDate({ isEmbedded }: Config, url: string, log: Logger): Promise<void> {
  await migrateOrRefuse(isEmbedded, url, log)
  const renumbered = await renumberRestored(url)
  if (renumbered) log.info({ events: renumbered }, 'the database was restored into another cluster: its events are renumbered')
}

async function migrateOrRefuse(isEmbedded: boolean, url: string, log: Logger): Promise<void> {
  const pending = await pendingMigrations(url)
  if (pending.length === 0) return
  if (isEmbedded) {
    log.info(`bringing the database up to date: ${pending.length} migration(s)`)
    await applyMigrations(url)
  } else
    throw new ConfigError([
      `The database at DATABASE_URL misses ${pending.length} migration(s): ${firstOf(pending)}. Run: npm run rolocom -- migrate`,
    ])
}

// An older database misses dozens.
const firstOf = ([first, second, third, ...others]: readonly string[]) =>
  [first, second, third, ...(others.length > 0 ? ['...'] : [])].filter(name => name !== undefined).join(', ')

/** Advice for a secret that does not belong to the database. */
export const lostSecret =
  'IDENTITY_SECRET does not belong to this database, so nobody could sign in: restore secrets.json in DATA_DIR, or the former IDENTITY_SECRET; if it is lost, accept that by "rolocom secrets accept-loss" (npm run rolocom -- secrets accept-loss)'
