// The command line of `rolocom keys`: at the server that the user is signed in to, or on the database that the settings name.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import { CommandError, type Environment, exitStatus, type Terminal } from './terminal.ts'
import { flag, text, texts } from './user/flags.ts'

interface Flags {
  database?: boolean
  url?: string
  org?: string[]
  label?: string
  scopes?: string
  json?: boolean
}

async function run(this: Terminal, { database, ...flags }: Flags, ...words: string[]): Promise<void> {
  if (database && flags.url !== undefined)
    throw new CommandError('--database is the one that the settings name, --url a server: give one of them', exitStatus.usage)
  const { isSignedIn } = await import('./user/session/server.ts')
  if (!database && (isSignedIn(this.environment, flags.url) || !hasDatabase(this.environment))) {
    const { keys } = await import('./user/account/keys.ts')
    const [org, ...orgs] = flags.org ?? []
    if (orgs.length > 0) throw new CommandError('A server is asked about one organization: give one --org', exitStatus.usage)
    return keys(this, { ...flags, org }, words)
  }
  const { operate } = await import('./operator/dispatch.ts')
  return operate(this, 'keys', words, flags)
}

// Its own file asks for a database only where there is one, so that nobody makes one by asking for keys.
const hasDatabase = ({ DATABASE_URL, DATA_DIR }: Environment) => Boolean(DATABASE_URL) || existsSync(join(DATA_DIR || '.data', 'postgres'))

export const keys = buildCommand({
  loader: async () => run,
  parameters: {
    flags: {
      database: flag('On the database that the settings name, whatever server you are signed in to'),
      url: text('address', 'At this server'),
      org: texts('id', 'The organization; of an operator’s new key, may be repeated'),
      label: text('text', 'Label of a new key'),
      scopes: text('contacts:read,...', 'Scopes of a new key. Default: all (*)'),
      json: flag('JSON'),
    },
    positional: {
      kind: 'array',
      parameter: { parse: String, brief: 'list (the default), create, revoke <id>', placeholder: 'action' },
    },
  },
  docs: {
    brief: 'List, make and revoke API keys',
    fullDescription:
      'Asks the server that you are signed in to. Operators, who are signed in nowhere or give --database, have the keys of all\norganizations of the database that DATABASE_URL or DATA_DIR names; npm run rolocom -- keys --database is that.',
    customUsage: [
      { input: 'list', brief: 'label, first and last characters, scopes, last use, state' },
      { input: 'create --label CI --scopes contacts:read', brief: 'prints the key, this once' },
      { input: 'revoke <id>', brief: 'running servers refuse the next request with it; an operator may give its first characters' },
    ],
  },
})
