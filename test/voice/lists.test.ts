// Lists of calls, through REST and GraphQL: filters, pages, and how many statements they cost.

import { type GraphQLObjectType, getNamedType, isLeafType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { publicOf } from '../../src/graphql/schema/public.ts'
import { schema as wholeSchema } from '../../src/graphql/schema/root.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { calls, givenCallFixture } from './call-fixture.ts'
import { fakeProvider } from './fake-provider.ts'
import { report, secretOf } from './report.ts'

const schema = publicOf(wholeSchema)

const placed: Json[] = []
const app = await openApp({ telephony: { simulator: fakeProvider() }, env: { VOICE_CONCURRENCY: '1000' } })
const rest = conforming(app)
const fixture = await givenCallFixture(app)
const secret = await secretOf(app, fixture)
// Three contacts with eight calls each; every fourth call is over.
for (let n = 0; n < 24; n++) placed.push(await fixture.call({ to_number: `+44207946000${n % 3}` }))
for (const { id } of placed.filter((_, n) => n % 4 === 0))
  await report(app, secret, {
    call_id: id,
    status: 'completed',
    outcome: 'goal_met',
    duration_seconds: 3,
    transcript: [{ role: 'user', text: 'Yes.' }],
  })

const idsOf = (rows: Json[]) => rows.map(({ id }) => id)
const list = async (query = '') => (await rest('GET', `${calls}${query}`, { key: fixture.key })).body

describe(`GET ${calls}`, () => {
  test('newest first, with transcripts, in pages without a gap or a repetition', async () => {
    const all = await list('?limit=200&include=total')
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await list(`?limit=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...idsOf(page.data))
      if (!page.has_more) break
      cursor = page.next_cursor
    }

    expect(all).toMatchObject({ has_more: false, next_cursor: null, total: 24 })
    expect(idsOf(all.data)).toEqual(idsOf(placed).toReversed())
    expect(seen).toEqual(idsOf(all.data))
    expect(all.data.at(-1).transcript).toEqual([{ seq: 1, role: 'user', text: 'Yes.', start_ms: null, end_ms: null }])
    expect((await list('?limit=200&sort=created_at')).data).toEqual(all.data.toReversed())
  })

  test.each([
    ['status=completed', 6],
    ['status=queued', 18],
    ['outcome=goal_met', 6],
    ['outcome=busy', 0],
    ['dispatch_state=dispatched', 24],
    ['to_number=%2B442079460001', 8],
    ['agent_id=nonsense', 0],
    ['created_since=2020-01-01T00:00:00Z', 24],
    ['created_until=2020-01-01T00:00:00Z', 0],
  ])('?%s finds %i calls', async (query, count) => {
    const found = await list(`?limit=100&include=total&${query}`)

    expect([found.data.length, found.total]).toEqual([count, count])
  })

  test('filters by agent and by contact', async () => {
    const contact = placed[0].contact_id

    expect((await list(`?agent_id=${fixture.agent.id}&include=total`)).total).toBe(24)
    expect(idsOf((await list(`?contact_id=${contact}`)).data)).toEqual(
      idsOf(placed.filter(call => call.contact_id === contact)).toReversed(),
    )
    expect((await list(`?contact_id=${contact}&status=completed&limit=1`)).has_more).toBe(true)
  })

  test('422 for an unknown parameter, an unknown value, and a cursor of another list', async () => {
    const { next_cursor } = await list('?limit=1')
    for (const query of ['?statuses=busy', '?status=asleep', `?limit=1&status=queued&cursor=${next_cursor}`, '?cursor=x', '?sort=email'])
      expect((await rest('GET', `${calls}${query}`, { key: fixture.key })).status, query).toBe(422)
  })

  test('another organization sees no calls, and 404 for their ids', async () => {
    const stranger = await givenCallFixture(app)

    expect((await rest('GET', calls, { key: stranger.key })).body.data).toEqual([])
    expect((await rest('GET', `${calls}/${placed[0].id}`, { key: stranger.key })).status).toBe(404)
  })
})

describe('GraphQL', () => {
  const counted = async (query: string) => {
    let answer: Json
    let statements = 0
    const ask = async () => {
      app.statements()
      answer = (await app.graphql(query, {}, { key: fixture.key })).body
      return (statements = app.statements())
    }
    await expect.poll(ask).toBeLessThan(6)
    return { data: answer.data, errors: answer.errors, statements }
  }

  test('a list of calls with contact and agent takes three statements', async () => {
    const query = '{ calls(first: 24) { nodes { id status contact { phone } voiceAgent { name } } } }'
    await counted(query)

    const { data, statements } = await counted(query)

    expect(statements).toBe(3)
    expect(data.calls.nodes).toHaveLength(24)
    expect(data.calls.nodes[0]).toEqual({
      id: placed.at(-1)?.id,
      status: 'QUEUED',
      contact: { phone: '+442079460002' },
      voiceAgent: { name: 'Appointment desk' },
    })
  })

  // Lists read only the columns that a query selects: a field whose resolver reads another would fail here.
  test.each([
    ['Contact', (field: string) => `{ contacts(first: 2) { nodes { ${field} } } }`],
    ['Call', (field: string) => `{ calls(first: 2) { edges { node { ${field} } } } }`],
    ['VoiceAgent', (field: string) => `{ calls(first: 2) { nodes { voiceAgent { ${field} } } } }`],
  ])('each field of a %s in a list can be asked for alone', async (typename, query) => {
    const fields = Object.values((schema.getType(typename) as GraphQLObjectType).getFields())

    for (const { name, type } of fields) {
      const { body } = await app.graphql(query(isLeafType(getNamedType(type)) ? name : `${name} { __typename }`), {}, { key: fixture.key })

      expect(body.errors, `${typename}.${name}`).toBe(undefined)
    }
  })

  test("contacts with their last five calls and each call's agent take two statements", async () => {
    const query =
      '{ contacts(first: 20) { nodes { id phone calls(first: 5) { nodes { id createdAt voiceAgent { name } } pageInfo { hasNextPage endCursor } } } } }'
    await counted(query)

    const { data, statements } = await counted(query)

    expect(statements).toBe(2)
    const [contact] = data.contacts.nodes
    expect(contact.calls.nodes.map(({ voiceAgent }: Json) => voiceAgent)).toEqual(Array(5).fill({ name: 'Appointment desk' }))
    expect(idsOf(contact.calls.nodes)).toEqual(
      idsOf(placed.filter(call => call.contact_id === contact.id))
        .toReversed()
        .slice(0, 5),
    )
    expect(contact.calls.pageInfo.hasNextPage).toBe(true)
    const { data: rest } = await counted(
      `{ contact(id: "${contact.id}") { calls(first: 5, after: "${contact.calls.pageInfo.endCursor}") { nodes { id } pageInfo { hasNextPage } } } }`,
    )
    expect(idsOf(rest.contact.calls.nodes)).toEqual(
      idsOf(placed.filter(call => call.contact_id === contact.id))
        .toReversed()
        .slice(5),
    )
    expect(rest.contact.calls.pageInfo.hasNextPage).toBe(false)
  })

  test('transcripts are read only if they are selected, for all calls by one statement', async () => {
    const query = '{ calls(first: 24) { nodes { transcript { text } extracted variables } } }'
    await counted(query)

    expect(await counted(query)).toMatchObject({ statements: 2 })
  })

  test('a key with calls:read alone reads neither agents nor contacts of calls', async () => {
    const { key } = await app.given.apiKey({ orgId: fixture.orgId, scopes: ['calls:read'] })
    const { key: withoutAgents } = await app.given.apiKey({ orgId: fixture.orgId, scopes: ['calls:read', 'contacts:read'] })
    const { key: contactsOnly } = await app.given.apiKey({ orgId: fixture.orgId, scopes: ['contacts:read'] })
    const ask = async (by: string, query: string) => (await app.graphql(query, {}, { key: by })).body

    const body = await ask(key, '{ calls(first: 1) { nodes { id voiceAgent { name } contact { phone } } } }')
    expect(body.data.calls.nodes).toEqual([{ id: placed.at(-1)?.id, voiceAgent: null, contact: null }])
    expect(body.errors.map((error: Json) => error.extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    const nested = await ask(withoutAgents, '{ contacts(first: 1) { nodes { calls(first: 1) { nodes { voiceAgent { name } } } } } }')
    expect(nested.data.contacts.nodes).toEqual([{ calls: { nodes: [{ voiceAgent: null }] } }])
    expect(nested.errors[0].extensions.code).toBe('FORBIDDEN')
    expect((await ask(contactsOnly, '{ contacts(first: 1) { nodes { calls { totalCount } } } }')).errors[0].extensions.code).toBe(
      'FORBIDDEN',
    )
  })
})
