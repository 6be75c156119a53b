// Webhooks of a database that was restored in another cluster: each change is delivered once, the ones not read before the dump too.

import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renumberRestored } from '../../src/database/migrations/restored.ts'
import { type Json, startApp, type TestApp } from '../support/app.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { type Receiver, startReceiver } from './receiver.ts'

let app: TestApp | undefined
let database: TestDatabase
let receiver: Receiver
beforeEach(async () => {
  database = await createTestDatabase()
  await renumberRestored(database.url)
  receiver = await startReceiver()
})
afterEach(async () => {
  await stop()
  await receiver.close()
  await database.drop()
})

async function run(roles: string): Promise<TestApp> {
  app = await startApp({ database, env: { ROLES: roles, OUTGOING_ALLOW_PRIVATE: '127.0.0.1' } })
  return app
}
async function stop() {
  await app?.close()
  app = undefined
}
const create = async ({ rest }: TestApp, key: string, email: string): Promise<string> =>
  (await rest('POST', '/api/crm/v1/contacts', { key, body: { email } })).body.id

// A dump of a cluster that was a million transactions ahead.
async function restoreFromElsewhere() {
  const [reader] = await query<{ since: string }>(database.url, 'select since from webhook_reader')
  const [endpoint] = await query<{ since: string }>(database.url, 'select since from webhook_endpoints')
  await query(database.url, 'update events set transaction_id = transaction_id + 1000000')
  await query(database.url, `update webhook_reader set cluster = '1', since = $1`, [ahead(reader?.since)])
  await query(database.url, 'update webhook_endpoints set since = $1', [ahead(endpoint?.since)])
  await query(database.url, `update database_cluster set system_identifier = '1'`)
  await renumberRestored(database.url)
}
const ahead = (snapshot = '') => snapshot.replace(/\d+/g, id => String(Number(id) + 1_000_000))

test('after a restore, every change is delivered once: those before it, those that were not read in time, and those after it', async () => {
  const before = await run('web,api,session,worker')
  const { key } = await before.given.apiKey()
  await before.rest('POST', '/api/webhooks/v1/endpoints', {
    key,
    body: { url: receiver.url, event_types: ['contact.created', 'contact.updated'] },
  })
  const first = await create(before, key, 'first@example.com')
  await receiver.received(1)
  // Written before the second contact, and committed when that was delivered.
  const late = new pg.Client({ connectionString: database.url })
  await late.connect()
  await late.query('begin')
  await late.query(
    `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, changes)
     select gen_random_uuid(), org_id, 'contact.updated', 'contact', id, 'system', 'system', 'test', 'r', '{"city": [null, "Rome"]}'
     from contacts where id = $1`,
    [first],
  )
  const second = await create(before, key, 'second@example.com')
  await receiver.received(2)
  await expect.poll(() => openDeliveries(before, key), { timeout: 20_000 }).toEqual([])
  await stop()
  await late.query('commit')
  await late.end()
  const unread = await create(await run('web,api,session'), key, 'unread@example.com')
  await stop()

  await restoreFromElsewhere()
  const after = await run('web,api,session,worker')
  const fresh = await create(after, key, 'fresh@example.com')
  await receiver.received(1, ({ body }) => body.data.id === fresh)
  await expect.poll(() => openDeliveries(after, key), { timeout: 20_000 }).toEqual([])

  expect(receiver.sent.map(({ body }) => `${body.type} ${body.data.id}`).toSorted()).toEqual(
    [...[first, second, unread, fresh].map(id => `contact.created ${id}`), `contact.updated ${first}`].toSorted(),
  )
}, 90_000)

const openDeliveries = async ({ rest }: TestApp, key: string): Promise<Json[]> =>
  (await rest('GET', '/api/webhooks/v1/deliveries?state=waiting&state=pending&state=sending', { key })).body.data
