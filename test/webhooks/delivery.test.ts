// Deliveries: signed, in order, repeated, and never more than the endpoint's maker may read.

import { Webhook } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { describe, expect, test } from 'vitest'
import type { Json } from '../support/app.ts'
import { openDelivering } from './delivering.ts'
import type { Receiver, Sent } from './receiver.ts'

const { app, mail, receiving, add, contact, rename, endpointOf, deliveries, states, headersOf, eventually, later } = await openDelivering()

describe('a delivery', () => {
  test('of a note names the records whose timelines show it', async () => {
    const { key } = await app.given.apiKey()
    const receiver = await receiving()
    await add({ key }, { url: receiver.url, event_types: ['deal.noted', 'note.deleted', 'company.noted'] })
    const post = async (path: string, body: Json) => (await app.rest('POST', `/api/crm/v1/${path}`, { key, body })).body.id as string
    const company = await post('companies', { name: 'Engines' })
    const deal = await post('deals', { title: 'Turbines', company_id: company })

    const note = await post('notes', { deal_id: deal, text: 'Two years' })
    await app.rest('DELETE', `/api/crm/v1/notes/${note}`, { key })
    await post('notes', { company_id: company, text: 'New office' })

    const records = (await receiver.received(3)).map(({ body: { type, data } }) => [type, data.contact_id, data.company_id, data.deal_id])
    expect(records).toEqual(
      expect.arrayContaining([
        ['deal.noted', null, company, deal],
        ['note.deleted', null, company, deal],
        ['company.noted', null, company, null],
      ]),
    )
  })

  test('is signed as standardwebhooks and svix verify it, with the contact as REST shows it, and stands in the log', async () => {
    const { key } = await app.given.apiKey()
    const receiver = await receiving()
    const { endpoint, secret } = await add({ key }, { url: `${receiver.url}/in?a=1`, event_types: ['contact.created'] })

    const id = await contact(key)
    const [sent] = (await receiver.received(1)) as [Sent]
    await eventually(() => states(key)).toEqual(['delivered'])
    const { body: read } = await app.rest('GET', `/api/crm/v1/contacts/${id}`, { key })
    const [{ id: deliveryId }] = (await deliveries(key)) as [Json]
    const { body: log } = await app.rest('GET', `/api/webhooks/v1/deliveries/${deliveryId}`, { key })

    expect(sent.path).toBe('/in?a=1')
    expect(new Webhook(secret).verify(sent.raw, headersOf(sent))).toEqual(sent.body)
    expect(() => new Svix(secret).verify(sent.raw, headersOf(sent))).not.toThrow()
    expect(() => new Webhook(secret).verify(`${sent.raw} `, headersOf(sent))).toThrow()
    expect(sent.body).toEqual({
      type: 'contact.created',
      timestamp: expect.any(String),
      data: {
        id,
        entity: 'contact',
        ...{ contact_id: id, company_id: null, deal_id: null },
        actor: { type: 'api_key', id: expect.any(String), name: 'Test key' },
        changes: {},
        object: read,
      },
    })
    expect(log).toEqual({
      id: deliveryId,
      endpoint_id: endpoint.id,
      message_id: sent.headers['webhook-id'],
      type: 'contact.created',
      entity_id: id,
      state: 'delivered',
      reason: null,
      attempt_count: 1,
      attempts: [
        {
          at: expect.any(String),
          duration_ms: expect.any(Number),
          url: endpoint.url,
          request_headers: expect.objectContaining({ 'webhook-signature': sent.headers['webhook-signature'] }),
          status: 204,
          response_headers: expect.any(Object),
          response_body: '',
          error: null,
        },
      ],
      request_body: sent.raw,
      response_status: 204,
      replay_of: null,
      due_at: expect.any(String),
      finished_at: expect.any(String),
      created_at: expect.any(String),
    })
  })

  test('of thin payloads has the type and the id alone', async () => {
    const { key } = await app.given.apiKey()
    const receiver = await receiving()
    await add({ key }, { url: receiver.url, event_types: ['contact.created'], payload: 'thin' })

    const id = await contact(key)
    const [sent] = await receiver.received(1)

    expect(sent?.body).toEqual({ type: 'contact.created', timestamp: expect.any(String), data: { id } })
  })

  test('comes for the wanted types and fields, tests for their endpoint alone', async () => {
    const { key } = await app.given.apiKey()
    const [all, filtered] = [await receiving(), await receiving()]
    const filter = [
      { field: 'lifecycle_stage', values: ['customer'] },
      { field: 'tags', values: ['vip'] },
    ]
    await add({ key }, { url: all.url, event_types: ['contact.updated'] })
    const { endpoint } = await add({ key }, { url: filtered.url, filter })

    const id = await contact(key)
    const change = (body: Json) => app.rest('PATCH', `/api/crm/v1/contacts/${id}`, { key, body })
    await change({ lifecycle_stage: 'lead' })
    await change({ lifecycle_stage: 'customer' })
    await change({ tags: ['vip', 'new'] })
    await change({ city: 'Rome' })
    await app.rest('POST', `/api/webhooks/v1/endpoints/${endpoint.id}/test`, { key })
    await all.received(4)
    await filtered.received(3)
    await eventually(async () => new Set(await states(key))).toEqual(new Set(['delivered']))

    // Order is promised among the messages of one object: the test is about the endpoint, and may come before those about the contact.
    const told = (type: string) => filtered.sent.filter(({ body }) => body.type === type).map(({ body }) => body.data.changes)
    expect(told('contact.updated')).toEqual([{ lifecycle_stage: ['lead', 'customer'] }, { tags: [[], ['vip', 'new']] }])
    expect(told('webhook_endpoint.tested')).toEqual([{}])
    expect(filtered.sent.length).toBe(3)
    expect(all.sent.length).toBe(4)
  })

  test('waits for the one before it of its object, and for no other object or endpoint', async () => {
    const { key } = await app.given.apiKey()
    const [slow, quick] = [await receiving(), await receiving()]
    const release = Promise.withResolvers<void>()
    slow.answer(async ({ body }) => {
      if (body.data.object.first_name === 'Blocked') await release.promise
      return {}
    })
    await add({ key }, { url: slow.url, event_types: ['contact.created', 'contact.updated'] })
    await add({ key }, { url: quick.url, event_types: ['contact.created', 'contact.updated'] })

    const blocked = await contact(key, { first_name: 'Blocked' })
    await slow.received(1)
    await rename(key, blocked, 'Second')
    await rename(key, blocked, 'Third')
    const other = await contact(key, { first_name: 'Other' })
    await quick.received(4)
    await slow.received(1, ({ body }) => body.data.id === other)
    const before = slow.sent.filter(({ body }) => body.data.id === blocked).length
    release.resolve()
    await slow.received(4)

    const changesOf = (receiver: Receiver) =>
      receiver.sent.filter(({ body }) => body.data.id === blocked).map(({ body }) => body.data.changes.first_name ?? body.type)
    const inOrder = ['contact.created', ['Blocked', 'Second'], ['Second', 'Third']]
    expect(before).toBe(1)
    expect(changesOf(slow)).toEqual(inOrder)
    expect(changesOf(quick)).toEqual(inOrder)
  })

  test('carries a signature by each of two live secrets', async () => {
    const { key } = await app.given.apiKey()
    const receiver = await receiving()
    const { endpoint, secret } = await add({ key }, { url: receiver.url, event_types: ['contact.created'] })
    const rotated = await app.rest('POST', `/api/webhooks/v1/endpoints/${endpoint.id}/secret/rotate`, { key, body: {} })

    await contact(key)
    const [sent] = (await receiver.received(1)) as [Sent]

    for (const live of [secret, rotated.body.secret]) {
      expect(new Webhook(live).verify(sent.raw, headersOf(sent))).toEqual(sent.body)
      expect(() => new Svix(live).verify(sent.raw, headersOf(sent))).not.toThrow()
    }
  })

  test('goes to no private address and follows no redirect', async () => {
    const { key } = await app.given.apiKey()
    const [asked, target] = [await receiving(), await receiving()]
    asked.answer(() => ({ status: 307, headers: { location: target.url } }))
    await add({ key }, { url: asked.url, event_types: ['contact.created'] })
    await add({ key }, { url: 'http://10.0.0.1', event_types: ['contact.created'] })

    await contact(key)
    await eventually(async () => (await deliveries(key)).map(({ reason }) => reason).toSorted()).toEqual([
      '10.0.0.1 leads to a private address that OUTGOING_ALLOW_PRIVATE does not list',
      'the endpoint answered 307',
    ])

    expect(target.sent).toEqual([])
  })
})

