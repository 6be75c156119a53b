// Runs an operator's command: with the settings, the log, and one sentence for what an operator can mend.

import { ConfigError, readConfig } from '../../config/environment.ts'
import { withSecrets } from '../../config/secrets.ts'
import { UnusableDatabase } from '../../database/connections/connection.ts'
import { EmbeddedError } from '../../database/embedded/embedded.ts'
import { MigrationError } from '../../database/migrations/migrate.ts'
import { createLog } from '../../server/log.ts'
import { CommandError, type Terminal } from '../terminal.ts'
import { AuditError, type Command } from './command.ts'

// Each is imported when it runs: importing the whole program takes a second.
const commands = {
  start: async (command: Command) => (await import('./serve.ts')).serve(command),
  migrate: async (command: Command) => (await import('./migrate.ts')).migrate(command),
  seed: async (command: Command) => (await import('./seed.ts')).seed(command),
  tasks: async (command: Command) => (await import('./tasks.ts')).tasks(command),
  audit: async (command: Command) => (await import('./audit.ts')).audit(command),
  hooks: async (command: Command) => (await import('./hooks/hooks.ts')).hooks(command),
  keys: async (command: Command) => (await import('./keys.ts')).keys(command),
  backup: async (command: Command) => (await import('./backup.ts')).backup(command),
  claim: async (command: Command) => (await import('./keys.ts')).claim(command),
  secrets: async (command: Command) => (await import('./secrets.ts')).secrets(command),
}
const expected = [ConfigError, EmbeddedError, MigrationError, AuditError, UnusableDatabase]

/** Resolves when the command is done. Throws CommandError for what an operator can mend. */
export async function operate(
  { process, environment }: Terminal,
  name: keyof typeof commands | 'restore',
  words: readonly string[],
  options: Command['options'],
): Promise<void> {
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  try {
    // A backup brings the secrets of its folder, which would be made here.
    if (name === 'restore') return await (await import('./backup.ts')).restore(readConfig(environment), words, print)
    const config = withSecrets(readConfig(environment))
    // A command writes its result to standard output, and its log to standard error.
    const fd = name === 'start' ? 1 : 2
    const log = createLog(config, { isTerminal: (fd === 1 ? process.stdout : process.stderr).isTTY === true, fd })
    await commands[name]({ config, log, words, options, isTerminal: process.stdout.isTTY === true, print })
  } catch (error) {
    const sentence = mendable(error)
    if (sentence !== null) throw new CommandError(sentence)
    throw error
  }
}

/** Advice to an operator about the error, or null. An error of the database stands in the cause. */
function mendable(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? error.code : undefined
  if (code === tooManyConnections) return noConnectionLeft
  if (code === insufficientPrivilege) return `${error.message}: ${lacksRights}`
  if (code === readOnly) return `The database takes no writes (${error.message}): ${mustWrite}`
  if (expected.some(kind => error instanceof kind)) return error.message
  const cause = mendable(error.cause)
  if (cause !== null || code !== 'UNAVAILABLE') return cause
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

// PostgreSQL's SQLSTATE.
const tooManyConnections = '53300'
const insufficientPrivilege = '42501'
const readOnly = '25006'
const lacksRights =
  'the user of DATABASE_URL must own the database and all in it. Run: alter database ... owner to ..., or use the user that made it'
const noConnectionLeft =
  'PostgreSQL has no connection left for this process: end others, raise its max_connections, or lower DATABASE_POOL_SIZE of all processes'
const mustWrite = 'DATABASE_URL must lead to the primary, and default_transaction_read_only must be off there'
