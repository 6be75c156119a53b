// The rows of the bench's organization: contacts, calls of the newest ones with their agents, suggestions, and a timeline. Made by SQL, the
// same in every run.

import type pg from 'pg'
import { firstNames, lastNames } from '../searched.ts'

const calls = 50_000
const suggestions = 2_000
const timelineEntries = 200
const companies = 200
const deals = 2_000

interface Filled {
  agents: string[]
  contactId: string
  pipelineId: string
}

/** Fills the organization. A connection of its own: the server's have time limits. Resolves with the ids of the agents, of a contact and of the pipeline. */
export async function fill(client: pg.Client, orgId: string, contacts: number): Promise<Filled> {
  await withoutIndexes(client, 'contacts', () => fillContacts(client, orgId, contacts, names))
  const agents = await fillAgents(client, orgId)
  await fillCalls(client, orgId)
  await fillSuggestions(client, orgId)
  const contactId = await fillTimeline(client, orgId)
  const pipelineId = await fillDeals(client, orgId)
  await client.query('vacuum analyze')
  return { agents, contactId, pipelineId }
}

// Indexes are built in one go: a million rows enter sixteen of them, one with trigrams, five times faster than row by row.
export async function withoutIndexes(client: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as made from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1::regclass and not i.indisprimary`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await work()
  for (const { made } of rows) await client.query(made)
}

/** SQL of the names of contact `g`. */
interface Names {
  first: string
  last: string
}
const numbered: Names = { first: `'First' || g`, last: `'Last' || g` }
// As people have them, for searches.
const pick = (list: readonly string[], times: number) => `('{${list}}'::text[])[1 + g * ${times} % ${list.length}]`
const names: Names = { first: pick(firstNames, 7), last: pick(lastNames, 41) }

/** Every fifth is a customer. Default names: First1 Last1 and so on. */
export async function fillContacts(
  client: Pick<pg.Client, 'query'>,
  orgId: string,
  contacts: number,
  { first, last } = numbered,
): Promise<void> {
  // Each slice within the time limit that a server's statements have.
  const slice = 10_000
  for (let from = 1; from <= contacts; from += slice)
    await client.query(
      `insert into contacts (id, org_id, email, first_name, last_name, full_name, phone, company_name, lifecycle_stage, source,
         created_by_type, created_by_name, created_at, updated_at, search_text)
       select md5('c' || g)::uuid, $1, email, first, last, first || ' ' || last, phone, company,
         (array['customer', 'subscriber', 'lead', 'qualified', 'opportunity'])[1 + g % 5], 'api', 'api_key', 'Bench', t, t,
         lower(translate(first, 'ëáéü', 'eaeu') || ' ' || last || ' ' || email || ' ' || phone || ' ' || company)
       from (select g, 'person' || g || '@example.test' as email, '+1444' || lpad(g::text, 7, '0') as phone, 'Company ' || g % 997 as company,
           ${first} as first, ${last} as last, timestamptz '2026-06-01' - g * (interval '180 days' / $4::int) as t
         from generate_series($2::int, $3::int) g) person`,
      [orgId, from, Math.min(contacts, from + slice - 1), contacts],
    )
}

async function fillAgents(client: pg.Client, orgId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into voice_agents (id, org_id, name, host_app_id, instructions, phone_number, provider, provider_assistant_id, dispatch_url, status,
       provisioned_version, created_by_type, created_at, updated_at)
     select md5('a' || g)::uuid, $1, 'Agent ' || g, 'app-1', repeat('You are a polite assistant who books appointments. ', 8),
       '+1555000' || lpad(g::text, 4, '0'), 'simulator', 'asst_' || md5(g::text), 'https://dispatch.example.test/' || g, 'active', 1, 'system', t, t
     from generate_series(1, 20) g, (select timestamptz '2026-01-01' as t) s returning id`,
    [orgId],
  )
  return rows.map(({ id }) => id)
}

