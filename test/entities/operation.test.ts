// Receipts: the id that every answer of a write carries, and what can be read by it.

import { describe, expect, test } from 'vitest'
import { clientWith } from '../contacts/client.ts'
import { hookToken, type Json, openApp } from '../support/app.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,gateway', HOOKS_ENABLED: '1', VOICE_PRICE_PER_MINUTE: '0.5' } })

const contacts = '/api/crm/v1/contacts'
const idIn = ({ headers }: { headers: Headers }) => headers.get('x-operation-id') ?? ''
const receipt = `query ($id: ID!) { operation(id: $id) { id name door actor { type name } idempotencyKey replays creditsTaken creditsReserved
  eventCount events { nodes { type entityId changes { field before after } } } } }`

describe('operation', () => {
  test('a REST write with a key is one operation, however often it is repeated', async () => {
    const { key, orgId } = await app.given.apiKey()
    const on = clientWith(app, { key, orgId })
    const create = () => app.rest('POST', contacts, { key, body: { email: 'ada@example.com' }, headers: { 'Idempotency-Key': 'order-1' } })

    const [first, second, third] = [await create(), await create(), await create()]

    expect([idIn(first), idIn(second), idIn(third)]).toEqual(Array(3).fill(first.headers.get('x-request-id')))
    expect((await on.data(receipt, { id: idIn(first) })).operation).toEqual({
      id: idIn(first),
      name: 'CreateContact',
      door: 'REST',
      actor: { type: 'API_KEY', name: 'Test key' },
      idempotencyKey: 'order-1',
      replays: 2,
      creditsTaken: 0,
      creditsReserved: 0,
      eventCount: 1,
      events: { nodes: [{ type: 'CONTACT_CREATED', entityId: first.body.id, changes: [] }] },
    })
  })

  test('a mutation without a key shows what it changed; REST shows the same', async () => {
    const { key, orgId } = await app.given.apiKey()
    const { id } = await clientWith(app, { key, orgId }).create({ firstName: 'Ada' })
    const answer = await app.graphql(
      'mutation Rename($id: ID!) { updateContact(input: { id: $id, firstName: "Grace" }) { id } }',
      { id },
      { key },
    )

    const { status, body } = await app.rest('GET', `/api/crm/v1/operations/${idIn(answer)}`, { key })

    expect(status).toBe(200)
    expect(body).toMatchObject({ id: idIn(answer), name: 'Rename', door: 'graphql', idempotency_key: null, replays: 0, event_count: 1 })
    expect(body.events.data[0]).toMatchObject({
      type: 'contact.updated',
      entity_id: id,
      changes: [
        { field: 'fullName', before: 'Ada', after: 'Grace' },
        { field: 'firstName', before: 'Ada', after: 'Grace' },
      ],
    })
  })

  test('is not found by other organizations, by scopes that read none of its events, for reads and for writes without effect', async () => {
    const { key, orgId } = await app.given.apiKey()
    const written = await app.rest('POST', contacts, { key, body: { email: 'ada@example.com', first_name: 'Ada' } })
    const unchanged = await app.rest('PATCH', `${contacts}/${written.body.id}`, { key, body: { first_name: 'Ada' } })
    const refused = await app.rest('PATCH', `${contacts}/${written.body.id}`, { key, body: { email: 'x' } })
    const read = await app.rest('GET', contacts, { key })
    const other = await app.given.apiKey()
    const narrow = await app.given.apiKey({ orgId, scopes: ['calls:read'] })
    const found = async (id: string, credential: Json) => (await app.rest('GET', `/api/crm/v1/operations/${id}`, credential)).status

    expect(await found(idIn(written), { key })).toBe(200)
    expect(await found(idIn(written), { key: other.key })).toBe(404)
    expect(await found(idIn(written), { key: narrow.key })).toBe(404)
    expect(await found(idIn(unchanged), { key })).toBe(404)
    expect(await found(String(read.headers.get('x-request-id')), { key })).toBe(404)
    expect(await found(idIn(refused), { key })).toBe(404)
    expect(idIn(read)).toBe('')
  })

  test('a batch is one operation; its events come in pages', async () => {
    const { key, orgId } = await app.given.apiKey()
    const batch = await app.rest('POST', `${contacts}/batch`, {
      key,
      body: { contacts: [1, 2, 3].map(n => ({ email: `n${n}@example.com` })) },
    })
    const on = clientWith(app, { key, orgId })
    const page = (after: string | null) =>
      on.data(
        `query ($id: ID!, $after: String) { operation(id: $id) { eventCount events(first: 2, after: $after) { nodes { entityId } pageInfo { hasNextPage endCursor } } } }`,
        { id: idIn(batch), after },
      )

    const first = (await page(null)).operation
    const second = (await page(first.events.pageInfo.endCursor)).operation

    expect(first.eventCount).toBe(3)
    expect([first, second].flatMap(({ events }) => events.nodes.map((node: Json) => node.entityId)).toSorted()).toEqual(
      batch.body.results.map(({ id }: Json) => id).toSorted(),
    )
    expect(second.events.pageInfo.hasNextPage).toBe(false)
  })

  test('what it reserved and took is shown to those who may read credits', async () => {
    const { key, orgId, userId } = await app.given.apiKey()
    const bare = await app.given.apiKey({ orgId, scopes: ['calls:read'] })
    await app.rest('POST', '/api/credits/grant', {
      headers: { 'X-Svc-Services-Token': 'test-service-token-0123456789' },
      body: { user_id: userId, amount: 1000, reference: 'r' },
    })
    const agent = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Ada' } })
    const call = await app.rest('POST', '/api/voice/v1/calls', { key, body: { agent_id: agent.body.id, to_number: '+442079460999' } })

    const shown = (credential: string) => app.rest('GET', `/api/crm/v1/operations/${idIn(call)}`, { key: credential })

    const [all, some] = [(await shown(key)).body, (await shown(bare.key)).body]
    expect(all.credits_reserved).toBeGreaterThan(0)
    expect(all.credits_taken).toBe(0)
    expect(all.events.data.map(({ type }: Json) => type).toSorted()).toEqual(expect.arrayContaining(['call.created', 'credits.held']))
    expect([some.credits_taken, some.credits_reserved, some.events.data.map(({ type }: Json) => type)]).toEqual([
      null,
      null,
      expect.not.arrayContaining(['credits.held']),
    ])
  })

  test('hooks carry it too', async () => {
    const woken = await app.rest('POST', '/hooks/wake', { headers: { authorization: `Bearer ${hookToken}` }, body: { text: 'Hello' } })

    expect([woken.status, idIn(woken)]).toEqual([200, woken.headers.get('x-request-id')])
  })
})
