// Companies counted by their fields, and in the statistics.

import { expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { clientIn, problemsOf } from '../client.ts'
import { add } from './companies.ts'

const app = await openApp()

test('groupCompanies counts live companies by fields, tags and custom fields, and sums custom numbers', async () => {
  const on = await clientIn(app)
  const stranger = await clientIn(app)
  await add(stranger, { industry: 'Food' })
  for (const [key, type] of [
    ['tier', 'TEXT'],
    ['seats', 'NUMBER'],
  ])
    await on.data(`mutation { createCustomField(input: { noun: COMPANY, key: "${key}", label: "${key}", type: ${type} }) { id } }`)
  await add(on, { name: 'A', industry: 'Food', country: 'DE', tags: ['x', 'y'], custom: { tier: 'gold', seats: 3 } })
  await add(on, { name: 'B', industry: 'Food', country: 'FR', tags: ['x'], custom: { tier: 'gold', seats: 4 } })
  const gone = await add(on, { name: 'C', industry: 'Mining' })
  await on.data(`mutation { deleteCompany(input: { id: "${gone.id}" }) { id } }`)
  const grouped = async (args: string) => (await on.data(`{ groupCompanies(${args}) { groups { keys count sum } } }`)).groupCompanies.groups

  expect(await grouped('by: [{ field: INDUSTRY }]')).toEqual([{ keys: ['Food'], count: 2, sum: null }])
  expect(await grouped('by: [{ field: TAG }], filter: { countryIn: ["DE"] }')).toEqual([
    { keys: ['x'], count: 1, sum: null },
    { keys: ['y'], count: 1, sum: null },
  ])
  expect(await grouped('by: [{ field: CUSTOM }], customField: "tier", sumOf: "seats"')).toEqual([{ keys: ['gold'], count: 2, sum: 7 }])
  expect(await grouped('by: [{ field: SOURCE }], filter: { onlyDeleted: true }')).toEqual([{ keys: ['API'], count: 1, sum: null }])
  expect(problemsOf(await on.error('{ groupCompanies(by: [{ field: CUSTOM }], customField: "none") { hasMore } }'))).toEqual([
    'customField: Value error, it is not the key of a custom field',
  ])
})

test('stats count live companies, new ones, and ones with a domain, in GraphQL and REST', async () => {
  const on = await clientIn(app)
  await add(on, { name: 'A', domain: 'a.example' })
  const old = await add(on, { name: 'B' })
  const gone = await add(on, { name: 'C' })
  await on.data(`mutation { deleteCompany(input: { id: "${gone.id}" }) { id } }`)
  await app.services.database.execute(`update companies set created_at = '2020-01-01' where id = $1`, [old.id])

  const companies = { total: 2, new: 1, withDomain: 1 }
  expect(await on.data('{ stats { companies { total new withDomain } } }')).toEqual({ stats: { companies } })
  const { body } = await app.rest('GET', '/api/crm/v1/stats/companies', { key: on.key })
  expect(body.companies).toEqual({ total: 2, new: 1, with_domain: 1 })
  const { body: past } = await app.rest('GET', '/api/crm/v1/stats/companies?from=2020-01-01&to=2020-01-01', { key: on.key })
  expect(past.companies.new).toBe(1)
})
