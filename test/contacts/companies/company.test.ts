// Companies: their domains, deletion, upserts and history, through GraphQL and REST.

import { describe, expect, test } from 'vitest'
import { openStream } from '../../graphql/stream.ts'
import { conforming } from '../../rest/conforming.ts'
import { openApp } from '../../support/app.ts'
import { clientIn, problemsOf } from '../client.ts'
import {
  add,
  change,
  companies,
  creating,
  deleting,
  listed,
  member,
  read,
  restoring,
  timelineOf,
  updating,
  upsert,
  upserting,
} from './companies.ts'

const app = await openApp()
const rest = conforming(app)

describe('a company', () => {
  test('keeps every field as it is read, through both doors', async () => {
    const { on, userId, session, orgId } = await member(app)
    const company = await add(on, {
      ...{
        name: ' Analytical Engines ',
        domain: 'https://www.Analytical.example/about',
        domains: ['WWW.engines.example', 'engines.example'],
      },
      ...{ website: 'https://analytical.example', phone: '+44 20 7946 0958', linkedinUrl: 'https://linkedin.com/company/engines' },
      ...{ industry: 'Machinery', employeeCount: 0, annualRevenue: '1500000.5', annualRevenueCurrency: 'gbp', description: 'Computes.' },
      ...{ city: 'London', region: 'Greater London', country: 'gb', ownerUserId: userId, tags: ['a', ' a ', 'b'], externalId: 'x-1' },
    })
    const { status, body } = await rest('GET', `${companies}/${company.id}`, { session })

    expect(company).toMatchObject({
      ...{ name: 'Analytical Engines', domain: 'analytical.example', domains: ['engines.example'], phone: '+442079460958' },
      ...{ employeeCount: 0, annualRevenue: '1500000.50', annualRevenueCurrency: 'GBP', country: 'GB', tags: ['a', 'b'], custom: {} },
      ...{ source: 'WEB', createdBy: { type: 'USER' }, deletedAt: null, version: 1, externalId: 'x-1' },
    })
    expect(company.owner).not.toBeNull()
    expect(await read(on, company.id)).toEqual(company)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ id: company.id, org_id: orgId, annual_revenue: '1500000.50', annual_revenue_currency: 'GBP', owner_user_id: userId },
      ...{ linkedin_url: 'https://linkedin.com/company/engines', employee_count: 0, created_by: { type: 'user' }, source: 'web' },
    })
  })

  test('is changed at the version that the caller expects, and not written where nothing differs', async () => {
    const on = await clientIn(app)
    const { id } = await add(on, { industry: 'Steam', tags: ['a'] })
    const changed = await change(on, { id, ifVersion: 1, industry: null, addTags: ['b'], removeTags: ['a'] })
    const same = await change(on, { id, tags: ['b'], name: 'Engines' })
    const stale = await on.error(updating, { input: { id, ifVersion: 1, industry: 'Rail' } })

    expect(changed).toMatchObject({ industry: null, tags: ['b'], version: 2 })
    expect(same).toMatchObject({ version: 2 })
    expect(stale).toMatchObject({ code: 'PRECONDITION_FAILED', version: 2 })
    expect((await read(on, id)).industry).toBeNull()
  })

  test('of another organization does not exist', async () => {
    const [on, other] = [await clientIn(app), await clientIn(app)]
    const { id } = await add(on, { domain: 'theirs.example' })

    for (const [query, variables] of [
      ['query ($id: ID!) { company(id: $id) { id } }', { id }],
      ['query ($id: ID!) { company(id: $id, includeDeleted: true) { id } }', { id }],
      [updating, { input: { id, name: 'Mine' } }],
      [deleting, { input: { id } }],
      [restoring, { id }],
    ] as const)
      expect(await other.error(query, variables)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await add(other, { domain: 'theirs.example' })).toMatchObject({ domain: 'theirs.example' })
  })
})

