// The plans of lists at 100,000 rows in each of two organizations: no statement scans a table, and none reads rows of the other one.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactSorts } from '../../../src/contacts/contact/list/list.sql.ts'
import { type ContactList, listContacts } from '../../../src/contacts/contact/list/list.ts'
import { contactTable } from '../../../src/contacts/contact/row.ts'
import { listJobs } from '../../../src/enrichment/jobs/list.ts'
import { listSuggestions, type SuggestionList } from '../../../src/enrichment/suggestions/list.ts'
import type { Context } from '../../../src/kernel/context.ts'
import type { Page, PageArgs } from '../../../src/kernel/lists/pagination.ts'
import { type CallList, listCalls } from '../../../src/voice/calls/list.ts'
import { calls } from '../../../src/voice/calls/row.ts'
import { type Json, startApp, type TestApp } from '../../support/app.ts'

const size = 100_000
let app: TestApp
let client: pg.Client
let orgId: string
let agentId: string
let otherAgentId: string
let contactId: string
beforeAll(async () => {
  app = await startApp()
  const orgs = [(await app.given.organization()).orgId, (await app.given.organization()).orgId] as const
  orgId = orgs[0]
  client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  const each = `from generate_series(1, ${size}) n cross join unnest($1::uuid[]) with ordinality as org (id, number)`
  // Rows of both organizations are mixed, many have the same time. What is rare is rare in both.
  await client.query(
    `insert into contacts (id, org_id, email, first_name, last_name, phone, company_name, country, city, external_id, tags, custom, do_not_call,
       lifecycle_stage, source, owner_user_id, created_by_type, created_at, updated_at, last_contacted_at, deleted_at, search_text)
     select gen_random_uuid(), org.id, case when n % 3 > 0 then 'c' || n || '@example.com' end, 'First' || n % 700, case when n % 4 > 0 then 'Name' || n % 5000 end,
       '+1415555' || lpad((n % 10000)::text, 4, '0'), 'Company' || n % 1000, case when n % 2 = 0 then 'DE' when n % 500 = 1 then 'LI' end, 'City' || n % 300, n::text,
       case when n % 500 = 0 then array['rare', 'x'] when n % 3 = 0 then array['x', 'y'] else '{}' end, '{"plan": "pro", "seats": 7}', n % 50 = 0,
       case when n % 900 = 0 then 'customer' else 'lead' end, case when n % 800 = 0 then 'import' else 'api' end, case when n % 1000 = 1 then 'u' when n % 3 = 1 then 'v' end,
       'system', now() - n / 10 * interval '1 minute', now() - n / 7 * interval '1 second', case when n % 20 = 0 then now() - n * interval '1 minute' end,
       case when n % 10 = 0 then now() end, 'first' || n % 700 || ' c' || n || '@example.com'
     ${each}`,
    [orgs],
  )
  // A quarter of the deleted ones are merged.
  await client.query(
    `insert into contact_merges (id, org_id, winner_id, loser_id, changes, moved, created_by_type)
     select gen_random_uuid(), loser.org_id, (select id from contacts c where c.org_id = loser.org_id and external_id = '1'), loser.id, '{}', '{}', 'system'
     from contacts loser where deleted_at is not null and external_id::int % 40 = 0`,
  )
  await client.query(
    `insert into voice_agents (id, org_id, name, instructions, extraction, provider, status, created_by_type)
     select gen_random_uuid(), org.id, 'A' || n, '', '{}', 'simulator', 'active', 'system' from generate_series(1, 5) n cross join unnest($1::uuid[]) org (id)`,
    [orgs],
  )
  await client.query(
    `insert into calls (id, org_id, agent_id, agent_version, contact_id, provider, to_number, status, dispatch_state, outcome, answered_by, ended_at, duration_seconds,
       ended_reason, dispatch_after, created_by_type, created_at, updated_at, max_duration_seconds, ring_timeout_seconds, record, voicemail_action)
     select gen_random_uuid(), org.id, (select id from voice_agents a where a.org_id = org.id order by name limit 1 offset n % 5), 1,
       case when n % 2 = 0 then (select id from contacts c where c.org_id = org.id and external_id = (n % 100 + 1)::text) end, 'simulator',
       '+1415555' || lpad((n % 10000)::text, 4, '0'), case when n % 600 = 0 then 'failed' else 'completed' end, 'dispatched', case when n % 600 = 0 then 'failed' else 'goal_met' end,
       case when n % 3 = 0 then 'human' end, now() - n / 10 * interval '1 minute', n % 600, 'completed', now(), 'system', now() - n / 10 * interval '1 minute', now(), 600, 30, false, 'hang_up'
     ${each}`,
    [orgs],
  )
  await client.query(
    `insert into suggestions (id, org_id, contact_id, host_app, target_id, target_kind, field, value_type, proposed_value, confidence, verification,
       provider, status, decided_at, observed_at, expires_at, created_at)
     select gen_random_uuid(), org.id, (select id from contacts c where c.org_id = org.id and external_id = (n % 100 + 1)::text), case when n % 700 = 0 then 'rare' else 'crm' end,
       n::text, case when n % 2 = 0 then 'contact' else 'deal' end, case when n % 3 = 0 then 'jobTitle' else 'city' end, 'text', '"x"', n % 100 / 100.0,
       case when n % 5 = 0 then 'verified' else 'probable' end, case when n % 400 = 0 then 'llm' else 'web' end, case when n % 2 = 0 then 'pending' else 'rejected' end,
       case when n % 2 = 1 then now() end, now(), now() + interval '1 day', now() - n / 10 * interval '1 minute'
     ${each}`,
    [orgs],
  )
  await client.query(
    `insert into enrichment_jobs (id, org_id, host_app, target_id, target_kind, recipe, recipe_version, run_after, status, result, finished_at, created_by_type, created_at)
     select gen_random_uuid(), org.id, 'crm', n::text, 'contact', case when n % 2 = 0 then 'contact' else 'generic' end, 1, now(), 'completed', 'found', now(), 'system', now() - n / 10 * interval '1 minute'
     ${each}`,
    [orgs],
  )
  await client.query(
    `insert into contact_numbers (org_id, contact_id, number)
     select org_id, id, '+1415556' || lpad((external_id::int % 10000)::text, 4, '0') from contacts where deleted_at is null`,
  )
  await client.query('vacuum analyze')
  const agents = await client.query('select id from voice_agents where org_id = $1 limit 2', [orgId])
  agentId = agents.rows[0].id
  otherAgentId = agents.rows[1].id
  contactId = (await client.query(`select id from contacts where org_id = $1 and external_id = '1'`, [orgId])).rows[0].id
}, 600_000)
afterAll(async () => {
  await client.end()
  await app.close()
})

