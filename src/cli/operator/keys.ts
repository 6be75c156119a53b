// keys list | create | revoke, and claim: credentials for the operator, who is authorized by having access to the database.

import { validate as isUuid } from 'uuid'
import { ConfigError } from '../../config/environment.ts'
import { claimAddress, createClaim } from '../../identity/invitations/invitation.ts'
import { createKeyFor, type ListedKey, listEveryKey, maxListed, organizationOfOperator, revokeKey } from '../../identity/keys/operator.ts'
import { type Context, createContext } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { startServices } from '../../server/services.ts'
import { type Command, reachDatabase, upToDate } from './command.ts'
import { serverAddress } from './server-address.ts'

const keysHelp = `npm run rolocom -- keys --database list [--org <id>] [--json]
    Every API key: label, first and last characters, scopes, organizations, last use, and whether it was revoked.
npm run rolocom -- keys --database create [--label <text>] [--scopes contacts:read,stats:read] [--org <id>]... [--json]
    Makes a key and prints it, this once. Default: everything (*), for the first organization.
npm run rolocom -- keys --database revoke <id, first characters, or the key itself> [--json]
    Revokes it for good; running servers refuse the next request with it.

Exit status: 0 when it is done, 1 when it is not; the reason is on standard error.`

const claimHelp = `npm run rolocom -- claim [--org <id>] [--json]
    Prints an address by which a person becomes an owner of an organization, also of one that has owners: by default of the first one.
    It works once, within 7 days, and replaces those printed before. Sign-up need not be open.

Exit status: 0 when it is done, 1 when it is not; the reason is on standard error.`

export async function keys(command: Command): Promise<void> {
  const { words, options, print } = command
  if (options.help) return print(keysHelp)
  const [action = 'list', named, ...rest] = words
  if (!['list', 'create', 'revoke'].includes(action) || rest.length > 0 || (action === 'revoke') !== (named !== undefined))
    throw new ConfigError([keysHelp])
  const [orgId, ...orgIds] = options.org ?? []
  if (action !== 'create' && orgIds.length > 0) throw new ConfigError(['keys list takes one --org'])

  await asOperator(command, action, async context => {
    if (action === 'list') {
      const listed = await listEveryKey(context, idOf(orgId))
      print(options.json ? JSON.stringify(listed.map(keyOutput), null, 2) : table(listed))
      if (listed.length === maxListed) process.stderr.write(`Only the newest ${maxListed} are shown; --org <id> narrows them down\n`)
    } else if (action === 'create') {
      const scopes = (options.scopes ?? '*').split(',').map(scope => scope.trim())
      const label = options.label ?? 'Made on the command line'
      const { key, apiKey } = await createKeyFor(context, { label, scopes, orgIds: options.org ?? [] })
      const { id, scopes: allowed, organizationIds } = apiKey
      if (options.json) print(JSON.stringify({ id, key, label: apiKey.label, scopes: allowed, organizations: organizationIds }, null, 2))
      else {
        // Only the key goes to standard output, for KEY=$(npm run -s rolocom -- keys --database create).
        process.stderr.write(`API key "${apiKey.label}" (${id}) of ${organizationIds.join(', ')}, shown this once:\n`)
        print(key)
      }
    } else if (named !== undefined) {
      const revoked = await revokeKey(context, named)
      if (options.json) print(JSON.stringify(keyOutput(revoked), null, 2))
      else print(`${revoked.wasRevoked ? 'revoked before' : 'revoked'}: ${revoked.id}  ${revoked.label}`)
    }
  })
}

export async function claim(command: Command): Promise<void> {
  const { config, words, options, print } = command
  if (options.help) return print(claimHelp)
  const [orgId, ...others] = options.org ?? []
  if (words.length > 0 || others.length > 0) throw new ConfigError([claimHelp])
  await asOperator(command, 'claim', async context => {
    const organizationId = idOf(orgId) ?? (await organizationOfOperator(context))
    const { token, expiresAt } = await createClaim(context, organizationId)
    const { url: server, isCertain } = await serverAddress(config)
    const address = claimAddress(server, token)
    if (options.json) return print(JSON.stringify({ organization: organizationId, address, token, expires_at: expiresAt }, null, 2))
    if (!isCertain)
      process.stderr.write(
        `No running server is found; assuming ${server} (HOST and PORT). Elsewhere, open the path at the server's own address\n`,
      )
    process.stderr.write(`Sign in as an owner of ${organizationId} at this address, which works once, until ${expiresAt.toISOString()}:\n`)
    print(address)
  })
}

function idOf(orgId: string | undefined): string | null {
  if (orgId !== undefined && !isUuid(orgId))
    throw new ConfigError([`--org: "${orgId}" is no id of an organization; npm run rolocom -- keys --database lists some`])
  return orgId ?? null
}

/** Runs the work on the configured database, whether or not a server is running. An AppError becomes a one-sentence ConfigError. */
async function asOperator(command: Command, operation: string, work: (context: Context) => Promise<void>): Promise<void> {
  const { config, log } = command
  const database = await reachDatabase(command)
  try {
    await upToDate(config, database.url, log)
    const quiet = log.child({}, { level: 'warn' })
    const { services, stop } = await startServices({ ...config, ROLES: ['api'] }, { log: quiet, databaseUrl: database.url })
    try {
      const principal = { kind: 'system', name: 'operator', orgId: null } as const
      await work(createContext(services, { principal, requestId: `cli-${operation}`, door: 'system', operation }))
    } catch (error) {
      throw error instanceof AppError ? new ConfigError([error.message]) : error
    } finally {
      await stop(1_000)
    }
  } finally {
    await database.leave()
  }
}

function keyOutput({ id, label, start, last4, scopes, organizations, createdAt, expiresAt, lastUsedAt, revokedAt }: ListedKey) {
  return {
    ...{ id, label, start, last4, scopes, organizations },
    ...{ created_at: createdAt, expires_at: expiresAt, last_used_at: lastUsedAt, revoked_at: revokedAt },
  }
}

const minute = (time: Date) => `${time.toISOString().slice(0, 16)}Z`

function table(listed: readonly ListedKey[]): string {
  if (listed.length === 0) return 'no keys: npm run rolocom -- keys --database create makes one'
  const rows = listed.map(({ id, label, start, last4, scopes, organizations, lastUsedAt, expiresAt, revokedAt }) => [
    id,
    `${start}...${last4}`,
    label,
    scopes.join(','),
    organizations.map(({ name }) => name).join(', '),
    lastUsedAt ? `used ${minute(lastUsedAt)}` : 'never used',
    revokedAt ? `revoked ${minute(revokedAt)}` : expiresAt ? `until ${minute(expiresAt)}` : 'valid',
  ])
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), [])
  return rows
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
