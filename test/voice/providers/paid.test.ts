// Providers that the operator pays are for the organizations that the operator allows.

import { afterAll, expect, test } from 'vitest'
import { type Json, startApp, type TestApp } from '../../support/app.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { fakeProvider } from '../fake-provider.ts'

const provider = fakeProvider()
const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'token-0123456789abcdef0123', ROLES: 'web,api,session,worker' }
const startWith = (allowed: string) =>
  startApp({
    database,
    telephony: { twilio: provider },
    env: { ...twilio, PAID_PROVIDER_ORGANIZATIONS: allowed, RECIPE_SECRET_HUNTER: 'secret-of-the-operator' },
  })
const database = await createTestDatabase()
const open = await startWith('*')
const first = await startWith('')
const stranger = await open.given.apiKey()
const own = await open.given.apiKey()
await query(database.url, 'update organizations set is_first = true where id = $1', [own.orgId])
const named = await startWith(stranger.orgId)
afterAll(async () => {
  for (const app of [named, first, open]) await app.close()
  await database.drop()
})

let numbers = 0
const newAgent = (app: TestApp, key: string, fields: Json = {}) =>
  app.rest('POST', '/api/voice/v1/agents', {
    key,
    body: { name: 'Caller', provider: 'twilio', phone_number: `+1555010${String(++numbers).padStart(4, '0')}`, ...fields },
  })
const call = (app: TestApp, key: string, agentId: string) =>
  app.rest('POST', '/api/voice/v1/calls', { key, body: { agent_id: agentId, to_number: '+15550123456' } })

test('an organization that may not use a provider creates no agents and places no calls there; the error names the setting', async () => {
  const refused = await newAgent(first, stranger.key)
  const before = await newAgent(open, stranger.key)
  const dialled = provider.placed.length
  const placed = await call(first, stranger.key, before.body.id)

  expect([refused.status, placed.status]).toEqual([403, 403])
  for (const { body } of [refused, placed])
    expect(body.detail).toBe(
      `The operator of this server pays for twilio, and has not allowed it to this organization: PAID_PROVIDER_ORGANIZATIONS must name ${stranger.orgId}`,
    )
  expect(provider.placed).toHaveLength(dialled)
})

test('an agent cannot change to such a provider; the simulator is for every organization', async () => {
  const simulated = await newAgent(first, stranger.key, { provider: 'simulator' })
  const changed = await first.rest('PATCH', `/api/voice/v1/agents/${simulated.body.id}`, {
    key: stranger.key,
    body: { provider: 'twilio' },
  })

  expect([simulated.status, changed.status]).toEqual([201, 403])
  expect((await call(first, stranger.key, simulated.body.id)).status).toBe(201)
})

test('by default only the first organization may use it; a setting names others instead', async () => {
  const statuses = [
    (await newAgent(first, own.key)).status,
    (await newAgent(named, stranger.key)).status,
    (await newAgent(named, own.key)).status,
  ]

  expect(statuses).toEqual([201, 201, 403])
})

test('a recipe with a secret of the operator is refused for other organizations, with the reason', async () => {
  const enqueue = (app: TestApp, key: string, path = '', body: Json = {}) =>
    app.rest('POST', `/api/enrich/v1/jobs${path}`, {
      key,
      body: path ? body : { target: { host_app: 'crm', id: '7', kind: 'contact' }, recipe: 'hunter', ...body },
    })
  const job = { target: { host_app: 'crm', id: '8', kind: 'contact' } }
  const refused = await enqueue(first, stranger.key)
  const batch = await enqueue(first, stranger.key, '/batch', { jobs: [{ ...job, recipe: 'hunter' }, job] })

  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('PAID_PROVIDER_ORGANIZATIONS')])
  expect([(await enqueue(first, own.key)).status, (await enqueue(named, stranger.key)).status]).toEqual([202, 202])
  expect(batch.body).toMatchObject({ succeeded: 1, failed: 1 })
  const { body } = await first.rest('GET', '/api/enrich/v1/recipes', { key: stranger.key })
  const hunter = body.data.find(({ name }: Json) => name === 'hunter')
  expect(hunter.steps.map(({ unavailable }: Json) => unavailable)).toEqual(['organization_not_allowed'])
})
