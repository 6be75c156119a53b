// Webhook endpoints: added, changed and removed through REST and GraphQL, with a secret that is shown once.

import { describe, expect, test } from 'vitest'
import { openapi } from '../../src/rest/openapi/openapi.ts'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()

const endpoints = '/api/webhooks/v1/endpoints'
const url = 'https://example.com/hooks'
const add = async (key: string, body: Json = {}) => (await app.rest('POST', endpoints, { key, body: { url, ...body } })).body

describe('POST /api/webhooks/v1/endpoints', () => {
  test('201: an endpoint with its secret, which no later answer has', async () => {
    const { key, id: keyId } = await app.given.apiKey({ scopes: ['webhooks:manage'] })
    const body = { url, description: ' Billing ', event_types: ['contact.created'], filter: [{ field: 'email' }], payload: 'thin' }

    const { status, headers, body: made } = await app.rest('POST', endpoints, { key, body })
    const { body: read } = await app.rest('GET', `${endpoints}/${made.endpoint.id}`, { key })

    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(made).toEqual({
      endpoint: {
        id: expect.any(String),
        url,
        description: 'Billing',
        event_types: ['contact.created'],
        filter: [{ field: 'email', values: null }],
        payload: 'thin',
        state: 'enabled',
        disabled_reason: null,
        disabled_at: null,
        failing_since: null,
        previous_secret_until: null,
        created_by: { type: 'api_key', id: keyId, name: 'Test key' },
        created_at: expect.any(String),
        updated_at: expect.any(String),
        version: 1,
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    expect(read).toEqual(made.endpoint)
  })

  test('422: every problem at once', async () => {
    const { key } = await app.given.apiKey()
    const body = {
      url: 'https://user:password@example.com',
      event_types: ['contact.created', 'contact.vanished'],
      filter: [{ field: 'A' }],
    }

    const { status, body: refused } = await app.rest('POST', endpoints, { key, body })

    expect(status).toBe(422)
    expect(refused.detail.map(({ loc, msg }: Json) => `${loc.join('.')}: ${msg}`)).toEqual([
      'body.url: Value error, it must hold no user name or password; verify the signature instead',
      'body.event_types.1: Value error, there is no such type of event; see webhookEventTypes for all',
      'body.filter.0.field: Value error, is not the name of a field, such as lifecycle_stage or custom.plan',
    ])
  })

  test('409: the fifty-first', async () => {
    const { key } = await app.given.apiKey()
    for (let count = 0; count < 50; count++) await add(key)

    expect(await app.rest('POST', endpoints, { key, body: { url } })).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: 'An organization has at most 50 webhook endpoints; delete one first' },
    })
  })

  test('a retry with an Idempotency-Key has the same secret, which the database does not hold', async () => {
    const { key } = await app.given.apiKey()
    const asked = { key, body: { url }, headers: { 'idempotency-key': 'once' } }

    const first = await app.rest('POST', endpoints, asked)
    const second = await app.rest('POST', endpoints, asked)
    const kept = await app.services.database.execute('select answer::text from idempotency_keys', [])

    expect(second.body).toEqual(first.body)
    expect(JSON.stringify(kept.rows)).not.toContain(first.body.secret)
  })
})

describe('PATCH and DELETE /api/webhooks/v1/endpoints/{endpoint_id}', () => {
  test('change, list and remove it, by version', async () => {
    const { key } = await app.given.apiKey()
    const { endpoint } = await add(key, { event_types: ['contact.created'] })
    const path = `${endpoints}/${endpoint.id}`

    const changed = await app.rest('PATCH', path, { key, body: { event_types: null, is_enabled: false }, headers: { 'if-match': '"1"' } })
    const again = await app.rest('PATCH', path, { key, body: { url }, headers: { 'if-match': '"1"' } })
    const listed = await app.rest('GET', `${endpoints}?include=total`, { key })
    const removed = await app.rest('DELETE', path, { key })
    const gone = await app.rest('GET', path, { key })

    expect(changed.body).toMatchObject({ event_types: [], state: 'disabled', disabled_reason: 'by_user', version: 2 })
    expect(again).toMatchObject({ status: 412 })
    expect(listed.body).toEqual({ data: [changed.body], has_more: false, next_cursor: null, total: 1 })
    expect([removed.status, gone.status]).toEqual([200, 404])
  })

  test("another organization's are not found", async () => {
    const { key } = await app.given.apiKey()
    const { key: stranger } = await app.given.apiKey()
    const { endpoint } = await add(key)

    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/secret/rotate'],
    ] as const)
      expect(
        await app.rest(method, `${endpoints}/${endpoint.id}${path}`, { key: stranger, ...(method === 'PATCH' && { body: {} }) }),
      ).toMatchObject({ status: 404 })
  })
})

describe('rotating a secret', () => {
  const rotate = (key: string, id: string, body: Json) => app.rest('POST', `${endpoints}/${id}/secret/rotate`, { key, body })

  test('has two live ones for the overlap, and refuses a third unless at once', async () => {
    const { key } = await app.given.apiKey()
    const { endpoint, secret } = await add(key)

    const first = await rotate(key, endpoint.id, { overlap_seconds: 3600 })
    const second = await rotate(key, endpoint.id, { overlap_seconds: 3600 })
    const leaked = await rotate(key, endpoint.id, { overlap_seconds: 0 })

    expect(Date.parse(first.body.endpoint.previous_secret_until) - Date.parse(first.body.endpoint.updated_at)).toBe(3_600_000)
    expect(second).toMatchObject({ status: 409 })
    expect(leaked.body.endpoint.previous_secret_until).toBeNull()
    expect(new Set([secret, first.body.secret, leaked.body.secret]).size).toBe(3)
  })
})

test('endpoints are nodes, and their changes are told to those who manage webhooks', async () => {
  const { key } = await app.given.apiKey()
  const { endpoint } = await add(key)

  const { body } = await app.graphql(
    'query ($id: ID!) { node(id: $id) { ... on WebhookEndpoint { id url eventTypes } } webhookEventTypes { type entity } }',
    { id: endpoint.id },
    { key },
  )

  expect(body.data.node).toEqual({ id: endpoint.id, url, eventTypes: [] })
  expect(body.data.webhookEventTypes).toContainEqual({ type: 'call.ended', entity: 'call' })
  expect(body.data.webhookEventTypes.map(({ entity }: Json) => entity)).not.toContain('session')
})

test('GET /api/webhooks/v1/event-types has every webhook of openapi.json, with the scope that an API key needs to receive it', async () => {
  const { key } = await app.given.apiKey({ scopes: ['webhooks:manage'] })

  const { status, body } = await app.rest('GET', '/api/webhooks/v1/event-types', { key })

  expect(status).toBe(200)
  expect(body).toMatchObject({ has_more: false, next_cursor: null, total: null })
  expect(body.data.map(({ name }: Json) => name)).toEqual(Object.keys(openapi().webhooks as Json))
  const [contact, run] = ['contact.created', 'agent_run.started'].map(wanted => body.data.find(({ name }: Json) => name === wanted))
  expect(contact).toEqual({ name: 'contact.created', entity: 'contact', description: 'A contact was added.', scope: 'contacts:read' })
  expect(run).toMatchObject({ entity: 'agent_run', scope: null })
})