// The newest contacts have ten calls each. Their ids begin with their times.
async function fillCalls(client: pg.Client, orgId: string): Promise<void> {
  await client.query(
    `with call as (insert into calls (id, org_id, agent_id, agent_version, contact_id, provider, dispatch_state, status, outcome, from_number,
       to_number, provider_call_id, transcript_lines, extracted, max_duration_seconds, ring_timeout_seconds, record, voicemail_action, dispatch_after,
       created_by_type, created_at, updated_at)
     select overlay(md5('call' || g)::uuid::text placing left(least_id(t)::text, 13) from 1)::uuid, $1, md5('a' || (1 + g % 20))::uuid, 1,
       md5('c' || (1 + g % ($2::int / 10)))::uuid, 'simulator',
       'dispatched', (array['completed','completed','completed','failed','no_answer','busy'])[1 + g % 6], 'unknown', '+15550001000',
       '+1444' || lpad(g::text, 7, '0'), 'CA' || md5(g::text), 8,
       jsonb_build_object('intent', 'book', 'score', g % 100), 600, 30, true, 'hang_up', t, 'system', t, t
     from (select g, timestamptz '2026-06-01' - g * (interval '60 days' / $2::int) as t from generate_series(1, $2::int) g) s returning id)
     insert into call_transcripts (id, org_id, lines)
     select id, $1, (select jsonb_agg(jsonb_build_object('seq', i, 'role', case when i % 2 = 0 then 'agent' else 'user' end,
       'text', repeat('word ', 20), 'startMs', i * 3500, 'endMs', null)) from generate_series(1, 8) i)
     from call`,
    [orgId, calls],
  )
}

// They expire in a hundred years, so that no task changes them meanwhile.
async function fillSuggestions(client: pg.Client, orgId: string): Promise<void> {
  await client.query(
    `insert into suggestions (id, org_id, contact_id, host_app, target_id, target_kind, field, value_type, proposed_value, confidence,
       verification, provider, observed_at, expires_at, created_at, updated_at)
     select md5('s' || g)::uuid, $1, md5('c' || g)::uuid, 'crm', md5('c' || g)::uuid::text, 'contact', 'city', 'text', to_jsonb('City ' || g % 50),
       0.5 + g % 50 / 100.0, 'unverified', 'embedded', t, t + interval '100 years', t, t
     from (select g, timestamptz '2026-06-01' - g * interval '1 minute' as t from generate_series(1, $2::int) g) s`,
    [orgId, suggestions],
  )
}

async function fillTimeline(client: pg.Client, orgId: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`select md5('c1')::uuid as id`)
  const contactId = rows[0]?.id ?? ''
  await client.query(
    `insert into events (id, org_id, type, entity, entity_id, contact_id, actor_type, actor_name, door, operation, request_id, changes, created_at)
     select md5('e' || g)::uuid, $1, 'contact.updated', 'contact', $2::text, $2::uuid, 'system', 'Bench', 'rest', 'UpdateContact', md5('r' || g),
       jsonb_build_object('city', jsonb_build_array(null, 'City ' || g), 'jobTitle', jsonb_build_array('Job ' || g - 1, 'Job ' || g)),
       timestamptz '2026-06-01' + g * interval '1 minute'
     from generate_series(1, $3::int) g`,
    [orgId, contactId, timelineEntries],
  )
  return contactId
}

// Each with a company and two contacts, in the open stages of the first pipeline.
async function fillDeals(client: pg.Client, orgId: string): Promise<string> {
  const { rows: stages } = await client.query<{ id: string; pipeline_id: string }>(
    `select id, pipeline_id from stages where org_id = $1 and kind = 'open' order by position`,
    [orgId],
  )
  await client.query(
    `insert into companies (id, org_id, name, source, created_by_type, created_at, updated_at, search_text)
     select md5('f' || g)::uuid, $1, 'Company ' || g, 'api', 'system', t, t, 'company ' || g
     from generate_series(1, $2::int) g, (select timestamptz '2026-01-01' as t) s`,
    [orgId, companies],
  )
  await client.query(
    `insert into deals (id, org_id, title, pipeline_id, stage_id, position, company_id, amount, currency, stage_changed_at, source,
       created_by_type, created_at, updated_at, search_text)
     select md5('d' || g)::uuid, $1, 'Deal ' || g, $2, ($3::uuid[])[1 + g % cardinality($3::uuid[])], 'a' || lpad(g::text, 6, '0') || 'V',
       md5('f' || (1 + g % $5::int))::uuid, g * 1234, (array['EUR', 'USD'])[1 + g % 2], t, 'api', 'system', t, t, 'deal ' || g
     from (select g, timestamptz '2026-06-01' - g * interval '1 hour' as t from generate_series(1, $4::int) g) s`,
    [orgId, stages[0]?.pipeline_id, stages.map(({ id }) => id), deals, companies],
  )
  await client.query(
    `insert into deal_contacts (org_id, deal_id, contact_id, position, role)
     select $1, md5('d' || g)::uuid, md5('c' || (g * 2 + place))::uuid, place, (array['Decision maker', null])[1 + place]
     from generate_series(1, $2::int) g, generate_series(0, 1) place`,
    [orgId, deals],
  )
  return stages[0]?.pipeline_id ?? ''
}
