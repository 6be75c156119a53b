// Every field of the field table, through REST, GraphQL, changes, exports and imports. A field that a door leaves out fails here; a field
// that does not take any words needs a sample.

import { expect, test } from 'vitest'
import { contactFields } from '../../../src/contacts/contact/row.ts'
import { snakeCase } from '../../../src/kernel/input/case.ts'
import { conforming } from '../../rest/conforming.ts'
import { type Json, openApp } from '../../support/app.ts'

const app = await openApp()
const rest = conforming(app)
const path = '/api/crm/v1/contacts'
const { key, userId } = await app.given.apiKey()
await app.graphql('mutation { createCustomField(input: { key: "plan", label: "Plan", type: TEXT }) { id } }', {}, { key })

const engines = (await rest('POST', '/api/crm/v1/companies', { key, body: { name: 'Engines', domain: 'engines.example' } })).body

const samples: Record<string, Json> = {
  email: 'field@example.com',
  phone: '+442079460958',
  companyId: engines.id,
  companyName: engines.name,
  companyDomain: engines.domain,
  linkedinUrl: 'https://www.linkedin.com/in/ada',
  country: 'GB',
  timezone: 'Europe/London',
  avatarUrl: 'https://engines.example/ada.png',
  lifecycleStage: 'lead',
  source: 'import',
  ownerUserId: userId,
  tags: ['vip'],
  custom: { plan: 'pro' },
  doNotCall: true,
  lastContactedAt: '2026-01-02T03:04:05.678Z',
}
const sampleOf = (field: string): Json => samples[field] ?? 'Some words'
const inCase = (value: Json) => (typeof value === 'string' ? value.toLowerCase() : value)

test.each(contactFields)('%s is written and read by REST, read by GraphQL, and told as a change', async field => {
  const name = snakeCase(field)
  const sample = sampleOf(field)

  const created = await rest('POST', path, { key, body: { email: samples.email, [name]: sample } })
  const read = await rest('GET', `${path}/${created.body.id}`, { key })
  const { body } = await app.graphql('query ($id: ID!) { contact(id: $id) { value: FIELD } }'.replace('FIELD', field), read.body, { key })
  await rest('DELETE', `${path}/${created.body.id}`, { key })
  const other = await rest('POST', path, { key, body: { email: 'other@example.com' } })
  const changed = await rest('PATCH', `${path}/${other.body.id}`, { key, body: { [name]: sample } })
  const { data } = (await rest('GET', `${path}/${other.body.id}/timeline`, { key })).body
  await rest('DELETE', `${path}/${other.body.id}`, { key })

  expect([created.status, created.body[name], read.body[name], changed.body[name]]).toEqual([201, sample, sample, sample])
  // Values of enums have other case there.
  expect(inCase(body.data.contact.value)).toEqual(inCase(sample))
  expect(Object.keys(data[0].changes)).toContain(field === 'custom' ? 'custom.plan' : name)
})

test('an export has a column for every field, and an import knows each by its header', async () => {
  const columns = contactFields.filter(field => field !== 'custom')
  const body = Object.fromEntries(columns.map(field => [snakeCase(field), sampleOf(field)]))
  await rest('POST', path, { key, body })

  const { body: exported } = await rest('POST', '/api/crm/v1/exports', { key, body: {} })
  const file = await (await fetch(exported.url)).text()
  const uploaded = await app.rest('POST', '/api/crm/v1/imports', { key, body: file, headers: { 'content-type': 'text/csv' } })

  const known = uploaded.body.columns.flatMap(({ field }: Json) => field ?? [])
  expect(columns.map(snakeCase).filter(name => !known.includes(name))).toEqual([])
})