describe('a domain', () => {
  test('is of one live company, be it first or further: the other is named', async () => {
    const on = await clientIn(app)
    const company = await add(on, { domain: 'a.example', domains: ['b.example'] })
    const other = await add(on, { domain: 'c.example' })

    for (const input of [{ domain: 'B.example' }, { domains: ['d.example', 'a.example'] }])
      expect(await on.error(creating, { input: { name: 'Copy', ...input } })).toMatchObject({
        ...{ code: 'ALREADY_EXISTS', status: 409, existingId: company.id, field: Object.keys(input)[0] },
      })
    expect(await on.error(updating, { input: { id: other.id, domains: ['b.example'] } })).toMatchObject({ existingId: company.id })
    expect(await listed(on, 'sort: CREATED_AT')).toEqual(['Engines', 'Engines'])
    expect((await read(on, other.id)).domains).toEqual([])
    // A failed write claims nothing.
    expect(await add(on, { domain: 'd.example' })).toMatchObject({ domain: 'd.example' })
  })

  test('is free when its company gives it up or is deleted; a restore then is refused', async () => {
    const on = await clientIn(app)
    const { id } = await add(on, { domain: 'a.example', domains: ['b.example', 'a.example'] })
    await change(on, { id, domains: [] })
    const taker = await add(on, { domain: 'b.example' })
    const { deleteCompany: deleted } = await on.data(deleting, { input: { id, ifVersion: 2 } })
    const heir = await add(on, { domain: 'a.example' })
    const refused = await on.error(restoring, { id })
    await on.data(deleting, { input: { id: heir.id } })
    const { restoreCompany: restored } = await on.data(restoring, { id })
    const { restoreCompany: again } = await on.data(restoring, { id })

    expect(taker.domain).toBe('b.example')
    expect(deleted).toMatchObject({ deletedAt: expect.any(String), version: 3 })
    expect(refused).toMatchObject({ code: 'ALREADY_EXISTS', existingId: heir.id, field: 'domain' })
    expect(restored).toMatchObject({ deletedAt: null, version: 4 })
    expect(again).toEqual(restored)
    expect((await timelineOf(on, id)).map(({ type }) => type)).toEqual([
      ...['COMPANY_RESTORED', 'COMPANY_DELETED', 'COMPANY_UPDATED', 'COMPANY_CREATED'],
    ])
  })

  test('of twenty companies that want it at once, one gets it', async () => {
    const on = await clientIn(app)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        on.ask(creating, {
          input: { name: `No ${n}`, domain: n % 2 ? 'one.example' : 'two.example', domains: ['two.example', 'one.example'] },
        }),
      ),
    )
    const added = answers.filter(({ data }) => data?.createCompany)

    expect(added).toHaveLength(1)
    expect(answers.flatMap(({ errors }) => errors?.[0].extensions.existingId ?? [])).toEqual(
      Array.from({ length: 19 }, () => added[0]?.data.createCompany.id),
    )
  })
})

describe('a deleted company', () => {
  test('is in no list, is not found and not changed, and is among the deleted ones', async () => {
    const on = await clientIn(app)
    const { id } = await add(on, { domain: 'gone.example', name: 'Gone' })
    await add(on, { name: 'Here' })
    await on.data(deleting, { input: { id } })

    expect(await listed(on, 'first: 5')).toEqual(['Here'])
    expect(await listed(on, 'filter: { onlyDeleted: true, domain: "gone.example" }')).toEqual(['Gone'])
    expect(await listed(on, 'filter: { includeDeleted: true }, sort: NAME')).toEqual(['Gone', 'Here'])
    expect(await on.error(`{ company(id: "${id}") { id } }`)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await on.error(updating, { input: { id, name: 'X' } })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await on.error(deleting, { input: { id } })).toMatchObject({ code: 'NOT_FOUND' })
    expect((await on.data(`{ search(query: "gone") { nodes { title } } }`)).search.nodes).toEqual([])
  })
})

