// The command line: `rolocom`, with commands for operators and for a server's users.

import { type Application, buildApplication, buildRouteMap, ExitCode, help, run, text_en, version } from '@stricli/core'
import { completing, completion } from './completion.ts'
import { sentenceOf, statusOf } from './failure.ts'
import { keys } from './keys.ts'
import { operatorRoutes, sendHook, testHook } from './operator/commands.ts'
import { type Environment, exitStatus, type Terminal } from './terminal.ts'
import { credits, login, logout, whoami } from './user/account/commands.ts'
import { agents } from './user/agents/commands.ts'
import { api, graphql } from './user/api/commands.ts'
import { calls } from './user/calls/commands.ts'
import { contacts } from './user/contacts/commands.ts'
import { enrich, suggestions } from './user/enrichment/commands.ts'
import { inbox } from './user/inbox/commands.ts'
import { events, listen, mcp } from './user/live/commands.ts'
import { nouns } from './user/nouns/nouns.ts'

const hooks = buildRouteMap({
  routes: { test: testHook, send: sendHook, listen },
  docs: { brief: 'Try a hook with a payload; forward webhooks to a local address' },
})

const own = { login, logout, whoami, contacts, agents, calls, enrich, suggestions, inbox, credits, events, api, graphql, mcp, completion }
const serverRoutes = { ...operatorRoutes, keys, hooks }
/** The compiler refuses a noun that has the name of another command, because it would replace that command. */
type Others<Commands> = Readonly<Record<string, object>> & { [Name in keyof Commands | 'complete' | 'serve']?: never }
const userRoutes = { ...own, ...(nouns satisfies Others<typeof own & typeof serverRoutes>) }

const root = buildRouteMap({
  routes: { ...serverRoutes, ...userRoutes, complete: completing(() => application) },
  aliases: { serve: 'start' },
  docs: {
    brief: 'Contacts, voice calls, enrichment, credits and an agent gateway behind one GraphQL schema',
    fullDescription: `Contacts, voice calls, enrichment, credits and an agent gateway behind one GraphQL schema.

Operators run a server with start, migrate, seed, tasks, audit, backup, restore, claim, build, hooks test and send; its settings are listed by settings.
Users ask a server: login first, or ROLOCOM_URL and ROLOCOM_API_KEY. Each command has examples in its --help.

Exit status: 0 done; 1 failed; 2 a user's command line is wrong; 3 migrations are pending that stop the server; 4 not signed in, or not allowed.`,
    hideRoute: { complete: true },
  },
})

const documentation = {
  caseStyle: 'convert-camel-to-kebab',
  onlyRequiredInUsageLine: true,
  useAliasInUsageLine: false,
} as const

const application: Application<Terminal> = buildApplication<Terminal>(
  root,
  {
    name: 'rolocom',
    determineExitCode: statusOf,
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    documentation,
    localization: {
      text: {
        ...text_en,
        noCommandRegisteredForInput: ({ input, corrections }) =>
          `There is no command "${input}"${corrections.length > 0 ? ` (is it ${corrections.join(' or ')}?)` : ''}; --help lists them`,
        exceptionWhileRunningCommand: sentenceOf,
        exceptionWhileLoadingCommandFunction: sentenceOf,
      },
    },
  },
  {
    help: help({ brief: 'Show this help', formatting: documentation, defaultForRouteMap: true }),
    version: version({
      brief: 'Show the version',
      info: { getCurrentVersion: async () => (await import('../config/release.ts')).release },
    }),
  },
)

/** Runs a command line. Resolves with the exit status; errors have been written to stderr. */
export async function runCommand(words: readonly string[], environment: Environment): Promise<number> {
  const { stdin, stdout, stderr } = process
  const [name = 'start'] = words
  if (Object.hasOwn(userRoutes, name)) endWithReader(stdout)
  const terminal: Terminal = { process: { stdin, stdout, stderr, env: environment }, environment }
  await run(application, words.length === 0 ? ['start'] : words, terminal)
  const code = terminal.process.exitCode ?? exitStatus.done
  if (code >= 0) return code
  const isUsage = code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument
  // The commands of operators end with 0 or 1, and `migrate status` with 3; an unknown command ends with 1 too.
  return isUsage && Object.hasOwn(userRoutes, name) ? exitStatus.usage : exitStatus.failed
}

/** Ends the process quietly when the reader of its output is gone, as `head` is after its lines. */
function endWithReader(stdout: NodeJS.WriteStream): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(exitStatus.done)
  })
}
