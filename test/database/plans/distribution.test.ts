// The keys of the tables are ready for a distribution by organization over several PostgreSQL servers, as Citus does it: each unique index
// then has the organization among its columns, and a foreign key stays within one. What lacks it today is listed here, and the last test
// adds it, as the migration to several servers will: that is a migration, and not a change of the program's statements.

import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { seedDemo } from '../../../prisma/seed/seed.ts'
import { recordNouns } from '../../../src/contacts/records/nouns.ts'
import { openApp } from '../../support/app.ts'
import { nouns } from '../../support/nouns.ts'
import { keepOpen } from '../../support/open.ts'

/** Tables that every server has whole (Citus: reference tables), because they are read before the organization is known. */
const shared = {
  _prisma_migrations: 'one row per migration',
  api_keys: 'a key is found by its hash, and may be of several organizations',
  api_key_organizations: 'it is read with the key',
  authorization_codes: 'of a user',
  backups: 'of the whole database',
  database_cluster: 'one row',
  device_authorizations: 'of a user',
  enrichment_recipes: 'the same for all organizations',
  inbox_reader: 'one row',
  idp_accounts: 'of the embedded identity provider',
  idp_jwks: 'of the embedded identity provider',
  idp_sessions: 'of the embedded identity provider',
  idp_sign_in_attempts: 'of the embedded identity provider',
  idp_users: 'of the embedded identity provider',
  idp_verifications: 'of the embedded identity provider',
  invitation_mails: 'what an address receives is limited over all organizations',
  invitations: 'an invitation is found by its token',
  mail_handovers: 'an email may be to somebody without an organization',
  memberships: 'the organizations of a user are read with its session',
  oauth_clients: 'the same for all organizations',
  oauth_grants: 'a grant is found by its code',
  oauth_tokens: 'a token is found by its hash',
  organizations: 'one row per organization',
  ownership_offers: 'the offers to a user are read with its session, over all organizations',
  provider_events: 'an event of a provider arrives before its call, and so its organization, is known',
  sessions: 'a session is found by its token, and is of a user',
  user_preferences: 'of a user',
  users: 'a user may be in several organizations',
  webhook_reader: 'one row',
  work_begun: 'an event of a provider is repeated before its organization is known',
}
/** Tables whose rows are spread by another column. */
const spreadBy: Record<string, string> = {
  credit_accounts: 'user_id',
  credit_entries: 'user_id',
  credit_grants: 'user_id',
  credit_holds: 'user_id',
  // The SHA-256 of organization, operation and key.
  idempotency_keys: 'id',
}
/** Tables that get the column from the row that their foreign key names. */
const withoutColumn = [
  'contact_bulk_reversals',
  'contact_import_contacts',
  'contact_import_records',
  'contact_import_refusals',
  'contact_import_reversals',
  'contact_import_warnings',
  'upload_chunks',
  'voice_agent_versions',
]

