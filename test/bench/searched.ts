// The rows of the search bench: contacts with names as people have them, some of them twice, notes, calls with transcripts, and agents.

import type pg from 'pg'

/** What one organization has. */
export interface Size {
  contacts: number
  notes: number
  calls: number
  agents: number
}

export const firstNames = (
  'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Sarah Charles ' +
  'Karen Ingrid Søren Zoë Tomás Amélie Jürgen Chiara Mehmet Yuki Olufemi Priya Wei Fatima Nikolai Aoife Lars Beatriz Omar Hana Stefan'
).split(' ')
const begins =
  'Ander Bergs Carl Dahl Eriks Fried Gold Hart Iver Johan Klein Lind Mac Nor Ols Peter Quin Richard Stein Thorn Ulr Vander Wester Young Zimmer'
    .toLowerCase()
    .split(' ')
const ends = 'son berg man feld strom ley wood ton wick dale ford mann hoff bach stad'.split(' ')
/** 375, each in about 270 of 100,000 contacts. */
export const lastNames = begins.flatMap(begin => ends.map(end => `${begin.slice(0, 1).toUpperCase()}${begin.slice(1)}${end}`))
const words =
  'invoice refund renewal contract delivery meeting budget price upgrade training support outage migration integration report holiday team manager office travel'.split(
    ' ',
  )

// 2,654,435,761 and the like: the products modulo the length look random, and are the same in every run. With no factor of the length, so
// that each of the list occurs.
const pick = (list: string, times: number) => `(${list})[1 + (n::bigint * ${times} % array_length(${list}, 1))::int]`
const sentence = (length: number, of: string) =>
  `(select string_agg((${of})[1 + ((n::bigint * 31 + w * 7919 + n / 13) % array_length(${of}, 1))::int], ' ') from generate_series(1, ${length}) w)`

// Every hundredth contact is another one again: with a plus in the address, with the same number, or with the same name in the same company.
const contacts = `
insert into contacts (id, org_id, email, first_name, last_name, full_name, phone, company_name, source, created_by_type, created_by_name,
  created_at, updated_at, search_text)
select gen_random_uuid(), $1, email, first, last, first || ' ' || last, phone, company, 'api', 'api_key', 'Bench', t, t,
  lower(translate(first, 'ëáéü', 'eaeu') || ' ' || last || ' ' || email || ' ' || phone || ' ' || company)
from (
  select first, last, company, t,
    plain || case when again = 1 then '+crm' else '' end || '.' || case when again = 1 then n - 1 else n end || '@mail' || (n - (again = 1)::int) % 50 || '.example.com' as email,
    '+1444' || lpad((n - (again = 2)::int)::text, 7, '0') as phone
  from (
    select n, again, t, ${pick('$2::text[]', 2_654_435_761).replaceAll('n::', 'who::')} as first,
      ${pick('$3::text[]', 40_507).replaceAll('n::', 'who::')} as last, 'Company ' || who % 1997 as company
    from (select n, n - (again = any('{1,3}'))::int as who, again, timestamptz '2026-06-01' - n * interval '9 minutes' as t
      from (select n, case when n % 100 = 0 then 1 + (n / 100) % 3 else 0 end as again from generate_series($4::int, $5::int) n) numbered) person
  ) named cross join lateral (select lower(translate(first || '.' || last, 'øëáéü', 'oeaeu')) as plain) address
) complete`

const notes = `
insert into contact_notes (id, org_id, contact_id, text, created_by_type, created_at, updated_at)
select gen_random_uuid(), $1, (select id from contacts where org_id = $1 and phone = '+1444' || lpad((n * 3)::text, 7, '0') limit 1),
  ${sentence(12, '$2::text[]')} || ' number' || n, 'system', t, t
from generate_series(1, $3::int) n, lateral (select timestamptz '2026-06-01' - n * interval '40 minutes' as t) at`

const agents = `
insert into voice_agents (id, org_id, name, instructions, extraction, provider, status, created_by_type)
select gen_random_uuid(), $1, 'Agent ' || n, 'You call about ' || ${sentence(30, '$2::text[]')}, '{}', 'simulator', 'active', 'system'
from generate_series(1, $3::int) n`

// With ids of their times, as calls have them.
const calls = `
with given as (
  select overlay(gen_random_uuid()::text placing left(least_id(t)::text, 13) from 1)::uuid as id, n, t, 'About the ' || ${sentence(4, '$2::text[]')} as summary
  from generate_series(1, $3::int) n, lateral (select timestamptz '2026-06-01' - n * interval '40 minutes' as t) at
), said as (
  insert into call_transcripts (id, org_id, summary, lines)
  select id, $1, summary, (select jsonb_agg(jsonb_build_object('seq', i, 'role', case when i % 2 = 0 then 'agent' else 'user' end,
    'text', ${sentence(12, '$2::text[]')} || ' ticket' || n, 'startMs', i * 3500, 'endMs', null)) from generate_series(1, 8) i)
  from given
)
insert into calls (id, org_id, agent_id, agent_version, provider, to_number, status, dispatch_state, outcome, dispatch_after, created_by_type,
  created_at, updated_at, max_duration_seconds, ring_timeout_seconds, record, voicemail_action, summary, transcript_lines)
select id, $1, agent, 1, 'simulator', '+1444' || lpad(n::text, 7, '0'), 'completed', 'dispatched', 'goal_met', t, 'system',
  t, t, 600, 30, false, 'hang_up', summary, 8
from given, (select id as agent from voice_agents where org_id = $1 order by id limit 1) one`

/** Fills an organization. The same in every organization, but for the ids. */
export async function fillContacts(client: pg.Client, orgId: string, { contacts: count }: Size): Promise<void> {
  const slice = 20_000
  for (let from = 1; from <= count; from += slice)
    await client.query(contacts, [orgId, firstNames, lastNames, from, Math.min(count, from + slice - 1)])
}

/** What the contacts have. By the indexes of contacts. */
export async function fillOthers(client: pg.Client, orgId: string, size: Size): Promise<void> {
  await client.query(notes, [orgId, words, Math.min(size.notes, Math.floor(size.contacts / 4))])
  await client.query(agents, [orgId, words, size.agents])
  await client.query(calls, [orgId, words, size.calls])
}
