// The database of a bench: migrated, an organization with rows and one for inserts, and API keys of both.

import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config/environment.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { insertApiKey } from '../../src/identity/keys/key.ts'
import { createOrganizationFor } from '../../src/identity/organizations/organization.ts'
import { createContext } from '../../src/kernel/context.ts'
import { start } from '../../src/server/start.ts'
import { type Data, keyed } from './cases/case.ts'
import { fill } from './cases/data.ts'

/** Settings that every server needs. */
export const given = {
  SVC_SERVICES_TOKEN: 'bench-services-token-0123456789',
  HOOKS_TOKEN: 'bench-hooks-token-0123456789ab',
  IDENTITY_SECRET: 'bench-identity-secret-0123456789',
  // Production asks for these too.
  PUBLIC_URL: 'https://bench.example.test',
  MAIL_LINKS: '0',
}

/** Makes and fills a database on the server. Resolves with the settings to start with, and what the cases need to know. */
export async function prepare(adminUrl: string, contacts: number) {
  const name = 'project'
  const DATABASE_URL = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  await connected(adminUrl, admin => admin.query(`create database ${name}`))
  await applyMigrations(DATABASE_URL)

  const unlimited = Object.fromEntries(
    ['READS', 'WRITES', 'ORGANIZATION_READS', 'ORGANIZATION_WRITES'].map(name => [`RATE_LIMIT_${name}`, '10000000']),
  )
  const environment = { ...given, DATABASE_URL, ROLES: 'api,session,gateway,worker', LOG_LEVEL: 'info', ...unlimited }
  const config = readConfig({ ...environment, PORT: '0', ROLES: 'api,session', LOG_LEVEL: 'warn' })
  const running = await start(config, { log: pino({ level: 'warn' }), databaseUrl: DATABASE_URL })
  try {
    const reader = await organizationWithKey(running.services, 'Bench')
    const writer = await organizationWithKey(running.services, 'Bench inserts')
    const { agents, contactId, pipelineId } = await connected(DATABASE_URL, client => fill(client, reader.orgId, contacts))
    const data: Data = {
      readerKey: reader.key,
      writerKey: writer.key,
      serviceToken: given.SVC_SERVICES_TOKEN,
      orgId: reader.orgId,
      userId: reader.userId,
      agents,
      contactId,
      pipelineId,
      middle: await middleCursor(running.url, reader.key, contacts),
    }
    return { environment, data }
  } finally {
    await running.stop(1_000)
  }
}

async function connected<Result>(connectionString: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return work(client).finally(() => client.end())
}

export async function organizationWithKey(services: Parameters<typeof createContext>[0], name: string) {
  const context = createContext(services, { principal: { kind: 'system', name: 'bench', orgId: null }, requestId: 'bench', door: 'system' })
  const userId = `bench-${name}`
  await services.database.prisma.user.create({ data: { id: userId, name } })
  const { id: orgId } = await createOrganizationFor(context, { userId, name })
  const { key } = await insertApiKey(context, { label: name, scopes: ['*'], orgIds: [orgId], userId, expiresAt: null })
  return { orgId, key, userId }
}

async function middleCursor(url: string, key: string, contacts: number): Promise<string> {
  let cursor = ''
  for (let seen = 0; seen < contacts / 2; seen += 200) {
    const path = `/api/crm/v1/contacts?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const answer = await fetch(url + path, { headers: keyed(key) })
    cursor = ((await answer.json()) as { next_cursor: string }).next_cursor
  }
  return cursor
}
