// The plans of all stored statements when each table has ten million rows of ten organizations: none reads more than a small part of a
// table. The rows exist in PostgreSQL's statistics only, which is what plans are made from. Lists with their filters are planned on real
// rows, in plans.long.test.ts.

import { expect, test } from 'vitest'
import { registeredStatements } from '../../../src/database/statement.ts'
import type { Json } from '../../support/app.ts'
import { openForStatements } from '../../support/database/statements.ts'
import { nouns } from '../../support/nouns.ts'
import { keepOpen } from '../../support/open.ts'

const rowCount = 10_000_000
const organizations = 10
/** In PostgreSQL's unit: a tenth of what scanning one of the tables costs, and what 100,000 rows by an index cost. */
const maxCost = 10_000
/** Tables that do not grow with the customers. */
const small = [
  ...['_prisma_migrations', 'database_cluster', 'enrichment_recipes', 'idp_jwks', 'webhook_reader', 'inbox_reader'],
  // Rows of times without a partition, and counts until they are added up.
  ...['call_transcripts_default', 'contact_counts_pending', 'events_default', 'idempotency_keys_default', 'provider_events_default'],
  'webhook_deliveries_default',
]
/** Tables of which an organization has some hundreds of rows: a hundredth of the others' rows. */
const smaller = [
  ...['contact_bulk_changes', 'contact_counts_settled', 'contact_imports', 'custom_fields', 'enrichment_counts', 'invitations'],
  ...['api_key_organizations', 'memberships', 'pipelines', 'stages', 'webhook_endpoints'],
  ...nouns.filter(({ isFew }) => isFew).map(({ table }) => table),
]

/** Statements that may read a whole table, or much of it. */
const whole: Record<string, string[]> = {
  'An audit of the ledger, by an operator.': ['audit_check', 'audit_count'],
  'After a restore into another cluster.': ['cluster_renumber'],
  'By an operator, who gives the beginning of a key.': ['operator_key_lock'],
  'The oldest organization, once by each process, and in production never.': ['gateway_organization_oldest'],
  'While no organization is the first one, and then nothing is read.': ['gateway_first_candidates'],
  'The history of 500 people and 500 deals of a company, counted within the time that counts have.': ['company_timeline_total'],
  'The records of an organization lose a field.': ['custom_field_remove', 'custom_field_remove_of_deals'],
  'Filters, which are planned for their values: plans.long.test.ts and search-plans.long.test.ts have such.': [
    ...[
      'calls_search',
      'duplicates_phone',
      'duplicates_phone_total',
      'webhook_deliveries_asc',
      'webhook_deliveries_desc',
      'webhook_deliveries_total',
    ],
  ],
  'Addresses that are not their mailbox, by an index of these alone; the planner takes them for all.': [
    'duplicates_mailbox',
    'duplicates_mailbox_total',
  ],
  "By a BRIN index, whose use depends on the table's pages, and here the table is empty.": ['prune_events'],
}

interface Table {
  name: string
  /** The partitioned table, if it is a partition: the checks are its. */
  whole: string
  /** Of a partition that has a bound below. */
  leastId: string | null
  /** How many partitions share the rows. */
  siblings: number
  checks: string[]
  columns: { name: string; type: string; isUnique: boolean }[]
}

async function enlarge({ name, whole, leastId, siblings, checks, columns }: Table): Promise<void> {
  await client.query(`alter table ${name} set (autovacuum_enabled = false)`)
  // The planner multiplies the rows per page by the pages of the file: it needs one page, which a rolled back row leaves.
  await client.query('begin; set local session_replication_role = replica')
  for (const check of checks) await client.query(`alter table ${whole} drop constraint ${check}`)
  await client.query(
    `insert into ${name} (${columns.map(column => `"${column.name}"`)}) values (${columns.map(({ type }) => (type === 'uuid' ? `'${leastId ?? anyId}'` : sampleOf(type)))})`,
  )
  await client.query('rollback')
  await client.query(
    `select pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'relpages', 1, 'reltuples', $2::real)`,
    [name, (smaller.includes(name) ? rowCount / 100 : rowCount) / Math.max(1, siblings)],
  )
  for (const column of columns) {
    const bounds = boundsOf(column)
    await client.query(
      `select pg_restore_attribute_stats('schemaname', 'public', 'relname', $1::text, 'attname', $2::text, 'inherited', false,
         'null_frac', 0::real, 'avg_width', 16, 'n_distinct', $3::real
         ${bounds ? ", 'histogram_bounds', $4::text, 'correlation', 0.99::real" : ''})`,
      [name, column.name, distinctOf(column), ...(bounds ? [`{${bounds}}`] : [])],
    )
  }
}

