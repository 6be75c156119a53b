// Companies that may be the same: found by domain, website, number and name, and by similar names in one place; dismissed for good.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { type Client, clientIn, problemsOf } from '../client.ts'
import { add, change, companies, deleting, restoring } from './companies.ts'

const app = await openApp()

const pairs = 'nodes { company { id } duplicate { id } reasons score } pageInfo { hasNextPage endCursor } totalCount'
const find = async (on: Client, args: Json = {}) =>
  (await on.data(`query ($first: Int, $after: String) { findCompanyDuplicates(first: $first, after: $after) { ${pairs} } }`, args))
    .findCompanyDuplicates
const of = async (on: Client, id: string): Promise<Json[]> =>
  (await on.data(`query ($id: ID!) { companyDuplicatesOf(companyId: $id) { ${pairs} } }`, { id })).companyDuplicatesOf.nodes
const dismissing = `mutation ($one: ID!, $other: ID!) { dismissCompanyDuplicate(input: { companyId: $one, otherId: $other }) { id } }`
const dismiss = (on: Client, one: string, other: string) => on.data(dismissing, { one, other })
const merge = async (on: Client, w: string, l: string): Promise<Json> =>
  (
    await on.data('mutation ($w: ID!, $l: ID!) { mergeCompanies(input: { winnerId: $w, loserId: $l }) { mergeId moved { dismissals } } }', {
      w,
      l,
    })
  ).mergeCompanies
const undo = (on: Client, id: string) => on.data('mutation ($id: ID!) { undoCompanyMerge(input: { mergeId: $id }) { mergeId } }', { id })
const ids = (nodes: Json[]) => nodes.map(({ company, duplicate }) => [company.id, duplicate.id])

