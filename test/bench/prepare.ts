// The project's own database for the bench: as many contacts as the peers have, an organization for inserts, keys, requests.

import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config/environment.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { insertApiKey } from '../../src/identity/keys/key.ts'
import { createOrganizationFor } from '../../src/identity/organizations/organization.ts'
import { createContext } from '../../src/kernel/context.ts'
import { start } from '../../src/server/start.ts'

/** Settings that every server needs. */
export const given = {
  SVC_SERVICES_TOKEN: 'bench-services-token-0123456789',
  HOOKS_TOKEN: 'bench-hooks-token-0123456789ab',
  IDENTITY_SECRET: 'bench-identity-secret-0123456789',
  // Production asks for these too.
  PUBLIC_URL: 'https://bench.example.test',
  MAIL_LINKS: '0',
}

/** Makes and fills the database `name` on the server. Resolves with the settings to start with, and a request of each workload. */
export async function prepare(adminUrl: string, contacts: number, calls: number, name = 'rolocom') {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const DATABASE_URL = url.href
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  await applyMigrations(DATABASE_URL)

  const unlimited = Object.fromEntries(
    ['READS', 'WRITES', 'ORGANIZATION_READS', 'ORGANIZATION_WRITES'].map(name => [`RATE_LIMIT_${name}`, '10000000']),
  )
  const environment = { ...given, DATABASE_URL, LOG_LEVEL: 'info', ...unlimited }
  const config = readConfig({ ...environment, PORT: '0', ROLES: 'api,session', LOG_LEVEL: 'warn' })
  const running = await start(config, { log: pino({ level: 'warn' }), databaseUrl: DATABASE_URL })
  try {
    const reader = await organizationWithKey(running.services, 'Bench')
    const writer = await organizationWithKey(running.services, 'Bench inserts')
    await fill(running.services.database.pool, reader.orgId, contacts)
    const agents = await fillCalls(running.services.database.pool, reader.orgId, calls)
    const middle = await middleCursor(running.url, reader.key, contacts)
    return { environment, requests: requestsOf(reader.key, writer.key, middle, agents) }
  } finally {
    await running.stop(1_000)
  }
}

export async function organizationWithKey(services: Parameters<typeof createContext>[0], name: string) {
  const context = createContext(services, { principal: { kind: 'system', name: 'bench', orgId: null }, requestId: 'bench', door: 'system' })
  const userId = `bench-${name}`
  await services.database.prisma.user.create({ data: { id: userId, name } })
  const { id: orgId } = await createOrganizationFor(context, { userId, name })
  const { key } = await insertApiKey(context, { label: name, scopes: ['*'], orgIds: [orgId], userId, expiresAt: null })
  return { orgId, key }
}

// The same people as the peers' seed has, with our further fields at their defaults.
export async function fill(pool: pg.Pool, orgId: string, contacts: number): Promise<void> {
  const slice = 50_000
  for (let from = 1; from <= contacts; from += slice)
    await pool.query(
      `set local statement_timeout = 0;
       insert into contacts (id, org_id, email, first_name, last_name, full_name, phone, company_name, source, created_by_type, created_by_name,
         created_at, updated_at, search_text)
       select md5('c' || g)::uuid, '${orgId}', 'person' || g || '@example.test', 'First' || g, 'Last' || g, 'First' || g || ' Last' || g,
         '+1444' || lpad(g::text, 7, '0'), 'Company ' || (g % 997), 'api', 'api_key', 'Bench', t, t,
         lower('First' || g || ' Last' || g || ' person' || g || '@example.test +1444' || lpad(g::text, 7, '0') || ' Company ' || (g % 997))
       from (select g, timestamptz '2026-06-01' - g * (interval '180 days' / ${contacts}) as t
             from generate_series(${from}, ${Math.min(contacts, from + slice - 1)}) g) s`,
    )
  await pool.query('vacuum analyze')
}