const anyId = '01900000-0000-7000-8000-000000000000'
const values: Record<string, string> = { boolean: 'false', jsonb: `'{}'`, bytea: `''`, date: 'now()' }
const sampleOf = (type: string): string =>
  values[type] ?? (type.endsWith('[]') ? `'{}'` : type.startsWith('timestamp') ? 'now()' : type === 'text' ? `''` : '0')

// Of a year, of ids that begin with such a time, and of transactions and sequences. Rows are stored in their order.
const moments = Array.from({ length: 101 }, (_, n) => new Date(Date.UTC(2025, 0, 1) + n * 3.65 * 86_400_000))
const times = moments.map(moment => `"${moment.toISOString()}"`)
const ids = moments.map(moment => moment.getTime().toString(16).padStart(12, '0').padEnd(32, '0'))
const numbers = Array.from({ length: 101 }, (_, n) => n)
const opened = await keepOpen(openForStatements())
const client = opened.client
for (const ahead of [2, 3]) {
  await client.query(`select add_partition('webhook_deliveries', 'week', now() + $1 * interval '1 week')`, [ahead])
  await client.query(`select add_partition('call_transcripts', 'month', date_trunc('month', now()) + $1 * interval '1 month')`, [ahead])
}
const { rows } = await client.query(
  `select c.relname as name, coalesce(inhparent::regclass::text, c.relname) as whole,
       (select least_id(since) from partitions_of(inhparent) p where p.name = c.relname) as "leastId",
       (select count(*)::int from pg_inherits i where i.inhparent = pg_inherits.inhparent and not inhrelid::regclass::text = any($1)) as siblings,
       array(select conname::text from pg_constraint where conrelid = c.oid and contype = 'c') as checks,
       (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null), 'isUnique', exists (
          select from pg_index where indrelid = c.oid and indisunique and indnkeyatts = 1 and indkey[0] = attnum and indpred is null)))
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
     from pg_class c left join pg_inherits on inhrelid = c.oid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and not relname = any($1)`,
  [small],
)
for (const table of rows) await enlarge(table)
function boundsOf({ type, isUnique }: Table['columns'][number]): readonly (string | number)[] | null {
  if (type.startsWith('timestamp')) return times
  if (type === 'uuid' && isUnique) return ids
  return type === 'bigint' ? numbers : null
}

/** How many values a column has; below 0 the share of the rows. */
function distinctOf({ name, type, isUnique }: Table['columns'][number]): number {
  if (isUnique) return -1
  if (/^(org_id|organization_id)$/.test(name)) return organizations
  if (type === 'boolean') return 2
  // What names something has ten rows, what says a state or a kind a hundredth of all.
  return type === 'uuid' || type === 'bytea' || type.startsWith('timestamp') || /_id$|address|email|phone|token|number|key/.test(name)
    ? -0.1
    : 100
}

// Statements that PostgreSQL plans for their values, because without them any time or transaction may be meant.
const valuesFor = (name: string): string[] => {
  // 0.1 % of the rows are older.
  if (name.startsWith('prune_')) return ["'2025-01-01T09:00:00Z'"]
  // 0.1 % are younger.
  if (name === 'oauth_clients_unused') return ['10000', "'2025-12-31T15:00:00Z'"]
  if (name === 'outbox_read') return ['100', "'{}'", '1000']
  if (name === 'inbox_reader_events') return ['100', "'{}'", "'100:100:'", '99', '500', "'{}'"]
  return name === 'webhook_reader_events' ? ['100', "'{}'", 'null', '99', '1000', "'{}'"] : []
}

test('the planner believes in ten million rows', async () => {
  const { rows } = await client.query('explain (format json) select from contacts')

  expect(rows[0]['QUERY PLAN'][0].Plan).toMatchObject({ 'Node Type': 'Seq Scan', 'Plan Rows': rowCount })
})

