// List filters with several values: repeated parameters in REST, lists in GraphQL filters.

import { describe, expect, test } from 'vitest'
import { type Json, openApp, serviceToken } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { calls, givenCallFixture } from '../../voice/call-fixture.ts'
import { fakeProvider } from '../../voice/fake-provider.ts'
import { conforming } from '../conforming.ts'

const contacts = '/api/crm/v1/contacts'
const jobs = '/api/enrich/v1/jobs'
const agents = '/api/voice/v1/agents'

const app = await openApp({ telephony: { simulator: fakeProvider() } })
const rest = conforming(app)
const key = (await app.given.apiKey()).key
for (const [name, lifecycle_stage, source, tags] of [
  ['a', 'lead', 'import', ['vip', 'berlin']],
  ['b', 'customer', 'import', ['vip']],
  ['c', 'customer', 'web', ['paris']],
  ['d', 'other', 'web', []],
  ['e', 'lead', 'api', []],
] as const)
  await rest('POST', contacts, { key, body: { email: `${name}@example.com`, lifecycle_stage, source, tags } })
const fixture = await givenCallFixture(app)

const names = ({ body }: { body: Json }) => body.data.map(({ email }: Json) => email[0]).join('')

describe('a repeated parameter of a list', () => {
  test.each([
    ['lifecycle_stage=lead&lifecycle_stage=customer', 'ecba'],
    ['lifecycle_stage=lead&lifecycle_stage=lead', 'ea'],
    ['lifecycle_stage=lead', 'ea'],
    ['source=import&source=api', 'eba'],
    ['tag=berlin&tag=paris', 'ca'],
    ['tag=berlin&tag=nobody', 'a'],
    ['lifecycle_stage=lead&lifecycle_stage=customer&source=web&source=import&tag=vip', 'ba'],
    ['owner_user_id=nobody&owner_user_id=nobody-else', ''],
    ['lifecycle_stage=lead&lifecycle_stage=other&sort=email', 'ade'],
    ['lifecycle_stage=lead&lifecycle_stage=other&include_deleted=true', 'eda'],
    ['q=example&tag=vip&tag=paris', 'cba'],
  ])('finds contacts with any of its values: %s', async (query, found) => {
    const answer = await rest('GET', `${contacts}?${query}&include=total`, { key })

    expect([answer.status, names(answer), answer.body.total]).toEqual([200, found, found.length])
  })

  test('matches any of the owners, only in the own organization', async () => {
    const other = await app.given.apiKey()
    const { body: own } = await rest('POST', contacts, { key: other.key, body: { email: 'own@example.com', owner_user_id: other.userId } })

    const query = `${contacts}?owner_user_id=${other.userId}&owner_user_id=somebody&tag=vip&tag=paris`
    const found = (await rest('GET', `${contacts}?owner_user_id=${other.userId}&owner_user_id=somebody`, { key: other.key })).body.data

    expect(found.map(({ id }: Json) => id)).toEqual([own.id])
    expect((await rest('GET', query, { key })).body.data).toEqual([])
    expect((await rest('GET', `${contacts}?lifecycle_stage=lead&lifecycle_stage=customer`, { key: other.key })).body.data).toEqual([])
  })

  test('merges the contacts of several owners in order, page by page, with deleted ones if requested', async () => {
    const { key: own, orgId, userId } = await app.given.apiKey()
    const [second, third] = [(await app.given.apiKey()).userId, (await app.given.apiKey()).userId]
    const owners = [userId, second, third]
    const join = 'insert into memberships (user_id, organization_id) values ($1, $2)'
    for (const member of [second, third]) await query(app.database.url, join, [member, orgId])
    const made: string[] = []
    for (let n = 0; n < 9; n++) {
      const { body } = await rest('POST', contacts, { key: own, body: { email: `n${n}@example.com`, owner_user_id: owners[n % 3] } })
      made.push(body.id)
    }
    await rest('DELETE', `${contacts}/${made[0]}`, { key: own })
    const wanted = made.filter((_, n) => n % 3 !== 1).toReversed()
    const page = async (query: string) => {
      const { body } = await rest('GET', `${contacts}?owner_user_id=${third}&owner_user_id=${userId}&${query}`, { key: own })
      return { ids: body.data.map(({ id }: Json) => id), next: body.next_cursor, total: body.total }
    }

    const first = await page('limit=3&include=total')
    const remaining = await page(`limit=3&cursor=${first.next}`)

    expect([...first.ids, ...remaining.ids]).toEqual(wanted.slice(0, 5))
    expect([first.total, remaining.next]).toEqual([5, null])
    expect((await page('sort=created_at&limit=2&q=example')).ids).toEqual(wanted.toReversed().slice(1, 3))
    expect((await page('include_deleted=true')).ids).toEqual(wanted)
    expect((await page('sort=email')).ids).toEqual(wanted.toReversed().slice(1))
    expect((await page('email=n2@example.com')).ids).toEqual([made[2]])
    const asked = `{ contacts(first: 2, filter: { ownerUserIdIn: ["${third}", "${userId}"] }) { nodes { firstName email } } }`
    expect((await app.graphql(asked, {}, { key: own })).body.data.contacts.nodes).toEqual([
      { firstName: null, email: 'n8@example.com' },
      { firstName: null, email: 'n6@example.com' },
    ])
  })

  test('has cursors that are valid for the same values in any order, and for no others', async () => {
    const page = (values: string, cursor = '') => rest('GET', `${contacts}?limit=1${values}${cursor && `&cursor=${cursor}`}`, { key })
    const first = await page('&lifecycle_stage=lead&lifecycle_stage=customer')
    const cursor = first.body.next_cursor

    const next = await page('&lifecycle_stage=customer&lifecycle_stage=lead&lifecycle_stage=customer', cursor)
    const other = await page('&lifecycle_stage=customer&lifecycle_stage=other', cursor)
    const fewer = await page('&lifecycle_stage=lead', cursor)

    expect([names(first), names(next), other.status, fewer.status]).toEqual(['e', 'c', 422, 422])
    const { body } = await page('&lifecycle_stage=lead')
    expect(names(await page('&lifecycle_stage=lead&lifecycle_stage=lead', body.next_cursor))).toBe('a')
  })

  test('is 422 with the index of the invalid value, or without an index for a single value', async () => {
    const details = async (query: string) => (await rest('GET', `${contacts}?${query}`, { key })).body.detail

    expect(await details('lifecycle_stage=lead&lifecycle_stage=LEAD')).toMatchObject([
      { loc: ['query', 'lifecycle_stage', '1'], type: 'enum', input: 'LEAD' },
    ])
    expect(await details('lifecycle_stage=LEAD')).toMatchObject([{ loc: ['query', 'lifecycle_stage'], type: 'enum', input: 'LEAD' }])
    expect(await details('tag=&tag=vip')).toMatchObject([{ loc: ['query', 'tag', '0'], type: 'string_too_short', input: '' }])
    expect(await details('tag=%00')).toMatchObject([{ loc: ['query', 'tag'], type: 'value_error', input: '\0' }])
    expect(await details('tag=vip&tag=%00')).toMatchObject([{ loc: ['query', 'tag', '1'], type: 'value_error', input: '\0' }])
  })

  test('is 422 for more than twenty values, and for a parameter that must not be repeated', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `tag=t${n}`).join('&')

    expect((await rest('GET', `${contacts}?${many(20)}`, { key })).status).toBe(200)
    expect((await rest('GET', `${contacts}?${many(21)}`, { key })).body.detail).toMatchObject([
      {
        loc: ['query', 'tag'],
        type: 'too_long',
        msg: 'List should have at most 20 items after validation, not 21',
        ctx: { max_length: 20 },
      },
    ])
    expect((await rest('GET', `${contacts}?email=a@example.com&email=b@example.com`, { key })).body.detail).toMatchObject([
      { loc: ['query', 'email'], msg: 'Value error, the parameter is given more than once', input: 'b@example.com' },
    ])
  })

  test('matches any of the values for calls, agents, jobs and suggestions', async () => {
    const total = async (path: string) => {
      const { status, body } = await rest('GET', path, { key: fixture.key })
      return status === 200 ? body.data.length : body.detail
    }
    const { body: second } = await rest('POST', agents, {
      key: fixture.key,
      body: { name: 'Draft', phone_number: '+15550107777', instructions: 'None.', draft: true },
    })
    const placed = await fixture.call({})
    await fixture.call({})
    for (const id of ['1', '2', '3'])
      await rest('POST', jobs, { key: fixture.key, body: { target: { host_app: `app-${id}`, id, kind: 'company' }, recipe: 'generic' } })

    expect({
      statuses: await total(`${calls}?status=queued&status=completed`),
      none: await total(`${calls}?status=busy&status=completed`),
      outcomes: await total(`${calls}?outcome=busy&outcome=goal_met`),
      states: await total(`${calls}?dispatch_state=dispatched&dispatch_state=pending`),
      agents: await total(`${calls}?agent_id=${placed.agent_id}&agent_id=nonsense`),
      contacts: await total(`${calls}?contact_id=${placed.contact_id}&contact_id=${placed.agent_id}`),
      voiceAgents: await total(`${agents}?status=draft&status=active`),
      drafts: (await rest('GET', `${agents}?status=draft&status=failed`, { key: fixture.key })).body.data.map(({ id }: Json) => id),
      providers: await total(`${agents}?provider=twilio&provider=simulator`),
      jobs: await total(`${jobs}?host_app=app-1&host_app=app-3&status=queued&status=running&status=completed&status=failed`),
      targets: await total(`${jobs}?target=1&target=2&target_id=2&target_id=1`),
      otherTargets: (await total(`${jobs}?target=1&target=2&target_id=2`))[0].loc,
      suggestions: await total(`/api/enrich/v1/suggestions?status=pending&status=expired&contact_id=x&contact_id=${placed.contact_id}`),
    }).toEqual({
      ...{ statuses: 2, none: 0, outcomes: 0, states: 2, agents: 2, contacts: 2 },
      ...{ voiceAgents: 2, drafts: [second.id], providers: 2, jobs: 2, targets: 2, otherTargets: ['query', 'target'], suggestions: 0 },
    })
  })

  test('merges the calls of several agents in order, page by page', async () => {
    const { key: own, ...office } = await givenCallFixture(app)
    const others = []
    for (const name of ['Second', 'Third']) others.push((await rest('POST', agents, { key: own, body: { name } })).body.id)
    const agentIds = [office.agent.id, ...others]
    const placed: string[] = []
    for (let n = 0; n < 9; n++) placed.push((await office.call({ agent_id: agentIds[n % 3] })).id)
    const wanted = placed.filter((_, n) => n % 3 !== 1).toReversed()
    const filter = `agent_id=${agentIds[2]}&agent_id=${agentIds[0]}&status=queued&status=completed`

    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await rest('GET', `${calls}?limit=2&include=total&${filter}${cursor && `&cursor=${cursor}`}`, { key: own })
      expect(body.total).toBe(6)
      seen.push(...body.data.map(({ id }: Json) => id))
      if (!body.has_more) break
      cursor = body.next_cursor
    }
    const oldest = (await rest('GET', `${calls}?sort=created_at&limit=4&${filter}`, { key: own })).body.data.map(({ id }: Json) => id)

    const asked = `{ calls(first: 2, filter: { voiceAgentIdIn: ["${agentIds[2]}", "${agentIds[0]}"] }) { nodes { id toNumber voiceAgent { name } } } }`
    expect((await app.graphql(asked, {}, { key: own })).body.data.calls.nodes).toEqual([
      { id: wanted[0], toNumber: '+442079460958', voiceAgent: { name: 'Third' } },
      { id: wanted[1], toNumber: '+442079460958', voiceAgent: { name: 'Appointment desk' } },
    ])
    expect([seen, oldest]).toEqual([wanted, wanted.toReversed().slice(0, 4)])
    expect((await rest('GET', `${calls}?${filter}`, { key })).body.data).toEqual([])
  })

  test('matches any of the values for credit transactions', async () => {
    const headers = { 'x-svc-services-token': serviceToken, 'x-user-id': fixture.userId }
    const types = async (query: string) => {
      const { body } = await rest('GET', `/api/credits/transactions?include=total&${query}`, { headers })
      return [body.total, [...new Set(body.data.map(({ type }: Json) => type))].toSorted()]
    }
    await app.rest('POST', '/api/credits/grant', { headers, body: { user_id: fixture.userId, amount: 5 } })
    const debit = await app.rest('POST', '/api/credits/deduct', { headers, body: { user_id: fixture.userId, amount: 1 } })
    expect(debit.status).toBe(200)

    const [grants] = await types('type=grant')
    expect(await types('type=debit&type=grant')).toEqual([Number(grants) + 1, ['debit', 'grant']])
    expect(await types('type=expire&type=void')).toEqual([0, []])
  })
})

