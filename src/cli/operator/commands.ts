// The commands of operators: they need the settings of a server, and all but `start`, `build` and `settings` its database.

import { buildCommand, type CommandFunction } from '@stricli/core'
import type { Terminal } from '../terminal.ts'
import type { Command } from './command.ts'
import type { operate } from './dispatch.ts'

type Options = Command['options']
type NoFlags = Pick<Options, never>

/** Loads a command that has these flags, and checks the words after its name itself. */
const operatorCommand =
  <Flag extends keyof Options = never, Words extends string[] = string[]>(name: Parameters<typeof operate>[1], ...before: string[]) =>
  async (): Promise<CommandFunction<Pick<Options, Flag>, Words, Terminal>> => {
    const { operate } = await import('./dispatch.ts')
    return function (options, ...words) {
      return operate(this, name, [...before, ...words], options)
    }
  }

const wordsOf = (placeholder: string, brief: string) => ({ kind: 'array', parameter: { parse: String, brief, placeholder } }) as const
const text = (placeholder: string, brief: string) => ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const
const texts = (placeholder: string, brief: string) => ({ ...text(placeholder, brief), variadic: true }) as const
const json = { kind: 'boolean', brief: 'JSON', optional: true, withNegated: false } as const

const start = buildCommand<NoFlags, [], Terminal>({
  loader: operatorCommand('start'),
  parameters: {},
  docs: {
    brief: 'Serve, on the embedded database unless DATABASE_URL is set',
    customUsage: [{ input: '', brief: 'serve until a signal; rolocom without a command does the same' }],
  },
})

const migrate = buildCommand({
  loader: operatorCommand<'json'>('migrate'),
  parameters: {
    positional: wordsOf('action', 'apply (the default), status, new <name>, resolve <name>'),
    flags: { json: { ...json, brief: 'The status as JSON' } },
  },
  docs: {
    brief: 'Bring the database up to date',
    fullDescription:
      'Bring the database up to date.\n\nExit status of migrate status: 0 nothing is pending, or it is safe to apply while processes of the previous release serve; 3 it is not safe; 1 a migration has failed, or the database cannot be read.',
    customUsage: [
      { input: '', brief: 'apply what is missing' },
      { input: 'status', brief: 'what is applied, what is missing, and whether it is safe while the previous release serves' },
      { input: 'status --json', brief: 'the same for scripts' },
      { input: 'new <name>', brief: 'write the next migration from a change of prisma/schema.prisma' },
      { input: 'resolve <name>', brief: 'mark a failed migration as rolled back, so that it can be applied again' },
    ],
  },
})

const seed = buildCommand({
  loader: operatorCommand<'json' | 'yes', []>('seed'),
  parameters: {
    flags: { json, yes: { kind: 'boolean', brief: 'Also with NODE_ENV=production', optional: true, withNegated: false } },
  },
  docs: {
    brief: 'Add two organizations for trying things out',
    customUsage: [{ input: '--json', brief: 'print their keys and sessions for scripts' }],
  },
})

const tasks = buildCommand<NoFlags, string[], Terminal>({
  loader: operatorCommand('tasks'),
  parameters: { positional: wordsOf('action', 'list (the default), retry <id>') },
  docs: {
    brief: 'Tasks and enrichment jobs that failed for good',
    customUsage: [
      { input: '', brief: 'list them, with the reason' },
      { input: 'retry <id>', brief: 'queue one again' },
    ],
  },
})

const audit = buildCommand<NoFlags, string[], Terminal>({
  loader: operatorCommand('audit'),
  parameters: { positional: wordsOf('subject', 'credits, which is the default') },
  docs: {
    brief: 'Prove that every balance is the sum of its ledger entries',
    customUsage: [{ input: 'credits', brief: 'ends with 1 if one is not' }],
  },
})

const backup = buildCommand<NoFlags, string[], Terminal>({
  loader: operatorCommand('backup'),
  parameters: { positional: wordsOf('file', 'The file to write. Default: a name with the time') },
  docs: {
    brief: 'Write the embedded database and the generated secrets to one file',
    customUsage: [{ input: 'rolocom.tar.gz', brief: 'while the server runs' }],
  },
})

