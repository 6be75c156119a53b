// What an endpoint receives: what its maker may read, and what the log shows of it.

import { describe, expect, test } from 'vitest'
import type { Json } from '../support/app.ts'
import { openDelivering } from './delivering.ts'

const { app, receiving, add, contact, endpointOf, deliveries, states, eventually } = await openDelivering()

describe('what an endpoint receives', () => {
  test('is what the key that made it may read, and ends with the key', async () => {
    const owner = await app.given.session()
    const { key } = await app.given.apiKey({ orgId: owner.orgId, userId: owner.userId })
    const limited = await app.given.apiKey({ orgId: owner.orgId, userId: owner.userId, scopes: ['webhooks:manage', 'agents:read'] })
    const receiver = await receiving()
    const { endpoint } = await add({ key: limited.key }, { url: receiver.url })

    await contact(key)
    await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Grace', draft: true } })
    await receiver.received(1, ({ body }) => body.type === 'agent.created')
    const types = receiver.sent.map(({ body }) => body.type)
    await app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id: limited.id }, { session: owner.session })
    await eventually(() => endpointOf(key, endpoint.id)).toMatchObject({ state: 'disabled', disabled_reason: 'maker_left' })

    expect(new Set(types.map(type => type.split('.')[0]))).toEqual(new Set(['agent']))
  })

  test('ends for a key from before a change of the payer, until the new payer confirms the key', async () => {
    const owner = await app.given.session()
    const { key, id } = await app.given.apiKey({ orgId: owner.orgId, userId: owner.userId })
    const { session: payer } = await app.given.member({ orgId: owner.orgId, role: 'owner' })
    const receiver = await receiving()
    const { endpoint } = await add({ key }, { url: receiver.url, event_types: ['contact.created'] })
    const asked = { session: payer, headers: { 'x-org-id': owner.orgId } }
    const told = () => app.rest('GET', `/api/webhooks/v1/endpoints/${endpoint.id}`, asked).then(({ body }) => body)

    await app.graphql('mutation { payForOrganization { id } }', {}, asked)
    await app.rest('POST', '/api/crm/v1/contacts', { ...asked, body: { email: 'unseen@example.com' } })
    await eventually(told).toMatchObject({ state: 'disabled', disabled_reason: 'maker_left' })
    await app.graphql('mutation ($id: ID!) { confirmApiKey(input: { id: $id }) { id } }', { id }, asked)
    await app.rest('PATCH', `/api/webhooks/v1/endpoints/${endpoint.id}`, { key, body: { is_enabled: true } })
    await app.rest('POST', '/api/crm/v1/contacts', { ...asked, body: { email: 'seen@example.com' } })
    await receiver.received(1)

    expect(receiver.sent.map(({ body }) => body.data.object.email)).toEqual(['seen@example.com'])
  })

  test('ends with the membership of its maker', async () => {
    const owner = await app.given.session()
    const { key } = await app.given.apiKey({ orgId: owner.orgId, userId: owner.userId })
    const member = await app.given.member({ orgId: owner.orgId, role: 'member' })
    const receiver = await receiving()
    const { endpoint } = await add({ session: member.session }, { url: receiver.url, event_types: ['contact.created'] })

    await contact(key)
    await receiver.received(1)
    const { body } = await app.graphql(
      'mutation ($id: ID!) { removeMember(input: { userId: $id }) { id } }',
      { id: member.userId },
      { session: owner.session },
    )
    await contact(key)
    await eventually(() => endpointOf(key, endpoint.id)).toMatchObject({ state: 'disabled', disabled_reason: 'maker_left' })

    expect(body.errors).toBeUndefined()
    expect(receiver.sent.length).toBe(1)
  })

  test('is in the log for those alone who may read it', async () => {
    const { key, orgId, userId } = await app.given.apiKey()
    const manager = await app.given.apiKey({ orgId, userId, scopes: ['webhooks:manage'] })
    const receiver = await receiving()
    await add({ key }, { url: receiver.url, event_types: ['contact.created'] })
    await contact(key)
    await eventually(() => states(key)).toEqual(['delivered'])
    const [{ id }] = (await deliveries(key)) as [Json]

    const whole = await app.rest('GET', `/api/webhooks/v1/deliveries/${id}`, { key })
    const bare = await app.rest('GET', `/api/webhooks/v1/deliveries/${id}`, { key: manager.key })

    expect(whole.body.request_body).toContain('contact.created')
    expect(bare.body).toEqual({ ...whole.body, request_body: null })
  })

  test('is every event committed since its creation: of a slow transaction too, and in any process', async () => {
    const { key } = await app.given.apiKey()
    const receiver = await receiving()
    const slow = await app.services.database.connect()
    await slow.query('begin')
    await contact(key)
    const id = await contact(key)
    await slow.query(`update contacts set city = 'Rome' where id = $1`, [id])
    await slow.query(
      `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, changes)
       select gen_random_uuid(), org_id, 'contact.updated', 'contact', id, 'system', 'system', 'test', 'r', '{"city": [null, "Rome"]}'
       from contacts where id = $1`,
      [id],
    )
    await add({ key }, { url: receiver.url, event_types: ['contact.created', 'contact.updated'] })
    const after = await contact(key)
    await receiver.received(1)
    await slow.query('commit')
    await slow.end()
    const sent = await receiver.received(2)

    expect(sent.map(({ body }) => body.data.id)).toEqual([after, id])
  })
})

