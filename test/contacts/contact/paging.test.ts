// Paging: the pages together are the list, with ties, missing values and concurrent inserts; a deep page costs the same as the first.

import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockContactsByEmail } from '../../../src/contacts/contact/contact.sql.ts'
import { contactSorts } from '../../../src/contacts/contact/list/list.sql.ts'
import { type ContactList, listContacts } from '../../../src/contacts/contact/list/list.ts'
import { contactTable } from '../../../src/contacts/contact/row.ts'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn } from '../client.ts'

const app = await openApp()

const document = `query ($first: Int, $after: String, $filter: ContactFilter, $sort: ContactSort) {
  contacts(first: $first, after: $after, filter: $filter, sort: $sort) {
    nodes { id email lastName lifecycleStage createdAt updatedAt } pageInfo { hasNextPage endCursor }
  }
}`

interface Row {
  lastName: string | null
  hasEmail: boolean
  lifecycleStage: string
  isDeleted: boolean
}
const stages = ['SUBSCRIBER', 'LEAD', 'QUALIFIED', 'OPPORTUNITY', 'CUSTOMER', 'EVANGELIST', 'OTHER']
const rows = fc.array(
  fc.record<Row>({
    lastName: fc.constantFrom(null, 'a', 'A', 'b', 'B', 'aa', 'é', '😀', '\u{10FFFF}', ''),
    hasEmail: fc.boolean(),
    lifecycleStage: fc.constantFrom(...stages),
    isDeleted: fc.boolean(),
  }),
  { maxLength: 12 },
)

let addresses = 0
/** Adds the rows in small groups, so that many have the same creation time. */
async function add(on: Client, batch: readonly Row[], time: number): Promise<void> {
  if (batch.length === 0) return
  app.setNow(new Date(1_700_000_000_000 + time))
  const input = batch.map(({ lastName, hasEmail, lifecycleStage }) => ({
    lastName,
    lifecycleStage,
    ...(hasEmail && { email: `${addresses++ % 2 ? 'a' : 'B'}${addresses}@example.com` }),
  }))
  const { batchContacts } = await on.data(
    'mutation ($input: [CreateContactInput!]!) { batchContacts(input: { contacts: $input }) { results { contactId } } }',
    {
      input,
    },
  )
  for (const [index, { isDeleted }] of batch.entries())
    if (isDeleted)
      await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id: batchContacts.results[index].contactId })
}

const last = '\u{10FFFF}'
const keyOf: Record<string, (node: Json) => string> = {
  CREATED_AT: node => node.createdAt,
  UPDATED_AT: node => node.updatedAt,
  LAST_NAME: node => node.lastName?.toLowerCase() ?? last,
  EMAIL: node => node.email?.toLowerCase() ?? last,
  STAGE: node => `${stages.indexOf(node.lifecycleStage)}`,
}
function inOrder(sort: string, nodes: readonly Json[]): Json[] {
  const key = keyOf[sort.replace('_DESC', '')] as (node: Json) => string
  const direction = sort.endsWith('_DESC') ? -1 : 1
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  return nodes.toSorted((a, b) => direction * (compare(key(a), key(b)) || compare(a.id, b.id)))
}

describe('pages', () => {
  for (const sort of contactSorts.map(name => name.toUpperCase()))
    test(`by ${sort}: together they have every row exactly once, with concurrent inserts`, async () => {
      await fc.assert(
        fc.asyncProperty(
          rows,
          rows,
          rows,
          fc.integer({ min: 1, max: 5 }),
          fc.boolean(),
          async (early, late, meanwhile, first, includeDeleted) => {
            const on = await clientIn(app)
            await add(on, early, 0)
            await add(on, late, 1)
            const filter = { includeDeleted }
            const whole = (await on.data(document, { first: 200, sort, filter })).contacts.nodes

            const paged: Json[] = []
            const left = [...meanwhile]
            for (let after: string | null = null; ; ) {
              const { contacts } = await on.data(document, { first, after, sort, filter })
              paged.push(...contacts.nodes)
              expect(contacts.nodes.length).toBeLessThanOrEqual(first)
              if (!contacts.pageInfo.hasNextPage) break
              after = contacts.pageInfo.endCursor
              await add(on, left.splice(0, 2), left.length % 3)
            }

            expect(whole).toEqual(inOrder(sort, whole))
            expect(whole).toHaveLength([...early, ...late].filter(row => includeDeleted || !row.isDeleted).length)
            const ids = paged.map(({ id }) => id)
            expect(new Set(ids).size).toBe(ids.length)
            const there = new Set(whole.map(({ id }: Json) => id))
            expect(paged.filter(({ id }) => there.has(id))).toEqual(whole)
            app.setNow(null)
          },
        ),
        { numRuns: 12 },
      )
    })
})