/** Unique indexes without the column, which get it: what they keep unique is within one organization by itself. */
const indexes: Record<string, string[]> = {
  'The id is random: it is unique whether or not the index says so.': [
    ...['call_transcripts', 'calls', 'contact_bulk_changes', 'contact_imports', 'contact_merges', 'contacts', 'credit_grants'],
    ...[
      'credit_holds',
      'custom_fields',
      'dashboard_widgets',
      'downloads',
      'enrichment_jobs',
      'events',
      'gateway_deliveries',
      'gateway_events',
    ],
    ...['gateway_runs', 'gateway_sessions', 'gateway_turns', 'hook_payloads', 'inbox_items', 'suggestions', 'uploads', 'voice_agents'],
    ...[
      'archives',
      'conversations',
      'deal_stage_changes',
      'external_ids',
      'pipelines',
      'stages',
      'webhook_deliveries',
      'webhook_endpoints',
      'widget_keys',
    ],
    ...nouns.map(({ table }) => table),
  ]
    .map(table => `${table}_pkey`)
    .concat('denied_numbers_id_key'),
  'It begins with the id of a row of the same organization.': [
    'contact_bulk_changes_undo_of_id_key',
    'contact_bulk_reversals_pkey',
    'contact_import_contacts_pkey',
    'contact_import_records_pkey',
    'contact_import_refusals_pkey',
    'contact_import_reversals_pkey',
    'contact_import_warnings_pkey',
    'contact_imports_upload_id_key',
    'contact_merges_of_loser',
    'conversation_turns_pkey',
    'conversations_call_id_key',
    'gateway_deliveries_run_id_part_key',
    'gateway_runs_one_heartbeat',
    'gateway_turns_session_id_seq_key',
    'inbox_items_event_id_user_id_key',
    'simulated_calls_pkey',
    'suggestions_of_call',
    'suggestions_of_job',
    'upload_chunks_pkey',
    'voice_agent_versions_pkey',
  ],
  'It begins with the hash of a random token.': ['conversations_token_hash_key', 'downloads_token_hash_key', 'widget_keys_hash_key'],
  "The simulator derives the id from the call's id.": ['simulated_calls_provider_call_id_key'],
}
/** Unique indexes that compare the rows of all organizations: each needs a shared table of what is taken. */
const acrossOrganizations = {
  voice_agents_account_number: 'a number of an account that organizations share rings one agent',
}
/** Foreign keys without the column, which get it. */
const foreignKeys = [
  'calls_agent_id_fkey',
  'company_domains_company_id_fkey',
  'contact_bulk_reversals_change_id_fkey',
  'contact_import_contacts_import_id_fkey',
  'contact_import_records_import_id_fkey',
  'contact_import_refusals_import_id_fkey',
  'contact_import_reversals_import_id_fkey',
  'contact_import_warnings_import_id_fkey',
  'conversation_turns_conversation_id_fkey',
  ...['company', 'contact', 'deal', 'note', 'task'].map(noun => `external_ids_${noun}_id_fkey`),
  'gateway_deliveries_run_id_fkey',
  'gateway_runs_session_id_fkey',
  'gateway_turns_run_id_fkey',
  'gateway_turns_session_id_fkey',
  'suggestions_job_id_fkey',
  'upload_chunks_upload_id_fkey',
  'uploads_derived_from_id_fkey',
  'voice_agent_versions_agent_id_fkey',
  'widget_keys_widget_id_fkey',
  ...nouns.flatMap(({ isOfContact, table }) => (isOfContact ? recordNouns.values.map(noun => `${table}_${noun}_id_fkey`) : [])),
].toSorted()

const app = await openApp()
await seedDemo(app.services)
const client = await keepOpen(new pg.Client({ connectionString: app.database.url }))
await client.connect()

const isDistributed = (table: string) => !(table in shared)
const columnOf = (table: string) => spreadBy[table] ?? 'org_id'

