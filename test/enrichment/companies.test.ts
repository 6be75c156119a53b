// Enrichment of companies: found by id, external id or domain, and changed by accepted suggestions.

import { describe, expect, test } from 'vitest'
import { conforming } from '../rest/conforming.ts'
import type { Json } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { enriched, suggestionsOf } from './outcome.ts'
import { startEnriching, startSource } from './source.ts'

const source = await keepOpen(startSource())
const fields = ['name', 'industry', 'employee_count', 'city', 'email', 'custom.segment']
const recipe = (name: string, more: Json = {}): Json => ({
  ...{ name, version: 1, title: 'Register', kinds: ['company'] },
  steps: [
    {
      ...{ id: 'register', provider: 'http', needs: ['company_domain'], when: 'any', fields },
      with: {
        url: `${source.url}/register`,
        query: { domain: '{{company_domain}}' },
        confidence: { path: 'sure', out_of: 1 },
        map: Object.fromEntries(fields.map(field => [field, field.replace('custom.', '')])),
      },
    },
  ],
  ...more,
})
const auto = { auto_apply: { min_confidence: 0.8, fields: ['industry', 'city', 'employee_count'] } }
const app = await keepOpen(startEnriching([recipe('register'), recipe('filling', auto)]))
const rest = conforming(app)

const companies = '/api/crm/v1/companies'
const suggestions = '/api/enrich/v1/suggestions'
let count = 0
const domain = () => `company-${++count}.example`

async function given(input: Json = {}, orgId?: string) {
  const owner = await app.given.apiKey(orgId ? { orgId } : {})
  const { status, body } = await rest('POST', companies, { key: owner.key, body: { name: 'Engines', domain: domain(), ...input } })
  expect(status, JSON.stringify(body)).toBe(201)
  return { ...owner, company: body }
}
const own = (id: string) => ({ host_app: 'rolocom', id, kind: 'company' })

/** The suggestions for the target, by field, when the register says the given values. */
async function suggested(key: string, target: Json, said: Json, recipeName = 'register') {
  source.says('/register', { sure: 0.9, ...said })
  const job = await enriched(app, key, { target, recipe: recipeName })
  expect(job).toMatchObject({ status: 'completed' })
  return suggestionsOf(app, key, job.job_id)
}
const accept = (key: string, { id }: Json) => rest('POST', `${suggestions}/${id}/accept`, { key })
const read = async (key: string, id: string) => (await rest('GET', `${companies}/${id}`, { key })).body

describe('the company of a target is found', () => {
  test.each<[string, (company: Json) => Json]>([
    ['by its id', ({ id }) => own(id)],
    ['by the id in another app', ({ external_id }) => ({ host_app: 'hubspot', id: external_id, kind: 'company' })],
    ['by its domain', company => own(`WWW.${company.domain}`)],
    ['by its domain in another app', company => ({ host_app: 'hubspot', id: company.domain, kind: 'company' })],
    ['by a further domain', company => own(company.domains[0])],
  ])('%s', async (_how, targetOf) => {
    const { key, company } = await given({ external_id: 'acme-1', domains: [domain()] })

    const made = await suggested(key, targetOf(company), { industry: 'Machines', employee_count: 120 })
    const answers = [await accept(key, made.industry ?? {}), await accept(key, made.employee_count ?? {})]

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await read(key, company.id)).toMatchObject({ industry: 'Machines', employee_count: 120, version: 3 })
    const list = await rest('GET', `${suggestions}?company_id=${company.id}`, { key })
    expect(list.body.data.map(({ field }: Json) => field).toSorted()).toEqual(['employee_count', 'industry'])
  })

  test('in its own organization alone', async () => {
    const { company } = await given()
    const stranger = await app.given.apiKey()

    const made = await suggested(stranger.key, own(company.domain), { city: 'Rome' })
    const answer = await accept(stranger.key, made.city ?? {})

    expect([answer.status, answer.body.code]).toEqual([409, 'target_not_found'])
  })
})