describe('a deep page', () => {
  let client: pg.Client
  let orgId: string
  beforeAll(async () => {
    orgId = (await app.given.organization()).orgId
    client = new pg.Client({ connectionString: app.database.url })
    await client.connect()
    // 20,000 contacts: every tenth is deleted, many lack name or address, many have the same creation time.
    await client.query(
      `insert into contacts (id, org_id, email, last_name, source, created_by_type, created_at, updated_at, deleted_at, owner_user_id, lifecycle_stage)
       select gen_random_uuid(), $1, case when n % 3 > 0 then 'c' || n || '@example.com' end, case when n % 4 > 0 then 'Name' || n % 500 end, 'api', 'system',
         now() - n / 10 * interval '1 minute', now() - n / 7 * interval '1 second', case when n % 10 = 0 then now() end,
         case when n % 1000 = 1 then 'u' end, case when n % 200 = 1 then 'customer' else 'subscriber' end
       from generate_series(1, 20000) n`,
      [orgId],
    )
    await client.query('analyze contacts')
  })
  afterAll(() => client.end())

  /** Runs the list, and EXPLAINs its statement. */
  async function explained(list: ContactList, of = orgId) {
    const { sent, context } = app.recording(of)
    const page = await listContacts(context, list, contactTable.all)
    const [only] = sent
    if (!only) throw new Error('No statement was sent')
    return { page, nodes: await explain(only.statement.text, only.values), ...only }
  }
  /** The same with the plan that PostgreSQL makes without knowing the values. */
  async function explainedForAllValues(list: ContactList) {
    const { page, statement, values } = await explained(list)
    await client.query(`set plan_cache_mode = force_generic_plan; prepare page as ${statement.text}`)
    const nodes = await explain(`execute page(${values.map(value => pg.escapeLiteral(String(value))).join(', ')})`, [])
    await client.query('deallocate page; reset plan_cache_mode')
    return { page, nodes, statement }
  }
  async function explain(text: string, values: readonly unknown[]): Promise<Json[]> {
    const { rows: answer } = await client.query(`explain (analyze, format json) ${text}`, [...values])
    return nodesOf(answer[0]['QUERY PLAN'][0].Plan)
  }
  const nodesOf = (plan: Json): Json[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
  // The rows that a bitmap's index finds are read by its heap scan.
  const rowsRead = (nodes: Json[]) =>
    nodes
      .filter(node => /Scan/.test(node['Node Type']) && !/Subquery|Bitmap Index/.test(node['Node Type']))
      .reduce((sum, node) => sum + node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), 0)
  const typesOf = (nodes: Json[]) => new Set(nodes.map(node => node['Node Type']))

  for (const sort of contactSorts)
    test(`by ${sort} reads only its own rows by an index, like the first`, async () => {
      const { page, nodes } = await explained({ sort, first: 50 })
      // After 150 pages of 100, among the rows without name and address.
      let after = page.endCursor
      for (let pages = 0; pages < 75; pages++) after = (await explained({ sort, first: 200, after })).page.endCursor
      const deep = await explained({ sort, first: 50, after })

      expect(deep.page.nodes).toHaveLength(50)
      for (const read of [nodes, deep.nodes]) {
        expect(typesOf(read)).toEqual(new Set(['Limit', 'Index Scan']))
        expect(rowsRead(read)).toBeLessThanOrEqual(52)
      }
    })

  test('of live and deleted contacts merges two indexes', async () => {
    const { nodes } = await explained({ sort: 'updated_at_desc', first: 50, filter: { includeDeleted: true } })

    expect(typesOf(nodes).has('Sort')).toBe(false)
    expect(rowsRead(nodes)).toBeLessThanOrEqual(2 * 51 + 2)
  })

  test('filtered by address or owner reads few other rows', async () => {
    for (const [filter, ...indexes] of [
      [{ email: 'C31@example.com' }, 'contacts_pkey', 'contact_emails_pkey', 'contacts_deleted_by_email'],
      [{ ownerUserId: 'u' }, 'contacts_by_owner'],
    ] as const) {
      const { page, nodes } = await explained({ filter })

      expect(page.nodes.length).toBeGreaterThan(0)
      // Releases of PostgreSQL order them differently.
      expect(new Set(nodes.flatMap(node => node['Index Name'] ?? []))).toEqual(new Set(indexes))
      expect(rowsRead(nodes)).toBeLessThanOrEqual(2 * page.nodes.length)
    }
  })

  test('of one owner or stage reads its own rows alone, with one plan for all values', async () => {
    const sorts = ['created_at', 'created_at_desc'] as const
    const filters = [{ ownerUserId: 'u' }, { lifecycleStage: 'customer' }, { lifecycleStage: 'lead' }] as const
    for (const filter of filters)
      for (const sort of sorts) {
        const first = await explainedForAllValues({ filter, sort, first: 10 })
        const deep = await explainedForAllValues({ filter, sort, first: 10, after: first.page.endCursor })

        for (const { page, nodes, statement } of [first, deep]) {
          expect(statement.name).not.toBe('')
          expect(typesOf(nodes)).toEqual(new Set(['Limit', 'Index Scan']))
          expect(rowsRead(nodes)).toBeLessThanOrEqual(page.nodes.length + 1)
        }
      }
  })

  test('filtered by any field reads no contacts of other organizations', async () => {
    const { orgId: small } = await app.given.organization()
    await client.query(
      `insert into contacts (id, org_id, email, source, created_by_type, country, tags, custom, do_not_call)
       select gen_random_uuid(), $1, 's' || n || '@example.com', 'api', 'system', case when n % 2 = 0 then 'DE' end,
         case when n % 3 = 0 then array['x', 'y'] else '{}' end, '{"plan": "pro", "seats": 7}', n % 5 = 0
       from generate_series(1, 500) n`,
      [small],
    )
    await client.query('analyze contacts')
    const filters: ContactList['filter'][] = [
      { doNotCall: true },
      { countryIn: ['DE', 'FR'] },
      { tagAll: ['x', 'y'] },
      { empty: ['country', 'tags'] },
      { notEmpty: ['email'] },
      { lastContactedSince: new Date('2026-01-01') },
      {
        custom: [
          { key: 'plan', in: ['pro'] },
          { key: 'seats', min: 5 },
        ],
      },
    ]
    for (const filter of filters)
      for (const sort of contactSorts) {
        const { nodes } = await explained({ filter, sort, first: 50 }, small)

        expect([filter, sort, rowsRead(nodes) <= 1100]).toEqual([filter, sort, true])
      }
  })

  test('the addresses of a batch are looked up one by one, and their contacts locked in the order of ids', async () => {
    const addresses = Array.from({ length: 100 }, (_, index) => `C${index * 31 + 1}@example.com`)

    const nodes = await explain(lockContactsByEmail.text, [orgId, addresses])

    expect(nodes.flatMap(node => node['Index Name'] ?? []).toSorted()).toEqual(['contact_emails_pkey', 'contacts_pkey'])
    expect(rowsRead(nodes.filter(node => node['Node Type'].startsWith('Index')))).toBeLessThanOrEqual(200)
  })
})
