// Lists of companies, their custom fields, and the search.

import { describe, expect, test } from 'vitest'
import { conforming } from '../../rest/conforming.ts'
import { type Json, openApp } from '../../support/app.ts'
import { clientIn, problemsOf, warm } from '../client.ts'
import { add, creating, listed, member, read } from './companies.ts'

const app = await openApp()

describe('companies', () => {
  test('are filtered and sorted', async () => {
    const { on, userId } = await member(app)
    await add(on, { name: 'Érable', domain: 'erable.example', industry: 'Food', country: 'CA', tags: ['a', 'b'], employeeCount: 5 })
    await add(on, {
      name: 'beta',
      domain: 'beta.example',
      domains: ['b2.example'],
      industry: 'Rail',
      city: 'Ulm',
      tags: ['b'],
      ownerUserId: userId,
    })
    await add(on, { name: 'Alpha', annualRevenue: '5', annualRevenueCurrency: 'EUR', employeeCount: 50, externalId: 'x' })
    const by = (filter: string) => listed(on, `filter: { ${filter} }, sort: NAME`)

    expect(await by('q: "erable"')).toEqual(['Érable'])
    expect(await by('q: "b2.exam"')).toEqual(['beta'])
    expect(await by('nameContains: ["ERAB", "lph"]')).toEqual(['Alpha', 'Érable'])
    expect(await by('domain: "https://www.B2.example/x"')).toEqual(['beta'])
    expect(await by('domainIn: ["erable.example", "b2.example"]')).toEqual(['beta', 'Érable'])
    expect(await by('industryIn: ["Rail", "Food"]')).toEqual(['beta', 'Érable'])
    expect(await by('countryIn: ["CA"]')).toEqual(['Érable'])
    expect(await by('cityIn: "Ulm"')).toEqual(['beta'])
    expect(await by(`ownerUserId: "${userId}"`)).toEqual(['beta'])
    expect(await by('tag: "b"')).toEqual(['beta', 'Érable'])
    expect(await by('tagAll: ["a", "b"]')).toEqual(['Érable'])
    expect(await by('externalIdIn: "x"')).toEqual(['Alpha'])
    expect(await by('employeesMin: 5, employeesMax: 49')).toEqual(['Érable'])
    expect(await by('source: WEB, createdSince: "2000-01-01T00:00:00Z", updatedUntil: "2100-01-01T00:00:00Z"')).toHaveLength(3)
    expect(await by('createdUntil: "2000-01-01T00:00:00Z"')).toEqual([])
    expect(await by('empty: [DOMAIN, TAGS]')).toEqual(['Alpha'])
    expect(await by('notEmpty: [ANNUAL_REVENUE]')).toEqual(['Alpha'])
    expect(await by('notEmpty: [DOMAINS, OWNER_USER_ID]')).toEqual(['beta'])
    expect(await listed(on, 'sort: NAME_DESC')).toEqual(['Érable', 'beta', 'Alpha'])
    expect(await listed(on, 'sort: CREATED_AT')).toEqual(['Érable', 'beta', 'Alpha'])
  })

  test.for(['CREATED_AT_DESC', 'NAME', 'UPDATED_AT'])('are read in pages by %s, each once, forwards and backwards', async sort => {
    const on = await clientIn(app)
    for (const name of ['c', 'a', 'A', 'b', 'a']) await add(on, { name })
    const page = async (args: string): Promise<Json> =>
      (await on.data(`{ companies(sort: ${sort}, ${args}) { nodes { id } totalCount pageInfo { hasNextPage startCursor endCursor } } }`))
        .companies
    const all = (await page('first: 10')).nodes
    const first = await page('first: 2')
    const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`)
    const third = await page(`first: 2, after: "${second.pageInfo.endCursor}"`)
    const back = await page(`last: 2, before: "${third.pageInfo.startCursor}"`)

    expect(first.totalCount).toBe(5)
    expect([...first.nodes, ...second.nodes, ...third.nodes]).toEqual(all)
    expect(third.pageInfo.hasNextPage).toBe(false)
    expect(back.nodes).toEqual(second.nodes)
  })

  test('take one statement a page, and one more for their timelines', async () => {
    const on = await clientIn(app)
    for (const name of ['a', 'b', 'c']) await add(on, { name })
    await warm(app, on)
    await on.data('{ companies(first: 3) { nodes { name annualRevenue } } }')
    const page = app.statements()
    await on.data('{ companies(first: 3) { nodes { name timeline(first: 2) { nodes { type } } } } }')
    const timelines = app.statements()

    expect([page, timelines]).toEqual([1, 2])
  })

  test('have tags of their own, which are listed, renamed and merged apart from the tags of contacts', async () => {
    const { on, session } = await member(app)
    const rest = conforming(app)
    const ids = [await add(on, { tags: ['vip', 'a'] }), await add(on, { tags: ['vip'] })].map(({ id }) => id)
    const contact = await on.create({ tags: ['vip', 'old'] }, 'id tags')
    const tags = async (noun: string): Promise<Json[]> => (await on.data(`{ tags(noun: ${noun}) { nodes { id name count } } }`)).tags.nodes
    const [ofCompanies, ofContacts] = [await tags('COMPANY'), await tags('CONTACT')]
    const renamed = await rest('POST', '/api/crm/v1/tags/rename', { session, body: { noun: 'company', name: 'vip', to: 'key' } })
    const taken = await rest('POST', '/api/crm/v1/tags/rename', { session, body: { noun: 'company', name: 'key', to: 'a' } })
    const merged = await rest('POST', '/api/crm/v1/tags/merge', { session, body: { noun: 'company', names: ['a'], into: 'key' } })
    const listedThere = await rest('GET', '/api/crm/v1/tags?noun=company', { session })

    expect(ofCompanies.map(({ name, count }) => [name, count])).toEqual([
      ['a', 1],
      ['vip', 2],
    ])
    expect(ofContacts.map(({ name }) => name)).toEqual(['old', 'vip'])
    expect(ofCompanies[1]?.id).not.toBe(ofContacts[1]?.id)
    expect(renamed).toMatchObject({ status: 200, body: { name: 'key', count: 2 } })
    expect(taken).toMatchObject({ status: 409, body: { code: 'already_exists', existing_id: ofCompanies[0]?.id } })
    expect(merged).toMatchObject({ status: 200, body: { id: renamed.body.id, count: 2 } })
    expect(listedThere.body.data).toEqual([merged.body])
    expect(await read(on, ids[0])).toMatchObject({ tags: ['key'], version: 3 })
    expect((await on.data(`{ contact(id: "${contact.id}") { tags version } }`)).contact).toEqual({ tags: ['vip', 'old'], version: 1 })
  })

  test('have custom fields of their own, beside the custom fields of contacts', async () => {
    const { on } = await member(app)
    const define = 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id noun key } }'
    const field = { key: 'size', label: 'Size', type: 'NUMBER' }
    await on.data(define, { input: { ...field, type: 'TEXT' } })
    const { createCustomField: own } = await on.data(define, { input: { ...field, noun: 'COMPANY' } })
    const taken = await on.error(define, { input: { ...field, noun: 'COMPANY' } })
    const company = await add(on, { custom: { size: 5 } })
    const contact = await on.create({ custom: { size: 'large' } }, 'custom')
    const wrong = problemsOf(await on.error(creating, { input: { name: 'A', custom: { size: 'large' } } }))
    const found = await listed(on, 'filter: { custom: [{ key: "size", min: 5 }] }')
    const { contacts, own: ofCompanies } = await on.data('{ contacts: customFields { noun } own: customFields(noun: COMPANY) { noun } }')
    await on.data(`mutation { deleteCustomField(input: { id: "${own.id}" }) { id } }`)

    expect(own).toMatchObject({ noun: 'COMPANY', key: 'size' })
    expect(taken).toMatchObject({ code: 'ALREADY_EXISTS', existingId: own.id })
    expect(company.custom).toEqual({ size: 5 })
    expect(contact.custom).toEqual({ size: 'large' })
    expect(wrong).toEqual(['custom.size: Input should be a valid number'])
    expect(found).toEqual(['Engines'])
    expect([contacts, ofCompanies]).toEqual([[{ noun: 'CONTACT' }], [{ noun: 'COMPANY' }]])
    expect((await read(on, company.id)).custom).toEqual({})
    expect((await on.data('{ contacts { nodes { custom } } }')).contacts.nodes).toEqual([{ custom: { size: 'large' } }])
  })
})

describe('search', () => {
  test('finds companies by name and domain, as somebody types', async () => {
    const on = await clientIn(app)
    const { id } = await add(on, { name: 'Müller Möbel', domain: 'moebel.example', domains: ['stuhl.example'] })
    await add(on, { name: 'Elsewhere' })
    const search = async (query: string) =>
      (
        await on.data('query ($q: String!) { search(query: $q, types: [COMPANY]) { nodes { entityId title snippet { text } } } }', {
          q: query,
        })
      ).search.nodes

    for (const query of ['mull', 'Mueller', 'möbel müller', 'stuhl.ex', 'mo'])
      expect(await search(query), query).toEqual([
        { entityId: id, title: 'Müller Möbel', snippet: { text: 'Müller Möbel · moebel.example · stuhl.example' } },
      ])
    expect(await search('nobody')).toEqual([])
  })
})