describe('a suggestion for a company', () => {
  test('is for a field that companies have, or a custom field of theirs, and for no value that it has already', async () => {
    const { session, orgId } = await app.given.session()
    const { key, company } = await given({ city: 'London' }, orgId)
    const define = 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { key } }'
    const input = { noun: 'COMPANY', key: 'segment', label: 'Segment', type: 'SELECT', options: ['small', 'large'] }
    const { body } = await app.graphql(define, { input }, { session })
    expect(body.data.createCustomField.key).toBe('segment')

    const made = await suggested(key, own(company.id), {
      city: 'LONDON',
      email: 'info@engines.example',
      name: 'Engines Ltd',
      segment: 'large',
    })
    const answer = await accept(key, made['custom.segment'] ?? {})

    expect(Object.keys(made).toSorted()).toEqual(['custom.segment', 'name'])
    expect(made.name).toMatchObject({ current_value: 'Engines', proposed_value: 'Engines Ltd', value_type: 'text' })
    expect(answer.status).toBe(200)
    expect((await read(key, company.id)).custom).toEqual({ segment: 'large' })
  })

  test('is stale after the value has changed, and finds no deleted company', async () => {
    const { key, company } = await given()
    const made = await suggested(key, own(company.id), { city: 'Rome', industry: 'Machines' })
    await rest('PATCH', `${companies}/${company.id}`, { key, body: { city: 'Paris' } })

    const stale = await accept(key, made.city ?? {})
    await rest('DELETE', `${companies}/${company.id}`, { key })
    const deleted = await accept(key, made.industry ?? {})

    expect([stale.status, stale.body.code, stale.body.current_value]).toEqual([409, 'suggestion_stale', 'Paris'])
    expect([deleted.status, deleted.body.code]).toEqual([409, 'target_not_found'])
  })

  test('that was made before there was a company is accepted into it, unless companies have no such field', async () => {
    const { key } = await app.given.apiKey()
    const target = { host_app: 'hubspot', id: domain(), kind: 'company' }
    const made = await suggested(key, target, { city: 'Rome', email: 'info@engines.example' })
    const { body: company } = await rest('POST', companies, { key, body: { name: 'Engines', domain: target.id } })

    const [city, email] = [await accept(key, made.city ?? {}), await accept(key, made.email ?? {})]

    expect(city.status).toBe(200)
    expect((await read(key, company.id)).city).toBe('Rome')
    expect([email.status, email.body.code, email.body.detail]).toEqual([
      409,
      'conflict',
      'A company has no field email: take the value over elsewhere, or reject the suggestion',
    ])
  })

  test('supersedes an older one, also under another name of the company', async () => {
    const { key, company } = await given()
    const older = await suggested(key, own(company.id), { city: 'Rome' })
    const newer = await suggested(key, own(company.domain), { city: 'Milan' })

    const list = await rest('GET', `${suggestions}?company_id=${company.id}&status=pending`, { key })

    expect(list.body.data.map(({ id }: Json) => id)).toEqual([newer.city?.id])
    expect((await rest('GET', `${suggestions}/${older.city?.id}`, { key })).body.status).toBe('superseded')
  })

  test('fills an empty field by itself where the recipe allows it; none that a person has cleared', async () => {
    const { session, orgId } = await app.given.session()
    const { key, company } = await given({ city: 'Paris' }, orgId)
    await rest('PATCH', `${companies}/${company.id}`, { session, body: { city: null } })

    const made = await suggested(key, own(company.id), { city: 'Rome', industry: 'Machines' }, 'filling')

    expect([made.city?.status, made.industry?.status]).toEqual(['pending', 'auto_applied'])
    expect(await read(key, company.id)).toMatchObject({ city: null, industry: 'Machines' })
    const query = '{ company(id: "ID") { fieldMeta(fields: ["city", "industry"]) { field locked suggestion { provider } } } }'
    const { body } = await app.graphql(query.replace('ID', company.id), {}, { key })
    expect(body.data.company.fieldMeta).toEqual([
      { field: 'industry', locked: false, suggestion: { provider: 'http' } },
      { field: 'city', locked: true, suggestion: null },
    ])
  })

  test("stands in the company's timeline with its job", async () => {
    const { key, company } = await given()
    const made = await suggested(key, own(company.id), { city: 'Rome' })
    await accept(key, made.city ?? {})

    const query = '{ company(id: "ID") { timeline { nodes { type } } } }'
    const { body } = await app.graphql(query.replace('ID', company.id), {}, { key })

    expect(body.data.company.timeline.nodes.map(({ type }: Json) => type)).toEqual([
      'SUGGESTION_ACCEPTED',
      'COMPANY_UPDATED',
      'ENRICHMENT_JOB_COMPLETED',
      'SUGGESTION_CREATED',
      'ENRICHMENT_JOB_QUEUED',
      'COMPANY_CREATED',
    ])
  })
})