describe('upsertCompany', () => {
  test('finds by the domain, then by the external id, and adds what it does not find', async () => {
    const on = await clientIn(app)
    const made = await upsert(on, { name: 'Engines', domain: 'a.example', domains: ['b.example'], externalId: '1', tags: ['x'] })
    const byFurther = await upsert(on, { domain: 'b.example', industry: 'Steam' })
    const byId = await upsert(on, { externalId: '1', domain: 'new.example', tags: null })
    const skipped = await upsert(on, { domain: 'new.example', name: 'Other', onConflict: 'SKIP' })
    const second = await upsert(on, { name: 'Second', externalId: '2' })

    expect([made, byFurther, byId, skipped, second].map(({ outcome }) => outcome)).toEqual([
      ...['CREATED', 'UPDATED', 'UPDATED', 'SKIPPED', 'CREATED'],
    ])
    expect(new Set([made, byFurther, byId, skipped].map(({ company }) => company.id)).size).toBe(1)
    expect(byFurther.company).toMatchObject({ domain: 'a.example', domains: ['b.example'], industry: 'Steam', tags: ['x'] })
    expect(byId.company).toMatchObject({ domain: 'new.example', tags: [], name: 'Engines' })
    expect(skipped.company.name).toBe('Engines')
  })

  test('needs a domain or an external id, and the name of a new company', async () => {
    const on = await clientIn(app)

    expect(problemsOf(await on.error(upserting, { input: { name: 'A' } }))).toEqual([
      'domain: Value error, a company is found by its domain or its external id: send one of them',
    ])
    expect(problemsOf(await on.error(upserting, { input: { domain: 'a.example' } }))).toEqual(['name: Field required'])
    expect(await listed(on, 'first: 5')).toEqual([])
  })

  test('leaves a deleted company deleted, and takes no domain of a third one', async () => {
    const on = await clientIn(app)
    const { company: gone } = await upsert(on, { name: 'Gone', domain: 'a.example', externalId: '1' })
    await on.data(deleting, { input: { id: gone.id } })
    const made = await upsert(on, { name: 'New', domain: 'a.example', externalId: '1' })
    const third = await add(on, { domain: 'third.example' })
    const refused = await on.error(upserting, { input: { domain: 'a.example', domains: ['third.example'] } })

    expect(made).toMatchObject({ outcome: 'CREATED' })
    expect(made.company.id).not.toBe(gone.id)
    expect(refused).toMatchObject({ code: 'ALREADY_EXISTS', field: 'domains', existingId: third.id })
  })

  test.for([{ domain: 'same.example' }, { externalId: 'same' }])('of ten at once with %o, one adds and the others change', async key => {
    const on = await clientIn(app)
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => upsert(on, { name: 'Same', ...key, addTags: undefined, city: `City ${n}` })),
    )

    expect(all.filter(({ outcome }) => outcome === 'CREATED')).toHaveLength(1)
    expect(new Set(all.map(({ company }) => company.id)).size).toBe(1)
    expect((await read(on, all[0]?.company.id)).version).toBe(10)
  })
})

