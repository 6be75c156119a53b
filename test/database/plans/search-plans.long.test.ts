// The plans of searches and of possible duplicates at 100,000 contacts, 100,000 companies and 20,000 calls in each of two organizations, and 3,000
// contacts in a third one: no statement scans a table, and what it reads is bounded however many match. None reads the rows of the other
// organizations, except few when it searches one that has a quarter of all contacts.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { companyDuplicates } from '../../../src/contacts/duplicates/companies.ts'
import { contactDuplicates } from '../../../src/contacts/duplicates/contacts.ts'
import { searchContacts } from '../../../src/contacts/search/search.ts'
import type { Statement } from '../../../src/database/statement.ts'
import type { Context } from '../../../src/kernel/context.ts'
import { searchQuery } from '../../../src/kernel/search/words.ts'
import { searchAgents, searchCalls } from '../../../src/voice/search/search.ts'
import { type Json, startApp, type TestApp } from '../../support/app.ts'

const size = 100_000
let app: TestApp
let client: pg.Client
let orgId: string
let small: string
beforeAll(async () => {
  app = await startApp()
  const orgs = [(await app.given.organization()).orgId, (await app.given.organization()).orgId] as const
  orgId = orgs[0]
  small = (await app.given.organization()).orgId
  client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  // The same people in both. Names repeat after 3000, so that a thousand contacts have the name and the company of another one.
  await client.query(
    `insert into contacts (id, org_id, email, full_name, company_name, source, created_by_type, created_at, search_text)
     select gen_random_uuid(), org, lower(first || '.' || last) || n || '@example.com', first || ' ' || last, 'Company ' || case when n % 50 = 0 then n / 6000 else n end, 'api', 'system', now() - n * interval '1 minute',
       lower(first || ' ' || last || ' ' || first || '.' || last) || n || '@example.com'
     from generate_series(1, ${size}) n join unnest($1::uuid[]) org on org <> $2 or n <= 3000
       cross join lateral (select (array['James', 'Mary', 'Robert', 'Patricia', 'Jennifer'])[1 + n % 5] as first,
         initcap(translate(to_char(n % 3000, 'FM0000'), '0123456789', 'bcdfaeionr')) || 'son' as last) name`,
    [[...orgs, small], small],
  )
  await client.query(
    `insert into voice_agents (id, org_id, name, instructions, extraction, provider, status, created_by_type)
     select gen_random_uuid(), org, 'A', '', '{}', 'simulator', 'active', 'system' from unnest($1::uuid[]) org`,
    [orgs],
  )
  await client.query(
    `with call as (insert into calls (id, org_id, agent_id, agent_version, provider, to_number, status, dispatch_state, outcome, dispatch_after, created_by_type,
       created_at, max_duration_seconds, ring_timeout_seconds, record, voicemail_action, summary)
     select overlay(gen_random_uuid()::text placing left(least_id(now() - n * interval '1 minute')::text, 13) from 1)::uuid, org,
       (select id from voice_agents a where a.org_id = org), 1, 'simulator', '+14155550100', 'completed', 'dispatched',
       'goal_met', now(), 'system', now() - n * interval '1 minute', 600, 30, false, 'hang_up',
       'about the invoice' || case when n % 50 = 0 then ' and a refund' else '' end || ' number' || n
     from generate_series(1, 20000) n cross join unnest($1::uuid[]) org returning id, org_id, summary)
     insert into call_transcripts (id, org_id, summary) select id, org_id, summary from call`,
    [orgs],
  )
  await client.query(
    `insert into voice_agents (id, org_id, name, instructions, extraction, provider, status, created_by_type)
     select gen_random_uuid(), org, 'Agent' || n, '', '{}', 'simulator', 'active', 'system' from generate_series(1, 5000) n cross join unnest($1::uuid[]) org`,
    [orgs],
  )
  // One in a hundred has the domain, the number or the name of another one.
  await client.query(
    `insert into companies (id, org_id, name, domain, website, phone, country, source, created_by_type, created_at, search_text)
     select gen_random_uuid(), org, name || ' Ltd', domain, 'https://' || case when n % 300 = 1 then (n - 1) || '.example' else domain end,
       '+49301' || lpad((case when n % 300 = 2 then n - 1 else n end)::text, 6, '0'), case when n % 2 = 0 then 'DE' else 'FR' end, 'api', 'system',
       now() - n * interval '1 minute', lower(name || ' ' || domain)
     from generate_series(1, ${size}) n cross join unnest($1::uuid[]) org
       cross join lateral (select 'Firm ' || md5((case when n % 300 = 3 then n - 1 else n end)::text) as name, n || '.example' as domain) company`,
    [orgs],
  )
  await client.query('vacuum analyze')
}, 600_000)
afterAll(async () => {
  await client.end()
  await app.close()
})