describe('findCompanyDuplicates', () => {
  test('finds the same domain or website, number, and name, each pair once, with all its reasons', async () => {
    const on = await clientIn(app)
    const acme = await add(on, { name: 'Acme Engines GmbH', domain: 'acme.com', phone: '+49301234567', country: 'DE' })
    const shop = await add(on, { name: 'Shop', domain: 'shop.acme.com', phone: '+49301234567' })
    const site = await add(on, { name: 'Bolt', website: 'https://www.Bolt.example/de?x=1' })
    const bolt = await add(on, { name: 'BOLT Ltd', domain: 'bolt.example' })
    const called = await add(on, { name: 'Called', phone: '+49 30 1234567' })
    const named = await add(on, { name: 'ACME Engines, Inc.', country: 'US' })
    await add(on, { name: 'Other', website: 'https://facebook.com/other', phone: '+43301234567' })
    await add(on, { name: 'Another', website: 'https://facebook.com/another' })

    const { nodes, totalCount, pageInfo } = await find(on)

    expect(nodes).toEqual([
      { company: { id: acme.id }, duplicate: { id: shop.id }, reasons: ['DOMAIN', 'PHONE'], score: 0.992 },
      { company: { id: site.id }, duplicate: { id: bolt.id }, reasons: ['WEBSITE', 'NAME'], score: 0.98 },
      { company: { id: acme.id }, duplicate: { id: called.id }, reasons: ['PHONE'], score: 0.85 },
      { company: { id: acme.id }, duplicate: { id: named.id }, reasons: ['NAME'], score: 0.6 },
    ])
    expect({ totalCount, hasNextPage: pageInfo.hasNextPage }).toEqual({ totalCount: 4, hasNextPage: false })
  })

  test.each([
    ['Acme GmbH & Co. KG', 'ACME, Inc.'],
    ['Acme B.V.', 'Acme Sp. z o.o.'],
    ['Müller & Söhne AG', 'Muller und Sohne'],
    ['The Coca-Cola Company', 'Coca Cola Ltd.'],
    ['Carlsberg A/S', 'Carlsberg'],
    ['株式会社トヨタ', 'トヨタ'],
    ['ООО «Ромашка»', 'Ромашка, ООО'],
    ["McDonald's Corporation", 'McDonald’s'],
    ['AG', 'ag'],
  ])('%s and %s have the same name', async (one, other) => {
    const on = await clientIn(app)
    await add(on, { name: one })
    await add(on, { name: 'Company Ltd' })
    await add(on, { name: other })

    expect((await find(on)).nodes.map(({ reasons }: Json) => reasons)).toEqual([['NAME']])
  })

  test.each([
    ['acme.co.uk', 'shop.acme.co.uk', true],
    ['one.co.uk', 'two.co.uk', false],
    ['one.myshopify.com', 'two.myshopify.com', false],
    ['acme.com', 'acme.de', false],
  ])('the domains %s and %s: %s', async (one, other, areFound) => {
    const on = await clientIn(app)
    await add(on, { name: 'A', domain: one })
    await add(on, { name: 'B', domains: [other] })

    expect((await find(on)).nodes).toHaveLength(areFound ? 1 : 0)
  })

  test('pages through all of them, whatever the size of a page', async () => {
    const on = await clientIn(app)
    for (let index = 0; index < 3; index++) {
      await add(on, { name: `N${index}`, domain: `d${index}.example`, phone: `+1415555020${index}` })
      await add(on, { name: `Website ${index}`, website: `https://d${index}.example` })
      await add(on, { name: `Number ${index}`, phone: `+1415555020${index}` })
      await add(on, { name: `n${index} Ltd` })
    }

    const whole = await find(on)
    for (const first of [1, 2, 4]) {
      const paged: Json[] = []
      for (let after: string | null = null, more = true; more; ) {
        const page: Json = await find(on, { first, after })
        paged.push(...page.nodes)
        after = page.pageInfo.endCursor
        more = page.pageInfo.hasNextPage
      }
      expect(ids(paged)).toEqual(ids(whole.nodes))
    }
    expect(whole.nodes).toHaveLength(9)
    const { pageInfo } = await find(on, { first: 5 })
    // A place among the numbers of companies is none among the numbers of contacts.
    expect(
      (await on.error('query ($after: String) { findDuplicates(after: $after) { nodes { score } } }', { after: pageInfo.endCursor })).code,
    ).toBe('INVALID')
  })

  test('leaves out deleted and foreign companies, and numbers that more than 20 share', async () => {
    const on = await clientIn(app)
    const one = await add(on, { name: 'A', phone: '+14155550301' })
    const two = await add(on, { name: 'B', phone: '+14155550301' })
    await add(await clientIn(app), { name: 'C', phone: '+14155550301' })
    for (let index = 0; index < 21; index++) await add(on, { name: `N${index}`, phone: '+14155550302' })
    expect(ids((await find(on)).nodes)).toEqual([[one.id, two.id]])

    await on.data(deleting, { input: { id: two.id } })
    expect((await find(on)).nodes).toEqual([])
    await on.data(restoring, { id: two.id })

    expect(ids((await find(on)).nodes)).toEqual([[one.id, two.id]])
    await change(on, { id: two.id, phone: null })
    expect((await find(on)).nodes).toEqual([])
  })

  test('a dismissed pair does not come again, in either direction, and the next oldest comes instead', async () => {
    const on = await clientIn(app)
    const [a, b, c] = [await add(on, { name: 'Acme' }), await add(on, { name: 'acme' }), await add(on, { name: 'ACME' })]
    expect(ids((await find(on)).nodes)).toEqual([
      [a.id, b.id],
      [a.id, c.id],
    ])

    for (let times = 0; times < 2; times++) await dismiss(on, c.id, a.id)

    expect(ids((await find(on)).nodes)).toEqual([
      [a.id, b.id],
      [b.id, c.id],
    ])
    expect(ids(await of(on, a.id))).toEqual([[a.id, b.id]])
    const { company } = await on.data(
      `query ($id: ID!) { company(id: $id) { timeline { nodes { type entityId
         event { ... on CompanyDuplicateDismissedEntry { otherId other { name } } } } } } }`,
      { id: c.id },
    )
    expect(company.timeline.nodes).toEqual([
      { type: 'COMPANY_DUPLICATE_DISMISSED', entityId: c.id, event: { otherId: a.id, other: { name: 'Acme' } } },
      { type: 'COMPANY_CREATED', entityId: c.id, event: {} },
    ])
    expect(problemsOf(await on.error(dismissing, { one: a.id, other: a.id }))).toEqual(['otherId: Value error, it is the company itself'])
    expect(await (await clientIn(app)).error(dismissing, { one: a.id, other: b.id })).toMatchObject({ code: 'NOT_FOUND' })
    const contact = await on.create()
    expect(await on.error(dismissing, { one: a.id, other: contact.id })).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('dismissals go with a company into another one, and come back with the undo', async () => {
    const on = await clientIn(app)
    const [winner, loser, other] = [await add(on, { name: 'Winner' }), await add(on, { name: 'Acme' }), await add(on, { name: 'acme' })]
    const known = await add(on, { name: 'Known' })
    await dismiss(on, loser.id, other.id)
    await dismiss(on, loser.id, known.id)
    await dismiss(on, known.id, winner.id)
    await dismiss(on, loser.id, winner.id)

    const { mergeId, moved } = await merge(on, winner.id, loser.id)
    await change(on, { id: winner.id, name: 'ACME' })

    expect(moved).toEqual({ dismissals: 1 })
    expect((await find(on)).nodes).toEqual([])
    await undo(on, mergeId)
    // The winner is not known to be another one than `other`, as before the merge.
    expect(ids((await find(on)).nodes)).toEqual([[winner.id, other.id]])
    await change(on, { id: known.id, name: 'ACME' })
    expect(ids((await find(on)).nodes)).toEqual([
      [winner.id, other.id],
      [other.id, known.id],
    ])
  })
})

describe('companyDuplicatesOf', () => {
  test('finds similar names too, the surest first, in places that do not contradict each other', async () => {
    const on = await clientIn(app)
    const one = await add(on, { name: 'Jonathan Robotics GmbH', domain: 'jr.example', city: 'Berlin', country: 'DE' })
    const website = await add(on, { name: 'JR', website: 'https://jr.example' })
    const city = await add(on, { name: 'Jonathon Robotics', city: 'berlin', country: 'DE' })
    const country = await add(on, { name: 'Jonathon Robotics', country: 'DE' })
    const abroad = await add(on, { name: 'Jonathen Robotics', city: 'Berlin', country: 'US' })
    const far = await add(on, { name: 'Jonathans Robots', city: 'Munich', country: 'DE' })
    await add(on, { name: 'Miller Foods', city: 'Berlin', country: 'DE' })

    const found = await of(on, one.id)

    expect(ids(found)).toEqual([
      [one.id, website.id],
      [one.id, city.id],
      [one.id, country.id],
    ])
    expect(found.map(({ reasons }: Json) => reasons)).toEqual([['WEBSITE'], ['SIMILAR_NAME'], ['SIMILAR_NAME']])
    const scores = found.map(({ score }: Json) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect((await of(on, abroad.id)).length + (await of(on, far.id)).length).toBe(0)
    expect(await on.error('query ($id: ID!) { companyDuplicatesOf(companyId: $id) { nodes { score } } }', { id: 'none' })).toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('the keys of companies', () => {
  const kept = 'select org_id, kind, key, company_id as id from company_keys'
  const computed = `select org_id, kind, key, id from companies cross join lateral company_keys_of(domain, domains, website, phone, name)
    where deleted_at is null`
  const differences = () => query(app.database.url, `(${kept} except ${computed}) union all (${computed} except ${kept})`)

  test('follow all changes, merges, deletions and restorations', async () => {
    const on = await clientIn(app)
    const [a, b] = [
      await add(on, { name: 'A', domain: 'a.example', domains: ['aa.example'] }),
      await add(on, { name: 'B', phone: '+14155550101' }),
    ]
    await change(on, { id: a.id, name: 'AA', website: 'https://aaa.example', domains: [] })
    await change(on, { id: b.id, industry: 'Food' })
    const { mergeId } = await merge(on, a.id, b.id)
    await undo(on, mergeId)
    await on.data(deleting, { input: { id: b.id } })
    await add(on, { name: 'C', phone: '+14155550102' })

    expect(await differences()).toEqual([])
    expect(await query(app.database.url, 'select key from company_keys where org_id = $1 order by key', [on.orgId])).toHaveLength(5)
  })

  test('of the companies from before are filled in by the migration', async () => {
    const on = await clientIn(app)
    await add(on, { name: 'Acme', domain: 'acme.example', phone: '+14155550103' })
    await query(app.database.url, 'delete from company_keys')
    const script = readFileSync(
      new URL('../../../prisma/migrations/20261127220001_company_keys_filled/migration.sql', import.meta.url),
      'utf8',
    )
    const [filling = ''] = /^insert into[^;]*;/m.exec(script) ?? []

    await query(app.database.url, filling)

    expect(await differences()).toEqual([])
    const { rowCount } = await app.services.database.pool.query(filling)
    expect(rowCount).toBe(0)
  })
})

describe('the endpoints of duplicates', () => {
  test('list, list for one, and dismiss', async () => {
    const on = await clientIn(app)
    const [a, b] = [await add(on, { name: 'A', phone: '+14155550501' }), await add(on, { name: 'B', phone: '+14155550501' })]
    const get = (path: string) => app.rest('GET', `${companies}${path}`, { key: on.key })

    const all = await get('/duplicates?limit=1&include=total')
    const one = await get(`/${b.id}/duplicates`)
    const done = await app.rest('POST', `${companies}/${a.id}/duplicates/dismiss`, { body: { other_id: b.id }, key: on.key })

    expect(all).toMatchObject({
      status: 200,
      body: { data: [{ company: { id: a.id }, duplicate: { id: b.id }, reasons: ['phone'], score: 0.85 }], has_more: false, total: 1 },
    })
    expect(one).toMatchObject({ status: 200, body: { data: [{ company: { id: a.id }, duplicate: { id: b.id } }] } })
    expect(done).toMatchObject({ status: 200, body: { id: a.id } })
    expect((await get('/duplicates')).body.data).toEqual([])
  })
})
