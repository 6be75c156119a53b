// The plans of all stored statements when each table has ten million rows of ten thousand organizations: none scans a table. The rows exist
// in PostgreSQL's statistics only, which is what plans are made from. Lists with their filters are planned on real rows, in plans.long.test.ts.

import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import pg from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registeredStatements } from '../../src/database/statement.ts'
import type { Json } from '../support/app.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const rowCount = 10_000_000
const organizations = 10_000
/** Tables that do not grow with the customers. */
const small = [
  ...['_prisma_migrations', 'database_cluster', 'enrichment_recipes', 'idp_jwks', 'webhook_reader'],
  // Events of months without a partition, and counts until they are added up.
  ...['events_default', 'contact_counts_pending'],
]

/** Statements that may read a whole table. */
const whole: Record<string, string[]> = {
  'An audit of the ledger, by an operator.': ['audit_check', 'audit_count'],
  'After a restore into another cluster.': ['cluster_renumber', 'webhook_endpoints_restart'],
  'Processes read all enabled endpoints again when one was changed.': ['webhook_endpoints_enabled'],
  'By an operator, who gives the beginning of a key.': ['operator_key_lock'],
  'A client that registers itself: unused ones are counted up to a limit, and deleted after a day.': ['oauth_clients_unused'],
  // Some of them by BRIN indexes, whose use depends on the pages of the table, of which there are none here.
  'Retention, every hour in slices of 5,000 rows.': [
    ...['prune_broken_uploads', 'prune_bulk_changes', 'prune_gateway_events', 'prune_hook_payloads', 'prune_idempotency_keys'],
    ...['prune_idp_sessions', 'prune_idp_sign_in_attempts', 'prune_idp_verifications', 'prune_imports', 'prune_invitations'],
    ...['prune_oauth_grants', 'prune_sessions', 'prune_uploads'],
  ],
}

let database: TestDatabase
let client: pg.Client
let large: Set<string>
beforeAll(async () => {
  for (const file of globSync('{src,prisma}/**/*.sql.ts')) await import(resolve(file))
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(getConstructionPlans('pgboss'))
  const { rows } = await client.query(
    `select c.relname as name, array(select conname::text from pg_constraint where conrelid = c.oid and contype = 'c') as checks,
       (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null), 'isUnique', exists (
          select from pg_index where indrelid = c.oid and indisunique and indnkeyatts = 1 and indkey[0] = attnum and indpred is null)))
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
     from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and not relname = any($1)`,
    [small],
  )
  for (const table of rows) await enlarge(table)
  large = new Set(rows.map(({ name }) => name))
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

interface Table {
  name: string
  checks: string[]
  columns: { name: string; type: string; isUnique: boolean }[]
}

async function enlarge({ name, checks, columns }: Table): Promise<void> {
  await client.query(`alter table ${name} set (autovacuum_enabled = false)`)
  // The planner multiplies the rows per page by the pages of the file: it needs one page, which a rolled back row leaves.
  await client.query('begin; set local session_replication_role = replica')
  for (const check of checks) await client.query(`alter table ${name} drop constraint ${check}`)
  await client.query(
    `insert into ${name} (${columns.map(column => `"${column.name}"`)}) values (${columns.map(({ type }) => sampleOf(type))})`,
  )
  await client.query('rollback')
  await client.query(
    `select pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'relpages', 1, 'reltuples', $2::real)`,
    [name, rowCount],
  )
  for (const column of columns) {
    const isTime = column.type.startsWith('timestamp')
    await client.query(
      `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', $2::text, 'inherited', false,
         'null_frac', 0::real, 'avg_width', 16, 'n_distinct', $3::real
         ${isTime || column.type === 'bigint' ? ", 'histogram_bounds', $4::text, 'correlation', 0.99::real" : ''})`,
      [name, column.name, distinctOf(column), ...(isTime ? [`{${times}}`] : column.type === 'bigint' ? [`{${numbers}}`] : [])],
    )
  }
}

const values: Record<string, string> = { uuid: 'gen_random_uuid()', boolean: 'false', jsonb: `'{}'`, bytea: `''`, date: 'now()' }
const sampleOf = (type: string): string =>
  values[type] ?? (type.endsWith('[]') ? `'{}'` : type.startsWith('timestamp') ? 'now()' : type === 'text' ? `''` : '0')

// Of a year, and of transactions and sequences. Rows are stored in their order.
const times = Array.from({ length: 101 }, (_, n) => `"${new Date(Date.UTC(2025, 0, 1) + n * 3.65 * 86_400_000).toISOString()}"`)
const numbers = Array.from({ length: 101 }, (_, n) => n)

/** How many values a column has; below 0 the share of the rows. */
function distinctOf({ name, type, isUnique }: Table['columns'][number]): number {
  if (isUnique) return -1
  if (/^(org_id|organization_id)$/.test(name)) return organizations
  if (type === 'boolean') return 2
  // What names something has ten rows, what says a state or a kind a hundredth of all.
  return type === 'uuid' || type === 'bytea' || type.startsWith('timestamp') || /_id$|email|phone|token|number|key/.test(name) ? -0.1 : 100
}

const nodesOf = (plan: Json): Json[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

// A statement that deletes what is past its retention is planned for the time: 0.1 % are older.
const isPrune = (name: string) => name.startsWith('prune_')
const past = "'2025-01-01T09:00:00Z'"

test('the planner believes in ten million rows', async () => {
  const { rows } = await client.query('explain (format json) select from contacts')

  expect(rows[0]['QUERY PLAN'][0].Plan).toMatchObject({ 'Node Type': 'Seq Scan', 'Plan Rows': rowCount })
})

test('no stored statement scans a table of ten million rows', async () => {
  const partial = (await client.query(`select indexrelid::regclass::text as name from pg_index where indpred is not null`)).rows.map(
    ({ name }) => name,
  )
  const reads = (node: Json) =>
    node['Node Type'] === 'Seq Scan' ||
    (/^Index/.test(node['Node Type']) && !node['Index Cond'] && !partial.includes(node['Index Name']) && node['Plan Rows'] > rowCount / 100)
  const scanning: string[] = []
  const statements = registeredStatements().filter(
    ({ name, text }) => !name.startsWith('test_') && /^\s*(with|select|insert|update|delete)\b/i.test(text),
  )
  for (const { name, text } of statements) {
    const { rows } = await client.query(`explain (generic_plan, format json) ${isPrune(name) ? text.replaceAll('$1', past) : text}`)
    const found = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter(node => large.has(node['Relation Name']) && reads(node))
    if (found.length > 0) scanning.push(name)
  }

  expect(statements.length).toBeGreaterThan(300)
  expect(scanning.sort()).toEqual(Object.values(whole).flat().sort())
})
