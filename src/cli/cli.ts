// The command line: start (the default; serve is another name), build, migrate, seed, tasks, audit, hooks, keys, claim, mcp.

import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config/environment.ts'
import { withSecrets } from '../config/secrets.ts'
import { describeSettings } from '../config/settings.ts'
import { UnusableDatabase } from '../database/connections/connection.ts'
import { EmbeddedError } from '../database/embedded/embedded.ts'
import { MigrationError } from '../database/migrations/migrate.ts'
import { createLog } from '../server/log.ts'
import { AuditError, type Command } from './operator/command.ts'

const help = `Rolocom: contacts, voice calls, enrichment, credits and an agent gateway behind one GraphQL schema.

  npm start                           serve (embedded database by default)
  npm run build                       build the web app into dist/web, which production does not do by itself
  npm run migrate                     bring the database up to date
  npm run migrate -- status           what is applied, what is missing
  npm run migrate -- new <name>       write the next migration from a change of prisma/schema.prisma
  npm run migrate -- resolve <name>   mark a failed migration as rolled back, so that it can be applied again
  npm run keys -- list | create | revoke
                                      API keys of all organizations (npm run keys -- --help says more)
  npm run claim                       print a one-use address by which a person becomes owner of the first organization
  npm run seed                        two further organizations for trying things out (--json prints them for scripts)
  npm run tasks                       tasks and enrichment jobs that failed for good (retry <id> queues one again)
  npm run -s backup -- [file]         the embedded database and the generated secrets as one file, while the server runs
  npm run -s restore -- <file>        puts them into a DATA_DIR that has none
  npm run audit:credits               prove that every balance is the sum of its ledger entries
  npm run hooks -- test <name> --file payload.json
                                      what a hook would make of a payload, without doing it (--header "Name: value", --query a=1)
  npm run hooks -- send <name> --file payload.json
                                      signs it as its sender would and posts it to the running server (--url, if that is elsewhere)
  npm run -s mcp                      MCP over standard input and output, forwarded to ROLOCOM_URL (default http://127.0.0.1:4000)
                                      with ROLOCOM_API_KEY

Settings, from the environment or a .env file:
${describeSettings()}
`

const expected = [ConfigError, EmbeddedError, MigrationError, AuditError, UnusableDatabase]
// Each command is imported when it runs: importing the whole program takes a second.
const commands = {
  start: async (command: Command) => (await import('./operator/serve.ts')).serve(command),
  serve: async (command: Command) => (await import('./operator/serve.ts')).serve(command),
  migrate: async (command: Command) => (await import('./operator/migrate.ts')).migrate(command),
  seed: async (command: Command) => (await import('./operator/seed.ts')).seed(command),
  tasks: async (command: Command) => (await import('./operator/tasks.ts')).tasks(command),
  audit: async (command: Command) => (await import('./operator/audit.ts')).audit(command),
  hooks: async (command: Command) => (await import('./operator/hooks/hooks.ts')).hooks(command),
  keys: async (command: Command) => (await import('./operator/keys.ts')).keys(command),
  backup: async (command: Command) => (await import('./operator/backup.ts')).backup(command),
  claim: async (command: Command) => (await import('./operator/keys.ts')).claim(command),
}
// Commands with a help text of their own.
const explained = new Set(['keys', 'claim'])

/** Runs a command line. Resolves with the exit status; errors have been written to stderr. */
export async function runCommand(words: string[], environment: Record<string, string | undefined>): Promise<number> {
  try {
    await dispatch(words, environment)
    return 0
  } catch (error) {
    // One sentence for errors that the operator can fix, a stack trace for all others.
    const isExpected = expected.some(kind => error instanceof kind) || isUnknownOption(error)
    const sentence = codeOf(error) === tooManyConnections ? noConnectionLeft : undefined
    process.stderr.write(`${sentence ?? (error instanceof Error ? (isExpected ? error.message : error.stack) : String(error))}\n`)
    return 1
  }
}

async function dispatch(args: string[], environment: Record<string, string | undefined>): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean' },
      yes: { type: 'boolean' },
      file: { type: 'string' },
      header: { type: 'string', multiple: true },
      query: { type: 'string' },
      url: { type: 'string' },
      label: { type: 'string' },
      scopes: { type: 'string' },
      org: { type: 'string', multiple: true },
    },
  })
  const [name = 'start', ...words] = positionals
  if (values.help && !explained.has(name)) return void process.stdout.write(help)
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  // Before the settings are read: a build needs none, and where an image is built there are none.
  if (name === 'build') return await (await import('./operator/build.ts')).build(print, environment)
  // It forwards to a server, and runs where that server's settings are not.
  if (name === 'mcp') return await (await import('./mcp.ts')).mcp(environment)
  if (name === 'restore') return await (await import('./operator/backup.ts')).restore(readConfig(environment), words, print)
  if (!Object.hasOwn(commands, name)) throw new ConfigError([`There is no command "${name}"; --help lists them`])

  const config = withSecrets(readConfig(environment))
  // A command writes its result to standard output, and its log to standard error.
  const fd = name === 'serve' || name === 'start' ? 1 : 2
  const log = createLog(config, { isTerminal: (fd === 1 ? process.stdout : process.stderr).isTTY === true, fd })
  await commands[name as keyof typeof commands]({
    config,
    log,
    words,
    options: values,
    isTerminal: process.stdout.isTTY === true,
    print,
  })
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code)
const isUnknownOption = (error: unknown) => codeOf(error).startsWith('ERR_PARSE_ARGS')
// PostgreSQL's SQLSTATE.
const tooManyConnections = '53300'
const noConnectionLeft =
  'PostgreSQL has no connection left for this process: end others, raise its max_connections, or lower DATABASE_POOL_SIZE of all processes'
