// The servers measured beside this one: installed with a lock file of their own, over a database of their own with the same people and calls.

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Workloads } from './load.ts'

const here = join(import.meta.dirname, 'peers')
const organization = '00000000-0000-4000-8000-000000000001'
// Inserts go to another organization: the pages of the first one stay the same.
const insertOrganization = '00000000-0000-4000-8000-000000000002'
const key = 'rcm_bench_key_0123456789abcdef'
const insertKey = 'rcm_bench_insert_0123456789abcdef'

export interface Peer {
  name: string
  command: string[]
  workloads: Workloads
}

/** Installs the peers' packages unless they are newer than their lock file. */
export function installPeers(): void {
  const timeOf = (file: string) => statSync(join(here, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (timeOf('node_modules/.package-lock.json') > timeOf('package-lock.json')) return
  console.error('installing test/bench/peers')
  const { status } = spawnSync('npm', ['ci', '--prefix', here, '--ignore-scripts'], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm ci --prefix test/bench/peers failed')
}

export function peers(): Peer[] {
  const headers = { authorization: `Bearer ${key}` }
  const post = (query: string, count: Record<string, number>) => ({ method: 'POST', path: '/graphql', headers, body: { query }, count })
  const all = `condition: { orgId: "${organization}" }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]`
  const calls =
    'callsByContactId(first: 5, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) { nodes { rowId status direction createdAt agentByAgentId { name } } }'
  const middle = Buffer.from('2026-03-03T00:00:00.000Z|ffffffff-ffff-4fff-bfff-ffffffffffff').toString('base64url')
  return [
    {
      name: 'fastify+pg',
      command: [process.execPath, join(here, 'fastify-pg.js')],
      workloads: {
        W1: { path: '/api/crm/v1/contacts?limit=50', headers, count: { '"email"': 50 } },
        W1d: { path: `/api/crm/v1/contacts?limit=50&after=${middle}`, headers, count: { '"email"': 50 } },
        W2: {
          paths: Array.from({ length: 20 }, (_, index) => `/api/voice/v1/agents/${agentId(index + 1)}`),
          headers,
          count: { '"instructions"': 1 },
        },
        W3: {
          method: 'POST',
          path: '/api/crm/v1/contacts',
          headers: { authorization: `Bearer ${insertKey}` },
          body: { email: 'w3-{{n}}@example.test', first_name: 'First', last_name: 'Last' },
          status: 201,
          count: { '"email"': 1 },
        },
        W4: { path: '/api/crm/v1/stats', headers, count: { '"day"': 120 } },
      },
    },
    {
      name: 'postgraphile',
      command: [process.execPath, join(here, 'postgraphile.js')],
      workloads: {
        W5: post(`{ allContacts(first: 20, ${all}) { nodes { rowId email firstName ${calls} } } }`, { '"name"': 100, '"email"': 20 }),
        W6: post(`{ allContacts(first: 50, ${all}) { nodes { rowId email firstName lastName phone company createdAt updatedAt } } }`, {
          '"email"': 50,
        }),
      },
    },
  ]
}

const agentId = (number: number) => `00000000-0000-4000-8000-0000000a${number.toString(16).padStart(4, '0')}`

/** Makes the peers' tables in an empty database, and fills them: the newest contacts have ten calls each, of the last 60 days. */
export async function seedPeers(url: string, { contacts, calls }: { contacts: number; calls: number }): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(readFileSync(join(here, 'schema.sql'), 'utf8'))
    await client.query(`insert into orgs values ($1, 'Bench'), ($2, 'Bench inserts')`, [organization, insertOrganization])
    await client.query(
      `insert into api_keys (org_id, label, hash) values ($1, 'bench', sha256(convert_to($2, 'UTF8'))), ($3, 'insert', sha256(convert_to($4, 'UTF8')))`,
      [organization, key, insertOrganization, insertKey],
    )
    await client.query(
      `insert into agents (id, org_id, name, host_app_id, instructions, phone_number, provider, provider_assistant_id, dispatch_url, created_at)
       select ('00000000-0000-4000-8000-0000000a' || lpad(to_hex(g), 4, '0'))::uuid, $1, 'Agent ' || g, 'app-1',
         repeat('You are a polite assistant who books appointments. ', 8), '+1555000' || lpad(g::text, 4, '0'),
         'provider-a', 'asst_' || md5(g::text), 'https://dispatch.example.test/' || g, timestamptz '2026-01-01Z'
       from generate_series(1, 20) g`,
      [organization],
    )
    await client.query(
      `insert into contacts (id, org_id, email, first_name, last_name, phone, company, created_at, updated_at)
       select md5('c' || g)::uuid, $1, 'person' || g || '@example.test', 'First' || g, 'Last' || g, '+1444' || lpad(g::text, 7, '0'),
         'Company ' || (g % 997), t, t
       from (select g, timestamptz '2026-06-01Z' - g * (interval '180 days' / $2::int) as t from generate_series(1, $2::int) g) s`,
      [organization, contacts],
    )
    await client.query(
      `insert into calls (org_id, agent_id, contact_id, direction, dispatch_state, status, outcome, from_number, to_number, provider_call_id,
         transcript, extracted, created_at, updated_at)
       select $1, ('00000000-0000-4000-8000-0000000a' || lpad(to_hex(1 + g % 20), 4, '0'))::uuid, md5('c' || (1 + g % ($2::int / 10)))::uuid,
         'outbound', 'dispatched', (array['completed','completed','completed','failed','no_answer','busy'])[1 + g % 6], 'ok', '+15550001',
         '+1444' || lpad(g::text, 7, '0'), 'CA' || md5(g::text),
         (select jsonb_agg(jsonb_build_object('role', case when i % 2 = 0 then 'agent' else 'user' end, 'text', repeat('word ', 20), 'at', i * 3.5))
            from generate_series(1, 8) i),
         jsonb_build_object('intent', 'book', 'score', g % 100), t, t
       from (select g, timestamptz '2026-06-01Z' - g * (interval '60 days' / $2::int) as t from generate_series(1, $2::int) g) s`,
      [organization, calls],
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Deletes the rows that W3 inserted. */
export async function forgetInserts(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('delete from contacts where org_id = $1', [insertOrganization])
    await client.query('vacuum contacts')
  } finally {
    await client.end()
  }
}