describe('a delivery that is not taken', () => {
  test('is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, the same to the byte, and then given up', async () => {
    const { key } = await app.given.apiKey()
    const receiver = await receiving()
    receiver.answer(() => ({ status: 500, body: 'Not today' }))
    app.setNow(new Date())
    await add({ key }, { url: receiver.url, event_types: ['contact.created'] })
    const id = await contact(key)

    const waits: number[] = []
    for (let attempt = 1; attempt <= 8; attempt++) {
      await eventually(async () => (await deliveries(key))[0]?.attempt_count).toBe(attempt)
      await eventually(async () => (await deliveries(key))[0]?.state).not.toBe('sending')
      const [{ due_at: dueAt }] = (await deliveries(key)) as [Json]
      const seconds = (Date.parse(dueAt) - app.services.now().getTime()) / 1000
      waits.push(seconds)
      later(seconds)
      app.services.notifier.notify('rolocom_webhooks')
    }

    const expected = [5, 300, 1800, 7200, 18_000, 36_000, 36_000, 0]
    for (const [index, seconds] of expected.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(seconds * 0.89)
      expect(waits[index]).toBeLessThanOrEqual(seconds * 1.11)
    }
    expect(await deliveries(key)).toMatchObject([{ entity_id: id, state: 'failed', reason: 'the endpoint answered 500', attempt_count: 8 }])
    expect(new Set(receiver.sent.map(({ raw }) => raw)).size).toBe(1)
    expect(new Set(receiver.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8)
  }, 60_000)

  test('waits as long as Retry-After says', async () => {
    const { key } = await app.given.apiKey()
    const receiver = await receiving()
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': '7200' } }))
    app.setNow(new Date())
    await add({ key }, { url: receiver.url, event_types: ['contact.created'] })

    await contact(key)
    await eventually(async () => (await deliveries(key))[0]?.response_status).toBe(503)
    const [{ due_at: dueAt }] = (await deliveries(key)) as [Json]

    expect(Date.parse(dueAt) - app.services.now().getTime()).toBe(7_200_000)
  })

  test('with 410 disables the endpoint at once and mails its maker; what waited can be replayed, in order', async () => {
    const owner = await app.given.session()
    const { key } = await app.given.apiKey({ orgId: owner.orgId, userId: owner.userId })
    const receiver = await receiving()
    const release = Promise.withResolvers<void>()
    receiver.answer(async () => {
      await release.promise
      return { status: 410 }
    })
    const { endpoint } = await add({ session: owner.session }, { url: receiver.url, event_types: ['contact.created', 'contact.updated'] })
    const id = await contact(key)
    await receiver.received(1)
    await rename(key, id, 'Second')
    await rename(key, id, 'Third')
    await eventually(() => states(key)).toEqual(['waiting', 'waiting', 'sending'])
    release.resolve()
    await eventually(() => states(key)).toEqual(['canceled', 'canceled', 'failed'])
    const disabled = await endpointOf(key, endpoint.id)
    await eventually(() => mail.mails.map(({ to }) => to)).toContain(`${owner.userId}@example.com`)
    const refused = await app.rest('POST', `/api/webhooks/v1/endpoints/${endpoint.id}/test`, { key })
    await rename(key, id, 'Unseen')

    receiver.answer(() => ({}))
    await app.rest('PATCH', `/api/webhooks/v1/endpoints/${endpoint.id}`, { session: owner.session, body: { is_enabled: true } })
    const since = new Date(Date.now() - 60_000).toISOString()
    const replay = await app.rest('POST', `/api/webhooks/v1/endpoints/${endpoint.id}/replay`, { key, body: { since } })
    const sent = await receiver.received(4)

    expect(disabled).toMatchObject({ state: 'disabled', disabled_reason: 'gone' })
    expect(refused.status).toBe(409)
    expect(mail.mails.find(({ to }) => to.startsWith(owner.userId))?.text).toContain('because it answered 410 Gone')
    expect(replay.body).toEqual({ count: 3 })
    expect(sent.slice(1).map(({ body }) => body.data.changes.first_name)).toEqual([undefined, ['Ada', 'Second'], ['Second', 'Third']])
    expect(sent[1]?.headers['webhook-id']).toBe(sent[0]?.headers['webhook-id'])
  })

  test('for five days disables the endpoint; an accepted one starts the count again', async () => {
    const { key } = await app.given.apiKey()
    const receiver = await receiving()
    let status = 500
    receiver.answer(() => ({ status }))
    app.setNow(new Date())
    const { endpoint } = await add({ key }, { url: receiver.url, event_types: ['contact.created'] })
    const failing = () => endpointOf(key, endpoint.id).then(({ failing_since: since }) => since !== null)
    const told = () => app.services.database.prisma.event.count({ where: { entityId: endpoint.id, type: 'webhook_endpoint.failing' } })
    const fail = async (count: number) => {
      await contact(key)
      await receiver.received(count)
      await eventually(async () =>
        (await deliveries(key)).every(({ attempt_count: tried, state }) => tried > 0 && state !== 'sending'),
      ).toBe(true)
    }

    await fail(1)
    await eventually(failing).toBe(true)
    status = 204
    later(86_400 * 4)
    await receiver.received(2)
    await eventually(failing).toBe(false)
    status = 500
    await fail(3)
    await eventually(failing).toBe(true)
    later(3700)
    await receiver.received(4)
    await eventually(() => told()).toBe(1)
    later(86_400 * 5)
    await receiver.received(5)

    await eventually(() => endpointOf(key, endpoint.id)).toMatchObject({ state: 'disabled', disabled_reason: 'failing' })
    expect(await told()).toBe(1)
  })
})