test('a replay of one is sent behind what waits, and the log has both', async () => {
  const { key } = await app.given.apiKey()
  const receiver = await receiving()
  await add({ key }, { url: receiver.url, event_types: ['contact.created'] })
  await contact(key)
  await eventually(() => states(key)).toEqual(['delivered'])
  const [first] = (await deliveries(key)) as [Json]

  const replayed = await app.rest('POST', `/api/webhooks/v1/deliveries/${first.id}/replay`, { key })
  await receiver.received(2)
  await eventually(() => states(key)).toEqual(['delivered', 'delivered'])

  expect(replayed).toMatchObject({ status: 201, body: { state: 'waiting', replay_of: first.id, message_id: first.message_id } })
  expect(replayed.headers.get('location')).toBe(`/api/webhooks/v1/deliveries/${replayed.body.id}`)
  expect(receiver.sent[1]?.raw).toBe(receiver.sent[0]?.raw)
  expect((await deliveries(key, `?message_id=${first.message_id}`)).length).toBe(2)
})

test("another organization's deliveries are neither found nor listed nor replayed, and a long answer is cut in the log", async () => {
  const { key } = await app.given.apiKey()
  const { key: stranger } = await app.given.apiKey()
  const receiver = await receiving()
  receiver.answer(() => ({ status: 200, body: 'x'.repeat(100_000), headers: { 'x-long': 'y'.repeat(1000) } }))
  const { endpoint } = await add({ key }, { url: receiver.url, event_types: ['contact.created'] })
  await contact(key)
  await eventually(() => states(key)).toEqual(['delivered'])
  const [{ id }] = (await deliveries(key)) as [Json]

  const { body: log } = await app.rest('GET', `/api/webhooks/v1/deliveries/${id}`, { key })
  const since = new Date(0).toISOString()
  const refused = await Promise.all([
    app.rest('GET', `/api/webhooks/v1/deliveries/${id}`, { key: stranger }),
    app.rest('POST', `/api/webhooks/v1/deliveries/${id}/replay`, { key: stranger }),
    app.rest('POST', `/api/webhooks/v1/endpoints/${endpoint.id}/replay`, { key: stranger, body: { since } }),
  ])

  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(await deliveries(stranger, `?endpoint_id=${endpoint.id}`)).toEqual([])
  expect(log.attempts.map(({ response_body: body }: Json) => body.length)).toEqual([4096])
  expect(log.attempts[0].response_headers['x-long'].length).toBe(500)
})
