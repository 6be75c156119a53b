// Filters of contacts: each of them, and searching by `q`.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn, clientWith, problemsOf } from '../client.ts'

const app = await openApp()

const document = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter, $sort: ContactSort, $counted: Boolean! = false) {
  contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: $sort) {
    nodes { id email firstName lastName } edges { cursor node { id } } totalCount @include(if: $counted)
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`
const list = async (on: Client, variables: Json = {}) => (await on.data(document, variables)).contacts
const names = async (on: Client, filter: Json, sort = 'CREATED_AT') =>
  (await list(on, { filter, sort })).nodes.map(({ firstName }: Json) => firstName)
const remove = (on: Client, id: string) => on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })

describe('filters', () => {
  test('each matches its contacts', async () => {
    const { session, orgId, userId } = await app.given.session()
    const on = clientWith(app, { session, orgId })
    app.setNow(new Date('2024-01-01T00:00:00.000Z'))
    await on.create({ firstName: 'Old', email: 'old@example.com', phone: '+14155550100', lifecycleStage: 'LEAD', tags: ['a', 'b'] })
    app.setNow(new Date('2024-01-02T00:00:00.000Z'))
    const middle = await on.create({ firstName: 'Middle', email: 'Middle@Example.com', source: 'IMPORT', ownerUserId: userId, tags: ['b'] })
    app.setNow(new Date('2024-01-03T00:00:00.000Z'))
    const recent = await on.create({ firstName: 'New', lifecycleStage: 'CUSTOMER' })
    await on.data('mutation ($id: ID!) { updateContact(input: { id: $id, jobTitle: "x" }) { id } }', { id: middle.id })
    app.setNow(null)

    expect(await names(on, { email: ' MIDDLE@example.com ' })).toEqual(['Middle'])
    expect(await names(on, { email: '' })).toEqual([])
    expect(await names(on, { phone: '+1 (415) 555-0100' })).toEqual(['Old'])
    expect(await names(on, { phone: 'no number' })).toEqual([])
    expect(await names(on, { lifecycleStage: 'LEAD' })).toEqual(['Old'])
    expect(await names(on, { source: 'IMPORT' })).toEqual(['Middle'])
    expect(await names(on, { tag: 'b' })).toEqual(['Old', 'Middle'])
    expect(await names(on, { tag: 'B' })).toEqual([])
    expect(await names(on, { ownerUserId: userId })).toEqual(['Middle'])
    expect(await names(on, { createdSince: '2024-01-02T00:00:00.000Z' })).toEqual(['Middle', 'New'])
    expect(await names(on, { createdSince: '2024-01-02T01:00:00.000+01:00' })).toEqual(['Middle', 'New'])
    expect(await names(on, { createdSince: '2024-01-02T00:00:00.001Z' })).toEqual(['New'])
    expect(await names(on, { updatedSince: '2024-01-03T00:00:00Z' })).toEqual(['Middle', 'New'])
    expect(await names(on, { tag: 'b', lifecycleStage: 'LEAD', source: 'WEB' })).toEqual(['Old'])
    expect(await names(on, { tag: 'b', lifecycleStage: 'CUSTOMER' })).toEqual([])
    expect(await names(on, { tag: null, email: null, includeDeleted: null })).toEqual(['Old', 'Middle', 'New'])
    await remove(on, recent.id)
    expect(await names(on, { includeDeleted: true })).toEqual(['Old', 'Middle', 'New'])
    for (const sort of ['LAST_NAME', 'EMAIL', 'UPDATED_AT_DESC', 'CREATED_AT_DESC'])
      expect((await names(on, { includeDeleted: true }, sort)).toSorted()).toEqual(['Middle', 'New', 'Old'])
    expect(await names(on, { includeDeleted: true, createdSince: '2024-01-03T00:00:00Z' })).toEqual(['New'])
  })

  test('q finds words anywhere in name, address, number and company, in any order, without case and accents', async () => {
    const on = await clientIn(app)
    await on.create({
      firstName: 'José',
      lastName: 'Müller',
      companyName: 'Ünder & Sons',
      email: 'jm@hooli.example',
      phone: '+14155550100',
    })
    await on.create({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada_l@engines.example', companyName: '100% Analytical' })
    const found = async (q: string) => (await names(on, { q })).toSorted()

    expect(await found('jose')).toEqual(['José'])
    expect(await found('MÜLL')).toEqual(['José'])
    expect(await found('under sons')).toEqual(['José'])
    expect(await found('muller   JOSÉ')).toEqual(['José'])
    expect(await found('hooli')).toEqual(['José'])
    expect(await found('5550100')).toEqual(['José'])
    expect(await found('lovel engines')).toEqual(['Ada'])
    expect(await found('lovelace hooli')).toEqual([])
    expect(await found('v')).toEqual(['Ada'])
    expect(await found('')).toEqual(['Ada', 'José'])
    expect(await found('   ')).toEqual(['Ada', 'José'])
    // Wildcards of LIKE are literal characters.
    expect(await found('%')).toEqual(['Ada'])
    expect(await found('_')).toEqual(['Ada'])
    expect(await found('100%')).toEqual(['Ada'])
    expect(await found('\\')).toEqual([])
    expect(await found("'; drop table contacts --")).toEqual([])
  })

  test('q finds contacts that were just written', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ firstName: 'Momentarily' })

    expect(await names(on, { q: 'mentaril' })).toEqual(['Momentarily'])
    await on.data('mutation ($id: ID!) { updateContact(input: { id: $id, firstName: "Renamed" }) { id } }', { id })
    expect(await names(on, { q: 'mentaril' })).toEqual([])
    expect(await names(on, { q: 'renam' })).toEqual(['Renamed'])
  })

  test('hostile searches are fast', async () => {
    const on = await clientIn(app)
    await on.create({ firstName: 'a'.repeat(200) })
    const started = performance.now()

    for (const q of ['%'.repeat(900), 'a '.repeat(450), '\\'.repeat(900), 'a'.repeat(1000), '👩‍🚀'.repeat(100)])
      await list(on, { filter: { q } })

    expect(problemsOf(await on.error(document, { filter: { q: 'a'.repeat(1001) } }))).toEqual([
      'q: String should have at most 1000 characters',
    ])
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