interface Read {
  scans: Json[]
  /** Rows that scans of the table have read, those that a filter removed among them. */
  rows: number
  page: Page<{ id: string }>
}

/** Reads a page and EXPLAINs its statement. */
async function read(list: (context: Context) => Promise<Page<{ id: string }>>): Promise<Read> {
  const { sent, context } = app.recording(orgId)
  const page = await list(context)
  const [only] = sent
  const { rows } = await client.query(`explain (analyze, format json) ${only?.statement.text}`, [...(only?.values ?? [])])
  const nodesOf = (plan: Json): Json[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
  const scans = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter(node =>
    /^(Seq|Index|Index Only|Bitmap Heap|Tid) Scan$/.test(node['Node Type']),
  )
  const removed = (node: Json) => (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return { scans, page, rows: scans.reduce((sum, node) => sum + (node['Actual Rows'] + removed(node)) * node['Actual Loops'], 0) }
}

/** What is wrong with the plan. `most`: how many rows it may read. */
function problemsOf({ scans, rows }: Read, most: number): string[] {
  const sequential = scans.filter(node => node['Node Type'] === 'Seq Scan').map(node => `scans ${node['Relation Name']}`)
  return [...sequential, ...(rows > most ? [`reads ${rows} rows, more than ${most}`] : [])]
}

// From each end of the list, and from its middle in both directions.
async function inEachDirection(list: (context: Context, args: PageArgs) => Promise<Page<{ id: string }>>, most: number) {
  const problems: string[] = []
  const look = async (args: PageArgs) => {
    const found = await read(context => list(context, args))
    problems.push(...problemsOf(found, most).map(problem => `${Object.keys(args).join(' ')}: ${problem}`))
    return found.page
  }
  const { endCursor } = await look({ first: 50 })
  await look({ last: 50 })
  if (endCursor) {
    await look({ first: 50, after: endCursor })
    await look({ last: 50, before: endCursor })
  }
  return problems
}

// A page and the one row behind it, of live and of deleted contacts.
const page = 2 * 52
// A filter is checked on the organization's rows at most: each once.
const whole = size + page

describe('contacts', () => {
  const list = (filter: ContactList['filter'], sort: ContactList['sort']) => (context: Context, args: PageArgs) =>
    listContacts(context, { ...args, filter, sort }, contactTable.all)
  const filters = (): [ContactList['filter'], most: number][] => [
    [{}, page],
    [{ includeDeleted: true }, page],
    [{ onlyDeleted: true }, 2 * page],
    [{ email: 'C31@example.com' }, page],
    [{ ownerUserId: 'u' }, whole],
    [{ ownerUserIdIn: ['u', 'v'] }, whole],
    [{ phone: '+14155550007' }, whole],
    [{ externalIdIn: ['7', '8'] }, whole],
    [{ tag: 'x' }, whole],
    [{ tagAll: ['x', 'y'] }, whole],
    [{ lifecycleStageIn: ['customer', 'evangelist'] }, whole],
    [{ source: 'import' }, whole],
    [{ countryIn: ['LI'] }, whole],
    [{ cityIn: ['City7'] }, whole],
    [{ companyNameIn: ['Company7', 'Company8'] }, whole],
    [{ doNotCall: true }, whole],
    [{ createdSince: new Date(Date.now() - 3_600_000) }, whole],
    [{ createdUntil: new Date(Date.now() - 86_400_000) }, whole],
    [{ updatedSince: new Date(Date.now() - 60_000) }, whole],
    [{ lastContactedSince: new Date(Date.now() - 86_400_000) }, whole],
    [{ empty: ['lastName', 'country'] }, whole],
    [{ notEmpty: ['lastContactedAt'] }, whole],
    [
      {
        custom: [
          { key: 'plan', in: ['pro'] },
          { key: 'seats', min: 5 },
        ],
      },
      whole,
    ],
  ]
  test.each(contactSorts)('by %s, with every filter', { timeout: 300_000 }, async sort => {
    for (const [filter, most] of filters()) expect([filter, await inEachDirection(list(filter, sort), most)]).toEqual([filter, []])
  })
})

describe('calls', () => {
  const list = (filter: CallList['filter'], sort: CallList['sort']) => (context: Context, args: PageArgs) =>
    listCalls(context, { ...args, filter, sort }, { rows: calls.all, agent: undefined, withContact: false })
  const filters = (): [CallList['filter'], most: number][] => [
    [{}, page],
    [{ status: 'failed' }, whole],
    [{ outcomeIn: ['failed', 'voicemail'] }, whole],
    [{ dispatchState: 'pending' }, whole],
    // A fifth of the calls: PostgreSQL may as well read the organization's and skip the others.
    [{ voiceAgentId: agentId }, 6 * page],
    [{ voiceAgentIdIn: [agentId, otherAgentId] }, 12 * page],
    // Of an agent without calls, PostgreSQL may skip all of the organization's, once.
    [{ voiceAgentIdIn: [agentId, contactId] }, whole + 6 * page],
    [{ contactId }, page],
    [{ toNumberIn: ['+14155550007'] }, whole],
    [{ answeredByIn: ['human'] }, whole],
    [{ endedReasonIn: ['completed'] }, whole],
    [{ createdSince: new Date(Date.now() - 3_600_000) }, page],
    [{ createdUntil: new Date(Date.now() - 86_400_000) }, page],
    [{ endedSince: new Date(Date.now() - 3_600_000), minDurationSeconds: 30 }, whole],
    [{ empty: ['answeredBy'] }, whole],
    [{ notEmpty: ['contactId', 'summary'] }, whole],
  ]
  test.each(['created_at', 'created_at_desc'] as const)('by %s, with every filter', { timeout: 300_000 }, async sort => {
    for (const [filter, most] of filters()) expect([filter, await inEachDirection(list(filter, sort), most)]).toEqual([filter, []])
  })
})

describe('suggestions', () => {
  const list = (filter: SuggestionList['filter'], sort: SuggestionList['sort']) => (context: Context, args: PageArgs) =>
    listSuggestions(context, { ...args, filter, sort })
  const filters = (): [SuggestionList['filter'], most: number][] => [
    [{}, page],
    [{ status: 'pending' }, whole],
    [{ statusIn: ['accepted', 'expired'] }, whole],
    [{ fieldIn: ['jobTitle', 'phone'] }, whole],
    [{ minConfidence: 0.98, maxConfidence: 1 }, whole],
    [{ verification: 'verified' }, whole],
    [{ provider: 'llm' }, whole],
    [{ hostApp: 'rare' }, whole],
    [{ targetId: '7' }, 2],
    [{ targetKind: 'deal' }, whole],
    [{ contactId }, whole],
    [{ jobId: contactId }, whole],
    [{ createdSince: new Date(Date.now() - 3_600_000) }, page],
    [{ decidedSince: new Date(Date.now() - 3_600_000) }, whole],
    [{ empty: ['evidence'] }, whole],
    [{ notEmpty: ['evidence'] }, whole],
  ]
  test.each(['created_at', 'created_at_desc'] as const)('by %s, with every filter', { timeout: 300_000 }, async sort => {
    for (const [filter, most] of filters()) expect([filter, await inEachDirection(list(filter, sort), most)]).toEqual([filter, []])
  })

  test('and jobs', { timeout: 300_000 }, async () => {
    for (const sort of ['created_at', 'created_at_desc'] as const) {
      const jobs = (context: Context, args: PageArgs) => listJobs(context, { ...args, sort, filter: { notEmpty: ['error'] } })
      expect(await inEachDirection(jobs, whole)).toEqual([])
      expect(await inEachDirection((context, args) => listJobs(context, { ...args, sort }), page)).toEqual([])
    }
  })
})
