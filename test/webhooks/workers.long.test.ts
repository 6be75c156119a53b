// Workers of webhooks: one takes over from another that died, and an endpoint that does not answer keeps none from others.

import { afterAll, expect, test } from 'vitest'
import { type Json, startApp } from '../support/app.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const receivers: Receiver[] = []
const app = await startApp({ env: { ROLES: 'web,api,session,worker', OUTGOING_ALLOW_PRIVATE: '127.0.0.1' } })
afterAll(async () => {
  await app.close()
  await Promise.all(receivers.map(receiver => receiver.close()))
})

async function receiving(key: string): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const body = { url: receiver.url, event_types: ['contact.created', 'contact.updated'] }
  const { status } = await app.rest('POST', '/api/webhooks/v1/endpoints', { key, body })
  expect(status).toBe(201)
  return receiver
}
const idOf = ({ headers }: Receiver['sent'][number]) => headers['webhook-id']

test('what a dead worker was sending is sent again, before what waits behind it, and its late answer does not count', async () => {
  const { key } = await app.given.apiKey()
  const receiver = await receiving(key)
  const release = Promise.withResolvers<void>()
  receiver.answer(async (_sent, count) => {
    if (count > 1) return {}
    await release.promise
    return { status: 500 }
  })
  const { body: contact } = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'dead@example.com' } })
  await receiver.received(1)
  await app.rest('PATCH', `/api/crm/v1/contacts/${contact.id}`, { key, body: { city: 'Rome' } })

  // As if another worker had claimed it, and died a lease ago.
  await app.services.database.execute(
    `update webhook_deliveries set lease_token = gen_random_uuid(), lease_until = now() - interval '1 second' where entity_id = $1 and state = 'sending'`,
    [contact.id],
  )
  const [first, again, behind] = (await receiver.received(3)) as Receiver['sent']
  release.resolve()
  const { body: other } = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'other@example.com' } })
  await receiver.received(1, ({ body }) => body.data.id === other.id)
  const log = async () => {
    const { body } = await app.rest('GET', `/api/webhooks/v1/deliveries?entity_id=${contact.id}`, { key })
    return body.data.map(({ type, state, response_status: status }: Json) => [type, state, status])
  }

  expect(again && first && idOf(again)).toBe(first && idOf(first))
  expect(behind?.body.type).toBe('contact.updated')
  await expect.poll(log, { timeout: 20_000 }).toEqual([
    ['contact.updated', 'delivered', 204],
    ['contact.created', 'delivered', 204],
  ])
}, 60_000)

test('what kills its worker three times fails with that reason, and what waits behind it is sent', async () => {
  const { key } = await app.given.apiKey()
  const receiver = await receiving(key)
  const release = Promise.withResolvers<void>()
  receiver.answer(async ({ body }) => {
    if (body.type === 'contact.created') await release.promise
    return {}
  })
  const { body: contact } = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'deadly@example.com' } })
  await app.rest('PATCH', `/api/crm/v1/contacts/${contact.id}`, { key, body: { city: 'Rome' } })
  for (let deaths = 1; deaths <= 3; deaths++) {
    await receiver.received(deaths)
    await app.services.database.execute(
      `update webhook_deliveries set lease_token = gen_random_uuid(), lease_until = now() - interval '1 second' where entity_id = $1 and state = 'sending'`,
      [contact.id],
    )
  }
  const log = async () => {
    const { body } = await app.rest('GET', `/api/webhooks/v1/deliveries?entity_id=${contact.id}`, { key })
    return body.data.map(({ type, state, reason }: Json) => [type, state, reason])
  }

  await expect.poll(log, { timeout: 20_000 }).toEqual([
    ['contact.updated', 'delivered', null],
    ['contact.created', 'failed', 'the process that worked on it ended 3 times'],
  ])
  release.resolve()
  expect(receiver.sent.map(({ body }) => body.type)).toEqual([...Array(3).fill('contact.created'), 'contact.updated'])
}, 60_000)

test('an organization whose endpoints have as many requests open as it may have keeps none from another', async () => {
  const { key } = await app.given.apiKey()
  const { key: neighbour } = await app.given.apiKey()
  const silent = [await receiving(key), await receiving(key), await receiving(key)]
  const quick = await receiving(neighbour)
  const release = Promise.withResolvers<void>()
  for (const receiver of silent)
    receiver.answer(async () => {
      await release.promise
      return {}
    })
  const sentTo = () => silent.flatMap(({ sent }) => sent)
  const contacts = Array.from({ length: 40 }, (_, index) => ({ email: `many-${index}@example.com` }))

  await app.rest('POST', '/api/crm/v1/contacts/batch', { key, body: { contacts } })
  await expect.poll(() => sentTo().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(64)
  await app.rest('POST', '/api/crm/v1/contacts', { key: neighbour, body: { email: 'neighbour@example.com' } })
  await quick.received(1)
  const { body: open } = await app.rest('GET', '/api/webhooks/v1/deliveries?state=sending&include=total', { key })
  release.resolve()

  expect(open.total).toBeLessThanOrEqual(64)
  await expect.poll(() => new Set(silent.map(({ sent }) => new Set(sent.map(idOf)).size)), { timeout: 40_000 }).toEqual(new Set([40]))
}, 60_000)

test('an endpoint that has as many requests open as it may have keeps none from another', async () => {
  const { key } = await app.given.apiKey()
  const [silent, quick] = [await receiving(key), await receiving(key)]
  const release = Promise.withResolvers<void>()
  silent.answer(async () => {
    await release.promise
    return {}
  })
  const contacts = Array.from({ length: 40 }, (_, index) => ({ email: `many-${index}@example.com` }))

  await app.rest('POST', '/api/crm/v1/contacts/batch', { key, body: { contacts } })
  await silent.received(32)
  await quick.received(40)
  const { body: last } = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'last@example.com' } })
  await quick.received(1, ({ body }) => body.data.id === last.id)
  release.resolve()

  await expect.poll(() => new Set(silent.sent.map(idOf)).size, { timeout: 40_000 }).toBe(41)
}, 60_000)
