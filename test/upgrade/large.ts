// A large database as the first migrations made it.

import pg from 'pg'

const org = '01999999-0000-7000-8000-000000000001'
const tables: Readonly<Record<string, string>> = {
  contacts: `insert into contacts (id, org_id, email, first_name, last_name, full_name, city, company_name, source, created_by_type)
    select gen_random_uuid(), '${org}', 'c' || i || '@large.example', 'First' || i % 1000, 'Last' || i, 'First' || i % 1000 || ' Last' || i,
      'City' || i % 500, 'Company' || i % 20000, 'api', 'api_key' from generate_series(1, $1::int) i`,
  events: `insert into events (id, org_id, type, entity, entity_id, contact_id, actor_type, door, operation, request_id)
    select gen_random_uuid(), '${org}', 'contact.created', 'contact', id, id, 'api_key', 'rest', 'createContact', gen_random_uuid() from contacts limit $1`,
  idempotency_keys: `insert into idempotency_keys (id, fingerprint, answer)
    select sha256(i::text::bytea), sha256(i::text::bytea), '{"id":"' || i || '"}' from generate_series(1, $1::int) i`,
  calls: `insert into calls (id, org_id, agent_id, agent_version, provider, dispatch_state, status, to_number, max_duration_seconds, ring_timeout_seconds,
      record, voicemail_action, dispatch_after, created_by_type, summary, transcript, outcome)
    select gen_random_uuid(), '${org}', '${org}', 1, 'simulator', 'dispatched', 'completed', '+15551234567', 300, 30, false, 'hang_up', now(), 'api_key',
      'Talked about ' || i % 1000, '[{"role":"agent","text":"Hello"}]', 'goal_met' from generate_series(1, $1::int) i`,
  enrichment_jobs: `insert into enrichment_jobs (id, org_id, host_app, target_id, target_kind, recipe, recipe_version, run_after, created_by_type, status, finished_at)
    select gen_random_uuid(), '${org}', 'rolocom', id, 'contact', 'contact', 1, now(), 'api_key', 'completed', now() from contacts limit $1`,
  suggestions: `insert into suggestions (id, org_id, host_app, target_id, target_kind, field, value_type, proposed_value, confidence, verification,
      provider, observed_at, expires_at)
    select gen_random_uuid(), '${org}', 'rolocom', id, 'contact', 'city', 'text', '"Berlin"', 0.5, 'unverified', 'mock', now(), now() from contacts limit $1`,
}

/** `contacts`: their number, and that of events and idempotency keys; of the others there are a tenth. */
export async function seedLarge(url: string, contacts: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Without triggers and foreign keys: only the size counts here.
    await client.query('set session_replication_role = replica')
    await client.query('insert into organizations (id, name) values ($1, $2)', [org, 'Large'])
    for (const [table, text] of Object.entries(tables))
      await client.query(text, [['contacts', 'events', 'idempotency_keys'].includes(table) ? contacts : contacts / 10])
    await client.query('analyze')
  } finally {
    await client.end()
  }
}