test('no stored statement reads a hundredth of ten million rows', async () => {
  const costly: string[] = []
  const statements = registeredStatements().filter(
    ({ name, text }) => !name.startsWith('test_') && /^\s*(with|select|insert|update|delete)\b/i.test(text),
  )
  for (const { name, text } of statements) {
    const { rows } = await client.query(
      `explain (generic_plan, format json) ${valuesFor(name).reduce((text, value, index) => text.replaceAll(`$${index + 1}`, value), text)}`,
    )
    if (rows[0]['QUERY PLAN'][0].Plan['Total Cost'] > maxCost) costly.push(name)
  }

  expect(statements.length).toBeGreaterThan(300)
  expect(costly.sort()).toEqual(Object.values(whole).flat().sort())
})

// The statements inside of functions, of which auto_explain tells as they run.
const answer = JSON.stringify([{ id: '0'.repeat(64), fingerprint: '00', answer: '' }])
const event = JSON.stringify([
  { ...{ id: anyId, provider: 'x', event_key: 'y', body: '', path: '', content_type: '', state: 'applied' }, received_at: '2025-01-01' },
])
test.each([
  ['store_answers', `array[repeat('0', 64)], '${answer}', now(), now()`],
  ['store_provider_events', `'${event}'`],
])('nor does a statement of %s', async (name, values) => {
  const statements: string[] = []
  const costly: string[] = []
  // With a limit, reading a table from its beginning costs little where the row is expected to be near.
  const isWhole = (plan: Json): boolean =>
    (plan['Node Type'] === 'Seq Scan' && !small.includes(plan['Relation Name'])) || (plan.Plans ?? []).some(isWhole)
  const onNotice = ({ message = '' }: { message?: string }) => {
    const [, explained] = /plan:\n(.*)/s.exec(message) ?? []
    if (!explained) return
    const { 'Query Text': text, Plan: plan } = JSON.parse(explained)
    if (text.includes(name)) return
    statements.push(text)
    if (plan['Total Cost'] > maxCost || isWhole(plan)) costly.push(text)
  }
  client.on('notice', onNotice)
  await client.query(`begin; load 'auto_explain'; set local auto_explain.log_min_duration = 0; set local auto_explain.log_level = notice;
    set local auto_explain.log_nested_statements = on; set local auto_explain.log_format = json; set local plan_cache_mode = force_generic_plan`)
  await client.query(`select from ${name}(${values})`).finally(() => client.query('rollback'))
  client.off('notice', onNotice)

  expect(statements).toHaveLength(3)
  expect(costly).toEqual([])
})

// Of tables with fewer rows, too, where reading all of them costs less than the above.
test('every deletion of old rows finds them by an index', async () => {
  const deletions = registeredStatements().filter(({ name }) => name.startsWith('prune_'))
  const isRead = (plan: Json): boolean => {
    const isWhole = plan['Node Type'] === 'Seq Scan' || (/^Index (Only )?Scan$/.test(plan['Node Type']) && !plan['Index Cond'])
    // The partial index has the main sessions alone: one of each organization.
    return (isWhole && plan['Index Name'] !== 'gateway_sessions_main') || (plan.Plans ?? []).some(isRead)
  }
  const reading: string[] = []
  for (const { name, text } of deletions) {
    const { rows } = await client.query(`explain (generic_plan, format json) ${text.replaceAll('$1', valuesFor(name)[0] ?? '')}`)
    if (isRead(rows[0]['QUERY PLAN'][0].Plan)) reading.push(name)
  }

  expect(deletions.length).toBeGreaterThan(20)
  expect(reading).toEqual([])
})

// Of a large database with a small organization, too: another index has the rows of all, and may be read to its end for the page of one.
test('every page of an archive is read by an index of the organization, or by keys of such rows', async () => {
  const { rows: leading } = await client.query(
    `select indexrelid::regclass::text as name from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where attname in ('org_id', 'organization_id')`,
  )
  const ofOrganization = new Set(leading.map(({ name }) => name))
  const isByKey = (condition = '') => / = \w+\.\w+\)/.test(condition) && !condition.includes('$')
  const isOther = (plan: Json): boolean =>
    (plan['Relation Name'] && !ofOrganization.has(plan['Index Name']) && !isByKey(plan['Index Cond'])) || (plan.Plans ?? []).some(isOther)
  const pages = registeredStatements().filter(({ name }) => name.startsWith('archive_'))
  const others: string[] = []
  for (const { name, text } of pages) {
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
    if (isOther(rows[0]['QUERY PLAN'][0].Plan)) others.push(name)
  }

  expect(pages.length).toBeGreaterThan(15)
  expect(others).toEqual([])
})