interface Sent {
  statement: Statement<unknown>
  values: readonly unknown[]
}
type Work = (context: Context) => Promise<{ length: number }>

/** What the work has found in the organization, and the statements that it has sent. */
async function sentBy(work: Work, orgId: string): Promise<{ found: number; sent: Sent[] }> {
  const { sent, context } = app.recording(orgId)
  const { length: found } = await work(context)
  return { found, sent }
}

interface Allowed {
  /** How many rows each statement may read. */
  most: number
  /** The statement that searches all organizations for a large one may ask the index for those of all. */
  isWide?: boolean
  in?: string
}

const isOfAll = ({ text }: Statement<unknown>) => text.includes('org_id is not distinct from')

/** The statements that the work has sent, each with what is wrong with its plan. */
async function problemsOf(work: Work, { most, isWide = false, in: org = orgId }: Allowed): Promise<string[]> {
  const { found, sent } = await sentBy(work, org)
  expect(found).toBeGreaterThan(0)
  const problems: string[] = []
  for (const { statement, values } of sent) {
    const { rows } = await client.query(`explain (analyze, format json) ${statement.text}`, [...values])
    const nodesOf = (plan: Json): Json[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
    const scans = nodes.filter(node => /^(Seq|Index|Index Only|Bitmap Heap|Tid) Scan$/.test(node['Node Type']))
    // What is found is read by its ids, for which PostgreSQL may choose a bitmap too.
    const isById = (node: Json) => node['Index Name'].endsWith('_pkey')
    const ofAll = nodes.filter(node => node['Node Type'] === 'Bitmap Index Scan' && !/org_id/.test(node['Index Cond']) && !isById(node))
    const removed = (node: Json) => (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const read = scans.reduce((sum, node) => sum + (node['Actual Rows'] + removed(node)) * node['Actual Loops'], 0)
    const sequential = scans.filter(
      node =>
        node['Node Type'] === 'Seq Scan' && /^(contacts|companies|company_keys|calls|call_transcripts_first)$/.test(node['Relation Name']),
    )
    problems.push(
      ...sequential.map(node => `${statement.name} scans ${node['Relation Name']}`),
      ...(isWide && isOfAll(statement) ? [] : ofAll).map(node => `${statement.name} reads ${node['Index Name']} of all organizations`),
      ...(read > most ? [`${statement.name} reads ${read} rows, more than ${most}`] : []),
    )
  }
  return problems
}

describe('searching contacts', () => {
  const search = (text: string) => (context: Context) => searchContacts(context, searchQuery(text), 20)

  test.each([
    ['a common word', 'james', 2000],
    ['a common word of all addresses', 'example', 2000],
    ['a rare word', 'bcdfson', 2000],
    ['a name', 'jennifer bcdason', 2000],
    ['a name as it is typed', 'mary bc', 2000],
    ['two words', 'bcdason jennifer', 2000],
    ['a misspelt name', 'jenifer bcddson', 2500],
    ['a misspelt name that many have', 'jenifer', 1500],
    ['a name that many have, with letters exchanged', 'ptaricia', 1500],
    ['a whole address', 'mary.bbbcson1@example.com', 100],
    ['an address as it is typed', 'james.bbb', 2000],
  ])('by %s, in a small organization and in a large one', async (_what, text, most) => {
    expect(await problemsOf(search(text), { most, in: small })).toEqual([])
    expect(await problemsOf(search(text), { most, isWide: true })).toEqual([])
  })

  // To ask for the organization takes as long as it has contacts.
  test('asks the index for the organization in a small one only', async () => {
    const isAsked = async (org: string) => {
      const { sent } = await sentBy(search('bcdason jennifer'), org)
      return !sent.some(({ statement }) => isOfAll(statement))
    }

    expect(await isAsked(small)).toBe(true)
    expect(await isAsked(orgId)).toBe(false)
  })

  test('by the beginning of a name that many have sends one statement', async () => {
    const { found, sent } = await sentBy(search('mary bc'), orgId)

    expect(found).toBe(20)
    const names = sent.map(({ statement: { name, text } }) => name || text).filter(name => !name.startsWith('contacts_by_id'))
    expect(names).toEqual(['contacts_search_recent_names'])
  })

  // A fifth of all have each of the words.
  test('by known words that nobody has together compares no more than the sample', async () => {
    const { found, sent } = await sentBy(search('james patricia'), orgId)

    expect(found).toBe(0)
    const similar = sent.map(({ statement: { text } }) => text).filter(text => text.includes('<%'))
    expect(similar.filter(text => !text.includes('get_byte'))).toEqual([])
    expect(similar).toHaveLength(1)
  })

  // Among so many contacts, more similarity is asked for than among few.
  test('finds the one that has a name, with each of its letters wrong, missing or doubled', async () => {
    await client.query(
      `update contacts set full_name = 'Quinwood', search_text = 'quinwood'
       where id = (select id from contacts where org_id = $1 order by created_at limit 1)`,
      [orgId],
    )
    const context = app.asSystem(orgId)
    const typed = [...'quinwood'].flatMap((letter, at, all) =>
      ['x', '', letter + letter].map(other => all.toSpliced(at, 1, other).join('')),
    )

    const missed: string[] = []
    for (const text of typed) {
      const hits = await search(text)(context)
      if (!hits.some(({ title }) => title === 'Quinwood')) missed.push(text)
    }

    expect(missed).toEqual([])
  })
})

describe('searching calls', () => {
  const search = (text: string) => (context: Context) => searchCalls(context, searchQuery(text), 20)

  test.each([
    ['a word that all have', 'invoice', 200],
    ['a word that some have', 'refund', 600],
    ['a word that one has', 'number777', 200],
  ])('by %s', async (_what, text, most) => {
    expect(await problemsOf(search(text), { most })).toEqual([])
  })
})

test('searching voice agents', async () => {
  expect(await problemsOf(context => searchAgents(context, searchQuery('agent77'), 20), { most: 200 })).toEqual([])
})

test('a page of the duplicates of all contacts', async () => {
  expect(await problemsOf(async context => (await contactDuplicates.list(context, { first: 50 })).nodes, { most: 10_000 })).toEqual([])
})

test('the duplicates of one contact', async () => {
  const { rows } = await client.query('select id from contacts where org_id = $1 order by created_at limit 1', [orgId])
  expect(await problemsOf(async context => [await contactDuplicates.of(context, rows[0].id)], { most: 3000 })).toEqual([])
})

// A domain is shared once in 300 companies: 200 pairs are behind the index entries of 60,000 domains.
test('a page of the duplicates of all companies', async () => {
  expect(await problemsOf(async context => (await companyDuplicates.list(context, { first: 200 })).nodes, { most: 70_000 })).toEqual([])
})

test('the duplicates of one company', async () => {
  const { rows } = await client.query('select id from companies where org_id = $1 order by created_at limit 1', [orgId])
  expect(await problemsOf(async context => [await companyDuplicates.of(context, rows[0].id)], { most: 3000 })).toEqual([])
})
