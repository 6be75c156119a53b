// keys at a server: the API keys of the signed-in user's organization.

import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { isForPeople, minute, printJson, printLine, say } from '../output/print.ts'
import { type Column, printTable } from '../output/table.ts'
import { askGraphql } from '../session/graphql.ts'
import { serverOf } from '../session/server.ts'

export interface KeyFlags extends CommonFlags {
  label?: string
  scopes?: string
}

interface ApiKey {
  id: string
  label: string
  start: string
  last4: string
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
}

const fields = 'id label start last4 scopes createdAt lastUsedAt expiresAt revokedAt'

const columns: readonly Column<ApiKey>[] = [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'KEY', of: ({ start, last4 }) => `${start}...${last4}` },
  { title: 'LABEL', of: ({ label }) => label },
  { title: 'SCOPES', of: ({ scopes }) => scopes.map(scopeOf).join(', ') },
  { title: 'USED', of: ({ lastUsedAt }) => minute(lastUsedAt) || 'never' },
  { title: 'STATE', of: ({ revokedAt, expiresAt }) => (revokedAt ? 'revoked' : expiresAt ? `until ${minute(expiresAt)}` : 'valid') },
]

// GraphQL spells `contacts:read` CONTACTS_READ, and `*` ALL.
const scopeOf = (value: string) => (value === 'ALL' ? '*' : value.toLowerCase().replace('_', ':'))
const enumValueOf = (scope: string) => (scope === '*' ? 'ALL' : scope.trim().toUpperCase().replace(':', '_'))

/** list, create, or revoke with an id. Throws CommandError for other words. */
export async function keys(terminal: Terminal, flags: KeyFlags, words: readonly string[]): Promise<void> {
  const [action = 'list', id, ...others] = words
  if (others.length > 0 || (id !== undefined) !== (action === 'revoke')) throw usage
  if (action === 'list') return list(terminal, flags)
  if (action === 'create') return create(terminal, flags)
  if (action === 'revoke' && id !== undefined) return revoke(terminal, flags, id)
  throw usage
}

const usage = new CommandError('keys knows list, create and revoke <id>; rolocom keys --help says more', exitStatus.usage)

async function list(terminal: Terminal, flags: KeyFlags): Promise<void> {
  const { apiKeys } = await askGraphql<{ apiKeys: ApiKey[] }>(terminal, flags, { query: `{ apiKeys { ${fields} } }` })
  if (isForPeople(terminal, flags)) printTable(terminal, columns, apiKeys, 'No API keys')
  else printJson(terminal, apiKeys)
}

async function create(terminal: Terminal, flags: KeyFlags): Promise<void> {
  const { label = 'Made on the command line', scopes = '*' } = flags
  const { createApiKey } = await askGraphql<{ createApiKey: { key: string; apiKey: ApiKey } }>(terminal, flags, {
    query: `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { ${fields} } } }`,
    variables: { input: { label, scopes: scopes.split(',').map(enumValueOf) } },
  })
  if (flags.json) return printJson(terminal, createApiKey)
  // Only the key goes to standard output, for KEY=$(rolocom keys create).
  say(terminal, `API key "${label}" (${createApiKey.apiKey.id}) at ${serverOf(terminal.environment, flags).url}, shown this once:`)
  printLine(terminal, createApiKey.key)
}

async function revoke(terminal: Terminal, flags: KeyFlags, id: string): Promise<void> {
  const { revokeApiKey } = await askGraphql<{ revokeApiKey: ApiKey }>(terminal, flags, {
    query: `mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { ${fields} } }`,
    variables: { input: { id } },
  })
  if (flags.json) return printJson(terminal, revokeApiKey)
  printLine(terminal, `revoked: ${revokeApiKey.id}  ${revokeApiKey.label}`)
}