const readTables = async (): Promise<{ name: string; required: string[] }[]> =>
  (
    await client.query(
      `select relname as name, array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and attnotnull) as required
       from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    )
  ).rows

/** The unique indexes of distributed tables that lack the column. */
const readIndexes = async (): Promise<{ name: string; table: string; sql: string }[]> => {
  const { rows } = await client.query(
    `select index.relname as name, t.relname as table, pg_get_indexdef(i.indexrelid) as sql, array(
       select attname::text from pg_attribute where attrelid = t.oid and attnum = any(i.indkey)) as columns
     from pg_index i join pg_class t on t.oid = i.indrelid join pg_class index on index.oid = i.indexrelid
     where t.relnamespace = 'public'::regnamespace and not t.relispartition and i.indisunique order by 1`,
  )
  return rows.filter(({ table, columns }) => isDistributed(table) && !columns.includes(columnOf(table)))
}

interface ForeignKey {
  name: string
  child: string
  parent: string
  columns: string[]
  parentColumns: string[]
}
/** The foreign keys between distributed tables, and those from a shared table to a distributed one. */
const readForeignKeys = async (): Promise<ForeignKey[]> => {
  const { rows } = await client.query(
    `select conname as name, child.relname as child, parent.relname as parent,
       array(select attname::text from unnest(conkey) with ordinality k join pg_attribute on attrelid = conrelid and attnum = k order by ordinality) as columns,
       array(select attname::text from unnest(confkey) with ordinality k join pg_attribute on attrelid = confrelid and attnum = k order by ordinality) as "parentColumns"
     from pg_constraint join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
     where contype = 'f' and child.relnamespace = 'public'::regnamespace and not child.relispartition order by 1`,
  )
  return rows.filter(({ parent }) => isDistributed(parent))
}

/** Those without the column on one of both sides. */
const lackingOf = (keys: ForeignKey[]) =>
  keys
    .filter(
      ({ child, parent, columns, parentColumns }) =>
        !columns.includes(columnOf(child)) || parentColumns[columns.indexOf(columnOf(child))] !== columnOf(parent),
    )
    .map(({ name }) => name)

describe('keys for a distribution by organization', () => {
  test('every table is shared, or each of its rows says where it belongs', async () => {
    const tables = await readTables()
    const distributed = tables.filter(({ name }) => isDistributed(name))

    expect(Object.keys(shared).filter(name => !tables.some(table => table.name === name))).toEqual([])
    expect(Object.keys(spreadBy).filter(name => !distributed.some(table => table.name === name))).toEqual([])
    expect(distributed.filter(({ name, required }) => !required.includes(columnOf(name))).map(({ name }) => name)).toEqual(withoutColumn)
  })

  test('unique indexes have the column, or are listed', async () => {
    expect((await readIndexes()).map(({ name }) => name)).toEqual(
      [...Object.values(indexes).flat(), ...Object.keys(acrossOrganizations)].sort(),
    )
  })

  test('foreign keys have it on both sides, or are listed, and none leads from a shared table to a distributed one', async () => {
    const keys = await readForeignKeys()
    expect(lackingOf(keys)).toEqual(foreignKeys)
    expect(keys.filter(({ child }) => !isDistributed(child))).toEqual([])
  })

  test('the listed ones get it by a migration, which the rows of the demo satisfy', async () => {
    const missing = (await readIndexes()).filter(({ name }) => !(name in acrossOrganizations))
    const keys = await readForeignKeys()
    const migration = [
      ...withoutColumn.flatMap(table => {
        const key = keys.find(({ child }) => child === table)
        return [
          `alter table ${table} add column org_id uuid`,
          `update ${table} child set org_id = parent.org_id from ${key?.parent} parent where parent.id = child.${key?.columns[0]}`,
          `alter table ${table} alter column org_id set not null`,
        ]
      }),
      ...missing.map(({ name, table, sql }) =>
        sql.replace(name, `${name}_of_org`).replace('USING btree (', `USING btree (${columnOf(table)}, `),
      ),
      ...keys
        .filter(({ name }) => foreignKeys.includes(name))
        .map(
          ({ child, parent, columns, parentColumns }) =>
            `alter table ${child} add foreign key (org_id, ${columns}) references ${parent} (org_id, ${parentColumns})`,
        ),
      // With a primary key the foreign keys to it end.
      ...missing.flatMap(({ name, table }) => [
        `alter table ${table} drop constraint if exists ${name} cascade`,
        `drop index if exists ${name}`,
      ]),
    ]

    const rowsOf = async (table: string) => (await client.query(`select count(*)::int as count from ${table}`)).rows[0].count
    expect([await rowsOf('calls'), await rowsOf('suggestions'), await rowsOf('contact_notes')]).not.toContain(0)
    await client.query('begin')
    for (const sql of migration) await client.query(sql)
    const left = { indexes: await readIndexes(), foreignKeys: lackingOf(await readForeignKeys()) }
    await client.query('rollback')

    expect(left.indexes.map(({ name }) => name)).toEqual(Object.keys(acrossOrganizations))
    expect(left.foreignKeys).toEqual([])
  })
})
