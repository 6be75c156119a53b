// Exports of companies and deals, which have the mechanism of the exports of contacts.

import { expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'

const app = await openApp()

async function fileOf(key: string, noun: 'companies' | 'deals', query = '', body?: Json): Promise<string[]> {
  const link = await app.rest('POST', `/api/crm/v1/${noun}/exports${query}`, { key, ...(body && { body }) })
  expect([link.status, link.body.file_name?.replace(/[\d-]+/, '')]).toEqual([201, `${noun}.csv`])
  const file = await fetch(link.body.url, { headers: { connection: 'close' } })
  return (await file.text()).trimEnd().split('\r\n')
}

async function selling() {
  const { key, orgId } = await app.given.apiKey()
  const data = async (text: string, variables: Json = {}) => {
    const { body } = await app.graphql(text, variables, { key })
    expect(body.errors).toBeUndefined()
    return body.data
  }
  await data('mutation { createCustomField(input: { noun: COMPANY, key: "tier", label: "Tier", type: TEXT }) { id } }')
  await data('mutation { createCustomField(input: { noun: DEAL, key: "region", label: "Region", type: TEXT }) { id } }')
  const company = async (input: Json) =>
    (await data('mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }', { input })).createCompany.id as string
  const acme = await company({
    name: 'Acme',
    domain: 'acme.com',
    domains: ['acme.org', 'acme.net'],
    annualRevenue: '1500000.50',
    annualRevenueCurrency: 'EUR',
    custom: { tier: '=1' },
    tags: ['a', 'b'],
  })
  const other = await company({ name: 'Zoo', industry: 'Animals' })
  const people = await data(
    'mutation { one: createContact(input: { email: "a@acme.com" }) { id } two: createContact(input: { email: "b@acme.com" }) { id } }',
  )
  const ids = [people.two.id, people.one.id]
  const deal = async (input: Json) =>
    (await data('mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }', { input })).createDeal.id as string
  const engines = await deal({
    title: 'Engines',
    companyId: acme,
    amount: '10.5',
    currency: 'EUR',
    expectedClose: '2026-12-24',
    contacts: ids.map(contactId => ({ contactId })),
    custom: { region: 'North' },
  })
  const yen = await deal({ title: 'Yen', amount: '1000', currency: 'JPY' })
  return { key, orgId, acme, other, ids, engines, yen, data }
}

test('a file of companies has their fields, decimals and custom fields, filtered and sorted as the list', async () => {
  const { key, other } = await selling()

  const columns = ['name', 'domain', 'domains', 'annual_revenue', 'annual_revenue_currency', 'tags', 'custom.tier']
  expect(await fileOf(key, 'companies', '?sort=name', { columns })).toEqual([
    columns.join(','),
    `Acme,acme.com,"acme.org;acme.net",1500000.50,EUR,"a;b",'=1`,
    'Zoo,,,,,,',
  ])
  expect(await fileOf(key, 'companies', '?industry=Animals', { columns: ['name'] })).toEqual(['name', 'Zoo'])
  expect(await fileOf(key, 'companies', '', { columns: ['name'], ids: [other] })).toEqual(['name', 'Zoo'])
  const [header] = await fileOf(key, 'companies')
  expect(header).toMatch(/^id,name,domain,.*,employee_count,annual_revenue,.*,version,custom\.tier$/)
})

test('a file of deals names the stage, the company and the people', async () => {
  const { key, acme, ids } = await selling()

  const columns = [
    'title',
    'company_id',
    'company_name',
    'contact_ids',
    'pipeline_name',
    'stage_name',
    'amount',
    'currency',
    'expected_close',
    'custom.region',
  ]
  expect(await fileOf(key, 'deals', '?sort=title', { columns })).toEqual([
    columns.join(','),
    `Engines,${acme},Acme,"${ids.join(';')}",Sales,Lead,10.50,EUR,2026-12-24,North`,
    'Yen,,,,Sales,Lead,1000,JPY,,',
  ])
  expect(await fileOf(key, 'deals', `?company_id=${acme}&state=open`, { columns: ['title'] })).toEqual(['title', 'Engines'])
  expect(await fileOf(key, 'deals', '?state=won', { columns: ['title'] })).toEqual(['title'])
})

test('of another organization nothing is in them, and unknown columns, guests and keys without the scope are refused', async () => {
  const { engines, acme, orgId, key } = await selling()
  const stranger = await app.given.apiKey()
  const { key: caller } = await app.given.apiKey({ orgId, scopes: ['calls:read'] })

  expect(await fileOf(stranger.key, 'deals', '', { columns: ['title'], ids: [engines] })).toEqual(['title'])
  expect(await fileOf(stranger.key, 'companies', '', { columns: ['name'], ids: [acme] })).toEqual(['name'])
  for (const noun of ['companies', 'deals']) {
    const path = `/api/crm/v1/${noun}/exports`
    const unknown = await app.rest('POST', path, { key, body: { columns: ['org_id', 'search_text', 'position', 'created_by', 'custom'] } })
    expect([unknown.status, unknown.body.detail.length]).toEqual([422, 5])
    expect((await app.rest('POST', path, { key: caller })).status).toBe(403)
    expect((await app.rest('POST', path, { headers: { 'x-guest-id': 'g' } })).status).toBe(403)
  }
})

test('a file has more deals than one page of the database, each once', async () => {
  const { key, orgId } = await selling()
  await app.services.database.pool.query(
    `insert into deals (id, org_id, title, pipeline_id, stage_id, position, stage_changed_at, source, created_by_type, created_at)
     select gen_random_uuid(), $1, 'Many ' || n, pipeline_id, stage_id, 'm' || lpad(n::text, 6, '0'), now(), 'api', 'system', now() - (n % 7) * interval '1 second'
     from generate_series(1, 2500) n, lateral (select pipeline_id, stage_id from deals where org_id = $1 limit 1) one`,
    [orgId],
  )

  for (const sort of ['-created_at', 'title']) {
    const lines = await fileOf(key, 'deals', `?sort=${sort}`, { columns: ['title', 'stage_name'] })
    expect([lines.length, new Set(lines).size]).toEqual([2503, 2503])
  }
})
