// What every command is given.

import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { startEmbedded } from '../database/embedded.ts'
import { applyMigrations, pendingMigrations } from '../database/migrate.ts'
import { renumberRestored } from '../database/restored.ts'

/** What is stored does not agree with its ledger. */
export class AuditError extends Error {}

export interface Command {
  config: Config
  log: Logger
  /** The words after the command's name. */
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
  /** Whether a person looks at what is printed. */
  isTerminal: boolean
  print(text: string): void
}

export interface DatabaseAt {
  url: string
  /** The same past a pooler: for migrations, whose lock needs a session of its own. */
  directUrl: string
  /** Lets the embedded database go; nothing for an outside one. */
  leave(): Promise<void>
}

/** The configured database: an outside PostgreSQL, or the embedded one, started or joined. */
export async function reachDatabase({ config, log }: Command): Promise<DatabaseAt> {
  if (config.DATABASE_URL)
    return { url: config.DATABASE_URL, directUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, leave: async () => {} }
  const { url, stop } = await startEmbedded({ dataDir: config.DATA_DIR, log })
  return { url, directUrl: url, leave: stop }
}

/**
 * Brings the embedded database up to date. Refuses an outside one that is behind: when it changes is for its operator to say. Either is made
 * usable after a restore.
 */
export async function upToDate({ isEmbedded }: Config, url: string, log: Logger): Promise<void> {
  await migrated(isEmbedded, url, log)
  const renumbered = await renumberRestored(url)
  if (renumbered) log.info({ events: renumbered }, 'the database was restored into another cluster: its events are renumbered')
}

async function migrated(isEmbedded: boolean, url: string, log: Logger): Promise<void> {
  const pending = await pendingMigrations(url)
  if (pending.length === 0) return
  if (isEmbedded) {
    log.info(`bringing the database up to date: ${pending.length} migration(s)`)
    await applyMigrations(url)
  } else
    throw new ConfigError([
      `The database at DATABASE_URL misses ${pending.length} migration(s): ${pending.join(', ')}. Run: npm run migrate`,
    ])
}