describe('a list in a filter of GraphQL', () => {
  const ask = async (filter: string, declared = '', variables = {}) =>
    (
      await app.graphql(`query${declared} { contacts(filter: ${filter}) { nodes { email } totalCount } }`, variables, {
        key,
      })
    ).body
  const found = ({ data }: Json) => [data.contacts.nodes.map(({ email }: Json) => email[0]).join(''), data.contacts.totalCount]

  test('matches any of its values, and is combined with the filter for one value', async () => {
    expect(found(await ask('{ lifecycleStageIn: [LEAD, CUSTOMER] }'))).toEqual(['ecba', 4])
    expect(found(await ask('{ lifecycleStageIn: LEAD }'))).toEqual(['ea', 2])
    expect(found(await ask('{ lifecycleStageIn: [LEAD, CUSTOMER], lifecycleStage: LEAD }'))).toEqual(['ea', 2])
    expect(found(await ask('{ tagIn: ["vip", "berlin"], tag: "berlin" }'))).toEqual(['a', 1])
    expect(found(await ask('{ sourceIn: [] }'))).toEqual(['', 0])
    expect(found(await ask('{ sourceIn: null }'))).toEqual(['edcba', 5])
    const both = await ask('{ sourceIn: $any }', '($any: [ContactSource!])', { any: ['WEB', 'API'] })
    expect(found(both)).toEqual(['edc', 3])
  })

  test('does not break documents that pass one value as a variable', async () => {
    const one = await ask('{ lifecycleStage: $stage, tag: $tag }', '($stage: LifecycleStage, $tag: String)', {
      stage: 'CUSTOMER',
      tag: 'vip',
    })

    expect(found(one)).toEqual(['b', 1])
  })

  test('is refused for more than twenty values, with its name', async () => {
    const { errors } = await ask('{ tagIn: $tags }', '($tags: [String!])', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) })

    expect(errors).toMatchObject([
      { message: 'tagIn: List should have at most 20 items after validation, not 21', extensions: { code: 'INVALID' } },
    ])
  })

  test('accepts a cursor of the filter for one value', async () => {
    const page = async (filter: string, after: string) =>
      (await app.graphql(`{ contacts(first: 1, filter: ${filter}${after}) { nodes { email } pageInfo { endCursor } } }`, {}, { key })).body
        .data.contacts
    const first = await page('{ tag: "vip" }', '')
    const next = await page('{ tagIn: ["vip", "vip"] }', `, after: "${first.pageInfo.endCursor}"`)

    expect([first.nodes, next.nodes]).toEqual([[{ email: 'b@example.com' }], [{ email: 'a@example.com' }]])
  })
})