// As many agents and calls as the peers have, of the same size: the newest contacts have ten calls each. Resolves with the agents' ids.
async function fillCalls(pool: pg.Pool, orgId: string, calls: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into voice_agents (id, org_id, name, host_app_id, instructions, phone_number, provider, provider_assistant_id, dispatch_url, status,
       provisioned_version, created_by_type, created_at, updated_at)
     select md5('a' || g)::uuid, '${orgId}', 'Agent ' || g, 'app-1', repeat('You are a polite assistant who books appointments. ', 8),
       '+1555000' || lpad(g::text, 4, '0'), 'simulator', 'asst_' || md5(g::text), 'https://dispatch.example.test/' || g, 'active', 1, 'system', t, t
     from generate_series(1, 20) g, (select timestamptz '2026-01-01' as t) s returning id`,
  )
  await pool.query(
    `set local statement_timeout = 0;
     insert into calls (id, org_id, agent_id, agent_version, contact_id, provider, dispatch_state, status, outcome, from_number, to_number,
       provider_call_id, transcript, extracted, max_duration_seconds, ring_timeout_seconds, record, voicemail_action, dispatch_after,
       created_by_type, created_at, updated_at)
     select md5('call' || g)::uuid, '${orgId}', md5('a' || (1 + g % 20))::uuid, 1, md5('c' || (1 + g % (${calls} / 10)))::uuid, 'simulator',
       'dispatched', (array['completed','completed','completed','failed','no_answer','busy'])[1 + g % 6], 'unknown', '+15550001000',
       '+1444' || lpad(g::text, 7, '0'), 'CA' || md5(g::text),
       (select jsonb_agg(jsonb_build_object('seq', i, 'role', case when i % 2 = 0 then 'agent' else 'user' end, 'text', repeat('word ', 20),
          'startMs', i * 3500, 'endMs', null)) from generate_series(1, 8) i),
       jsonb_build_object('intent', 'book', 'score', g % 100), 600, 30, true, 'hang_up', t, 'system', t, t
     from (select g, timestamptz '2026-06-01' - g * (interval '60 days' / ${calls}) as t from generate_series(1, ${calls}) g) s`,
  )
  await pool.query('vacuum analyze voice_agents, calls')
  return rows.map(({ id }) => id)
}

async function middleCursor(url: string, key: string, contacts: number): Promise<string> {
  let cursor = ''
  for (let seen = 0; seen < contacts / 2; seen += 200) {
    const path = `/api/crm/v1/contacts?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    cursor = ((await answer.json()) as { next_cursor: string }).next_cursor
  }
  return cursor
}

function requestsOf(readerKey: string, writerKey: string, middle: string, agents: readonly string[]) {
  const reader = { authorization: `Bearer ${readerKey}` }
  // Each request puts its own number in the place of the key.
  const writer = { authorization: `Bearer ${writerKey}`, 'idempotency-key': '{{n}}' }
  const page = '{ contacts(first: 50) { nodes { id email firstName lastName phone companyName createdAt updatedAt } } }'
  const nested =
    '{ contacts(first: 20) { nodes { id email firstName calls(first: 5) { nodes { id status direction createdAt voiceAgent { name } } } } } }'
  return {
    W1: { path: '/api/crm/v1/contacts?limit=50', headers: reader, count: { '"email"': 50 } },
    W1d: { path: `/api/crm/v1/contacts?limit=50&cursor=${encodeURIComponent(middle)}`, headers: reader, count: { '"email"': 50 } },
    W2: { paths: agents.map(id => `/api/voice/v1/agents/${id}`), headers: reader, count: { '"instructions"': 1 } },
    W3: {
      method: 'POST',
      path: '/api/crm/v1/contacts',
      headers: writer,
      body: { email: 'w3-{{n}}@example.test', first_name: 'First', last_name: 'Last' },
      status: 201,
      count: { '"email"': 1 },
    },
    W4: { path: '/api/crm/v1/stats', headers: reader, count: { '"evangelist"': 1 } },
    W5: { method: 'POST', path: '/graphql', headers: reader, body: { query: nested }, count: { '"name"': 100, '"email"': 20 } },
    W6: { method: 'POST', path: '/graphql', headers: reader, body: { query: page }, count: { '"email"': 50 } },
  }
}
