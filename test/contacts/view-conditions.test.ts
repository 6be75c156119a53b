// The conditions of saved views: the filter of a view with the types of its list, read and written.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../support/app.ts'
import { type Client, clientIn, problemsOf } from './client.ts'

const app = await openApp()

const create = 'mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { id noun filter } }'
const update = 'mutation ($input: UpdateSavedViewInput!) { updateSavedView(input: $input) { id noun filter } }'
const save = async (on: Client, input: Json): Promise<Json> =>
  (await on.data(create, { input: { noun: 'CONTACTS', name: 'A view', ...input } })).createSavedView
const change = async (on: Client, input: Json): Promise<Json> => (await on.data(update, { input })).updateSavedView

describe('a view', () => {
  test('has its conditions with the types of its list, of every noun', async () => {
    const on = await clientIn(app)
    const read = `query ($id: ID!) { savedView(id: $id) { conditions { __typename
      ... on ContactConditions { lifecycleStageIn doNotCall createdSince empty tag custom { key in } }
      ... on CallConditions { outcomeIn status minDurationSeconds }
      ... on TaskConditions { taskStatus: status } } } }`
    const custom = [{ key: 'plan', in: ['gold'] }]
    const contacts = { lifecycleStageIn: ['LEAD'], doNotCall: false, createdSince: '2026-01-01T00:00:00Z', empty: 'EMAIL', custom }
    const ofContacts = await save(on, { name: 'Leads', filter: contacts })
    const ofCalls = await save(on, { noun: 'CALLS', name: 'Won', filter: { outcomeIn: ['GOAL_MET'], minDurationSeconds: 5 } })
    const ofTasks = await save(on, { noun: 'TASKS', name: 'Open', filter: { status: 'OPEN' } })

    const conditions = async ({ id }: Json) => (await on.data(read, { id })).savedView.conditions
    expect(await conditions(ofContacts)).toEqual({
      ...{ __typename: 'ContactConditions', lifecycleStageIn: ['LEAD'], doNotCall: false, empty: ['EMAIL'], tag: null, custom },
      createdSince: expect.stringMatching(/^2026-01-01T00:00:00/),
    })
    expect(await conditions(ofCalls)).toEqual({
      __typename: 'CallConditions',
      outcomeIn: ['GOAL_MET'],
      status: null,
      minDurationSeconds: 5,
    })
    expect(await conditions(ofTasks)).toEqual({ __typename: 'TaskConditions', taskStatus: 'OPEN' })
  })

  test('is saved with typed conditions as with the same filter, times, dates and enums included, of every noun', async () => {
    const on = await clientIn(app)
    const custom = [{ key: 'signed', since: '2026-01-01', until: '2026-02-01' }]
    const contacts = { lifecycleStageIn: ['LEAD'], empty: ['EMAIL'], createdSince: '2026-01-01T00:00:00.000Z', custom }
    const ofNouns = {
      CONTACTS: ['contacts', contacts],
      COMPANIES: ['companies', { q: 'acme', sourceIn: ['API'], employeesMin: 5, empty: ['DOMAIN'], custom }],
      DEALS: ['deals', { state: 'OPEN', expectedSince: '2026-01-01', createdSince: '2026-01-01T00:00:00.000Z', custom }],
      CALLS: ['calls', { outcomeIn: ['GOAL_MET'], minDurationSeconds: 5 }],
      TASKS: ['tasks', { status: 'OPEN' }],
      SUGGESTIONS: ['suggestions', { statusIn: ['PENDING'] }],
      ENRICHMENT_JOBS: ['enrichmentJobs', { statusIn: ['FAILED'] }],
      VOICE_AGENTS: ['voiceAgents', {}],
    } as const

    for (const [noun, [list, filter]] of Object.entries(ofNouns)) {
      const view = await save(on, { noun, conditions: { [list]: filter } })
      expect(view).toMatchObject({ noun, filter })
      expect((await save(on, { noun, filter })).filter).toEqual(view.filter)
    }
    const changed = await save(on, { conditions: { contacts } })
    expect((await change(on, { id: changed.id, conditions: { contacts: { doNotCall: true } } })).filter).toEqual({ doNotCall: true })
    expect((await change(on, { id: changed.id, name: 'Same filter' })).filter).toEqual({ doNotCall: true })
    expect((await change(on, { id: changed.id, conditions: null })).filter).toEqual({})
    const { createSavedView } = await on.data(
      'mutation { createSavedView(input: { noun: TASKS, name: "Open", conditions: { tasks: { status: OPEN } } }) { filter } }',
    )
    expect(createSavedView.filter).toEqual({ status: 'OPEN' })
  })

  test('of companies or deals has what their lists take, with columns of custom fields, in GraphQL and in REST', async () => {
    const on = await clientIn(app)
    const problems = async (input: Json) => problemsOf(await on.error(create, { input: { name: 'x', ...input } }))
    const read = `query ($id: ID!) { savedView(id: $id) { sort columns conditions { __typename
      ... on CompanyConditions { industryIn custom { key empty } } ... on DealConditions { state expectedUntil } } } }`

    const companies = { noun: 'COMPANIES', conditions: { companies: { industryIn: ['Food'], custom: [{ key: 'tier', empty: true }] } } }
    const ofCompanies = await save(on, { ...companies, sort: 'NAME_DESC', columns: ['name', 'custom.tier', 'annualRevenue'] })
    expect((await on.data(read, { id: ofCompanies.id })).savedView).toEqual({
      ...{ sort: 'NAME_DESC', columns: ['name', 'custom.tier', 'annualRevenue'] },
      conditions: { __typename: 'CompanyConditions', industryIn: ['Food'], custom: [{ key: 'tier', empty: true }] },
    })
    const { body } = await app.rest('POST', '/api/crm/v1/views', {
      key: on.key,
      body: { noun: 'deals', name: 'Soon', filter: { state: 'open', expectedUntil: '2026-12-31' }, sort: 'title', columns: ['stage'] },
    })
    expect(body).toMatchObject({ noun: 'deals', filter: { state: 'open', expectedUntil: '2026-12-31' }, sort: 'title', columns: ['stage'] })
    expect((await on.data(read, { id: body.id })).savedView.conditions).toEqual({
      ...{ __typename: 'DealConditions', state: 'OPEN', expectedUntil: '2026-12-31' },
    })
    expect((await app.rest('GET', '/api/crm/v1/views?noun=deals', { key: on.key })).body.data).toHaveLength(1)

    expect(await problems({ noun: 'DEALS', conditions: { deals: { custom: [{ key: 'Tier!', empty: true }] } } })).toEqual([
      'conditions.deals.custom.0.key: Value error, is not the key of a custom field',
    ])
    expect(await problems({ noun: 'COMPANIES', filter: { jobTitle: 'x' }, columns: ['email'], sort: 'EMAIL' })).toHaveLength(3)
  })

  test('takes the conditions of its own noun alone, and not beside a filter', async () => {
    const on = await clientIn(app)
    const problems = async (input: Json) => problemsOf(await on.error(create, { input: { noun: 'CONTACTS', name: 'x', ...input } }))
    const { id } = await save(on, { noun: 'CALLS' })

    expect(await problems({ conditions: { tasks: { status: 'OPEN' } } })).toEqual([
      'conditions.tasks: Value error, this is a view of `contacts`, so its conditions are in `contacts`',
    ])
    expect(problemsOf(await on.error(update, { input: { id, conditions: { contacts: {} } } }))).toEqual([
      'conditions.contacts: Value error, this is a view of `calls`, so its conditions are in `calls`',
    ])
    for (const conditions of [{}, { contacts: {}, tasks: {} }])
      expect(await problems({ conditions })).toEqual(['conditions: Value error, it takes one field, `contacts` for this view'])
    expect(await problems({ conditions: { contacts: null } })).toEqual([
      'conditions.contacts: Value error, it is null; null for `conditions` removes them',
    ])
    expect(await problems({ conditions: { contacts: {} }, filter: {} })).toEqual([
      'conditions: Value error, leave out `filter`, which is the same without types',
    ])
    expect(await problems({ conditions: { contacts: { tagIn: Array.from({ length: 21 }, (_, index) => `t${index}`) } } })).toEqual([
      'conditions.contacts.tagIn: List should have at most 20 items after validation, not 21',
    ])
    const misspelled = { noun: 'CONTACTS', name: 'x', conditions: { contacts: { lifecycleStageIn: ['LEADS'] } } }
    expect(await on.error(create, { input: misspelled })).toMatchObject({ code: 'INVALID' })
  })
})