describe('the history of a company', () => {
  test('tells every change, with fields of its own for each kind', async () => {
    const { on, userId } = await member(app)
    const { id } = await add(on, { ownerUserId: userId })
    await change(on, { id, domain: 'a.example', industry: 'Rail' })

    expect(await timelineOf(on, id)).toEqual([
      {
        type: 'COMPANY_UPDATED',
        changes: [
          { field: 'domain', before: null, after: 'a.example' },
          { field: 'industry', before: null, after: 'Rail' },
        ],
        event: { __typename: 'CompanyChangedEntry' },
      },
      { type: 'COMPANY_CREATED', changes: expect.anything(), event: { __typename: 'CompanyCreatedEntry', companyId: id } },
    ])
  })

  test('is read in pages through REST, and is 404 for a deleted or foreign company', async () => {
    const [{ key, ...on }, other] = [await clientIn(app), await clientIn(app)]
    const { id } = await add({ key, ...on }, {})
    for (const industry of ['a', 'b', 'c']) await change({ key, ...on }, { id, industry })
    const first = await rest('GET', `${companies}/${id}/timeline?limit=3&include=total`, { key })
    const second = await rest('GET', `${companies}/${id}/timeline?limit=3&cursor=${first.body.next_cursor}`, { key })
    const foreign = await rest('GET', `${companies}/${id}/timeline`, { key: other.key })
    await rest('DELETE', `${companies}/${id}`, { key })

    expect(first.body).toMatchObject({
      has_more: true,
      total: 4,
      data: [{ type: 'company.updated', changes: { industry: ['b', 'c'] } }, {}, {}],
    })
    expect(second.body).toMatchObject({ has_more: false, data: [{ type: 'company.created' }] })
    expect(foreign.status).toBe(404)
    expect((await rest('GET', `${companies}/${id}/timeline`, { key })).status).toBe(404)
  })
})

describe('live', () => {
  test('changes of companies are streamed with the company', async () => {
    const on = await clientIn(app)
    const stream = await openStream(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${on.key}` },
      body: JSON.stringify({ query: 'subscription { changes { type entity { ... on Company { name domain } } } }' }),
    })
    expect((await stream.next()).data.data.changes.type).toBe('FOLLOWING')

    await add(on, { domain: 'live.example' })

    expect((await stream.next()).data.data.changes).toEqual({
      type: 'COMPANY_CREATED',
      entity: { name: 'Engines', domain: 'live.example' },
    })
    stream.leave()
  })
})

describe('/api/crm/v1/companies', () => {
  test('adds, lists, changes, upserts, deletes and restores', async () => {
    const { key } = await clientIn(app)
    const added = await rest('POST', companies, {
      key,
      body: { name: 'Engines', domain: 'a.example', annual_revenue: '5', annual_revenue_currency: 'EUR' },
    })
    const path = `${companies}/${added.body.id}`
    const taken = await rest('POST', companies, { key, body: { name: 'Copy', domain: 'a.example' } })
    const changed = await rest('PATCH', path, { key, body: { industry: 'Rail', add_tags: ['x'] }, headers: { 'if-match': '"1"' } })
    const stale = await rest('PATCH', path, { key, body: { industry: 'Steam' }, headers: { 'if-match': '"1"' } })
    const upserted = await rest('PUT', companies, { key, body: { domain: 'a.example', city: 'Ulm' } })
    const made = await rest('PUT', companies, { key, body: { name: 'New', external_id: '7' } })
    const list = await rest('GET', `${companies}?domain=a.example&tag=x&include=total&sort=-name`, { key })
    const deleted = await rest('DELETE', path, { key, headers: { 'if-match': '"3"' } })
    const gone = await rest('GET', path, { key })
    const restored = await rest('POST', `${path}/restore`, { key })

    expect(added).toMatchObject({ status: 201, body: { source: 'api', annual_revenue: '5.00', version: 1 } })
    expect(added.headers.get('location')).toBe(path)
    expect(taken).toMatchObject({ status: 409, body: { code: 'already_exists', field: 'domain', existing_id: added.body.id } })
    expect(changed).toMatchObject({ status: 200, body: { industry: 'Rail', tags: ['x'], version: 2 } })
    expect(stale).toMatchObject({ status: 412, body: { version: 2 } })
    expect(upserted).toMatchObject({ status: 200, body: { id: added.body.id, city: 'Ulm', industry: 'Rail', version: 3 } })
    expect(made).toMatchObject({ body: { name: 'New', external_id: '7' } })
    expect(list.body).toMatchObject({ data: [{ id: added.body.id }], total: 1, has_more: false })
    expect(deleted).toMatchObject({ status: 200, body: { deleted_at: expect.any(String) } })
    expect(gone.status).toBe(404)
    expect(restored).toMatchObject({ status: 200, body: { deleted_at: null, domain: 'a.example' } })
  })
})