const restore = buildCommand<NoFlags, string[], Terminal>({
  loader: operatorCommand('restore'),
  parameters: { positional: wordsOf('file', 'A backup') },
  docs: {
    brief: 'Put a backup into a DATA_DIR that has no database',
    customUsage: [{ input: 'rolocom.tar.gz', brief: 'before the server starts there' }],
  },
})

const claim = buildCommand({
  loader: operatorCommand<'json' | 'org', []>('claim'),
  parameters: {
    flags: { json, org: texts('id', 'The organization. Default: the first one') },
  },
  docs: {
    brief: 'Print a one-use address by which a person becomes an owner',
    fullDescription:
      'Prints an address by which a person becomes an owner of an organization, also of one that has owners: by default of the first one.\nIt works once, within 7 days, and replaces those printed before. Sign-up need not be open.',
    customUsage: [
      { input: '', brief: 'for the first organization' },
      { input: '--org 01a1fb24-cc37-73f0-a612-214b2776a9d9 --json', brief: 'for another, as JSON' },
    ],
  },
})

const secrets = buildCommand<NoFlags, string[], Terminal>({
  loader: operatorCommand('secrets'),
  parameters: { positional: wordsOf('action', 'check (the default), accept-loss') },
  docs: {
    brief: 'Check that the secrets belong to the database',
    fullDescription:
      'Checks that IDENTITY_SECRET belongs to the database: a start refuses another one.\naccept-loss gives up the signing key, which only the former secret could read. Users keep their passwords and sessions. The signing secrets of agents and webhook endpoints change.',
    customUsage: [
      { input: '', brief: 'ends with 1 if they are not' },
      { input: 'accept-loss', brief: 'when they are lost: the next start makes a new signing key' },
    ],
  },
})

const build = buildCommand({
  loader: async () => {
    const { build } = await import('./build.ts')
    return function (this: Terminal) {
      return build(text => void this.process.stdout.write(`${text}\n`), this.environment)
    }
  },
  parameters: {},
  docs: {
    brief: 'Build the web app into dist/web',
    customUsage: [{ input: '', brief: 'a server in production does not do it by itself' }],
  },
})

const settings = buildCommand({
  loader: async () => {
    const { describeSettings } = await import('../../config/described.ts')
    return function (this: Terminal) {
      this.process.stdout.write(`${describeSettings()}\n`)
    }
  },
  parameters: {},
  docs: {
    brief: 'List the settings of a server',
    fullDescription: 'A server reads its settings from the environment, and other settings from a .env file.',
    customUsage: [{ input: '', brief: 'each with what it does and its default' }],
  },
})

const hookFlags = {
  file: text('path', 'The payload, as JSON'),
  header: texts('Name: value', 'A header that comes with it; may be repeated'),
  query: text('a=1', 'The query that comes with it'),
}

export const testHook = buildCommand({
  loader: operatorCommand<'file' | 'header' | 'query'>('hooks', 'test'),
  parameters: { positional: wordsOf('name', 'The hook'), flags: hookFlags },
  docs: {
    brief: 'Show what a hook would make of a payload, without doing it',
    customUsage: [{ input: 'github --file push.json --header "X-GitHub-Event: push"', brief: 'the actions, as JSON' }],
  },
})

export const sendHook = buildCommand({
  loader: operatorCommand<'file' | 'header' | 'query' | 'url'>('hooks', 'send'),
  parameters: {
    positional: wordsOf('name', 'The hook'),
    flags: { ...hookFlags, url: text('address', 'The server. Default: where HOST and PORT say') },
  },
  docs: {
    brief: 'Sign a payload as its sender would, and post it to the server',
    customUsage: [{ input: 'github --file push.json --header "X-GitHub-Event: push"', brief: 'with the secret of its mapping' }],
  },
})

/** The commands by name. */
export const operatorRoutes = { start, migrate, seed, tasks, audit, backup, restore, claim, secrets, build, settings }
