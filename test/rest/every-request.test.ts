// What holds for every REST request: paths, methods, credentials, headers.

import { describe, expect, test } from 'vitest'
import { routes } from '../../src/rest/routes/routes.ts'
import { openApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { conforming } from './conforming.ts'

const app = await openApp({ env: { FRONTEND_ORIGIN: 'https://app.example.com' } })
const rest = conforming(app)

const contacts = '/api/crm/v1/contacts'
const someId = '0199f0e0-0000-7000-8000-000000000000'
const addressOf = (path: string) => path.replace(/\{\w+\}/g, someId)
const isOpen = (method: string, path: string) => routes.some(one => one.method === method && one.path === path && one.callers.length === 0)
const addresses = [...new Set(routes.map(({ path }) => path))]

describe.each(routes.map(({ method, path }) => [method, path] as const))('%s %s', (method, path) => {
  // POST /api/auth/device takes none: test/identity/applications.
  test.skipIf(isOpen(method, path))('401 without a credential, before anything else is validated', async () => {
    const answer = await rest(
      method,
      `${addressOf(path)}?unknown=1`,
      method === 'GET' ? {} : { body: '{', headers: { 'content-type': 'text/plain' } },
    )

    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.body).toMatchObject({ code: 'unauthenticated', status: 401, request_id: answer.headers.get('x-request-id') })
  })

  test.each([
    'Bearer rcm_wrong',
    'Bearer ',
    'Basic abc',
    `Bearer ${someId}`,
    'rcm_wrong',
    'Bearer a.b.c',
  ])('401 for Authorization: %s', async authorization => {
    const answer = await rest(method, addressOf(path), { headers: { authorization, 'X-Guest-ID': 'does-not-help' } })

    expect(answer.status).toBe(401)
  })
})

describe('methods', () => {
  test.each(addresses)('405 for other methods of %s, with the allowed ones', async path => {
    const taken = routes.filter(route => route.path === path).map(({ method }) => method as string)
    const allow = [...taken, ...(taken.includes('GET') ? ['HEAD'] : [])]

    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(method => !taken.includes(method))) {
      const { status, headers, body } = await app.rest(method, addressOf(path))

      expect([status, body.code]).toEqual([405, 'method_not_allowed'])
      expect(headers.get('allow')?.split(', ').toSorted()).toEqual(allow.toSorted())
    }
  })
})

describe('addresses', () => {
  test.each([
    '/api',
    '/api/',
    '/api/crm/v1',
    '/api/crm/v2/contacts',
    '/api/crm/v1/contact',
    '/api/CRM/v1/contacts',
    '/API/crm/v1/contacts',
    `${contacts}/`,
    `${contacts}/%E0%A4%A`,
  ])('404 for %s', async path => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('GET', path, { key })

    expect([status, body.code, body.detail]).toEqual([
      404,
      'not_found',
      'Nothing is served at this address. The reference at /docs lists all addresses',
    ])
  })
})

describe('headers', () => {
  test('a request gets an id; the caller’s is returned in X-Client-Request-Id if it is valid', async () => {
    const { key } = await app.given.apiKey()

    const kept = await rest('GET', contacts, { key, headers: { 'X-Request-Id': 'mine 1' } })
    const dropped = await rest('GET', contacts, { key, headers: { 'X-Request-Id': 'x'.repeat(129) } })

    const ids = [kept, dropped].map(({ headers }) => [headers.get('x-request-id'), headers.get('x-client-request-id')])
    expect(ids).toEqual([
      [expect.stringMatching(/^[0-9a-f-]{36}$/), 'mine 1'],
      [expect.stringMatching(/^[0-9a-f-]{36}$/), null],
    ])
    const logged = app.log.find(line => line.includes(ids[0]?.[0] ?? '') && line.includes('"msg":"request"'))
    expect(JSON.parse(logged ?? '{}')).toMatchObject({ requestId: ids[0]?.[0], clientRequestId: 'mine 1' })
  })

  test('errors are sent as application/problem+json if the client accepts it', async () => {
    const { headers } = await rest('GET', contacts, { headers: { accept: 'application/problem+json, application/json' } })

    expect(headers.get('content-type')).toBe('application/problem+json')
  })

  test('headers do not reveal the server software, and forbid sniffing and framing', async () => {
    const { headers } = await rest('GET', contacts)

    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('only the frontend may call from another origin', async () => {
    const { key } = await app.given.apiKey()

    const ours = await rest('GET', contacts, { key, headers: { origin: 'https://app.example.com' } })
    const foreign = await rest('GET', contacts, { key, headers: { origin: 'https://evil.example.com' } })

    expect(ours.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(foreign.headers.get('access-control-allow-origin')).not.toBe('https://evil.example.com')
    expect(foreign.headers.get('access-control-allow-origin')).not.toBe('*')
  })
})

describe('X-Org-Id', () => {
  test('422 when the key has several organizations and the request selects none, together with other problems', async () => {
    const { key, orgIds } = await givenKeyOfTwo()

    const silent = await rest('GET', `${contacts}?limit=0`, { key })
    const named = await rest('GET', contacts, { key, headers: { 'X-Org-Id': orgIds[1] ?? '' } })

    expect(silent.status).toBe(422)
    expect(silent.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [...loc, type])).toEqual([
      ['header', 'X-Org-Id', 'missing'],
      ['query', 'limit', 'greater_than_equal'],
    ])
    expect(named.status).toBe(200)
  })

  test('a write goes to the selected organization', async () => {
    const { key, orgIds } = await givenKeyOfTwo()

    for (const orgId of orgIds) {
      const { body } = await rest('POST', contacts, { key, body: { email: 'a@example.com' }, headers: { 'X-Org-Id': orgId.toUpperCase() } })

      expect(body.org_id).toBe(orgId)
    }
  })

  test.each([someId, 'nonsense', '*'])("403 for %s, which is not one of the key's organizations", async orgId => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('POST', contacts, { key, body: {}, headers: { 'X-Org-Id': orgId } })

    expect([status, body.code]).toEqual([403, 'forbidden'])
  })

  async function givenKeyOfTwo() {
    const { session, orgId } = await app.given.session()
    const other = await app.graphql('mutation { createOrganization(input: { name: "Second" }) { id } }', undefined, { session })
    const orgIds = [orgId, other.body.data.createOrganization.id as string]
    const created = await app.graphql(
      'mutation ($orgs: [ID!]!) { createApiKey(input: { label: "two", organizationIds: $orgs }) { key } }',
      { orgs: orgIds },
      { session },
    )
    return { key: created.body.data.createApiKey.key as string, orgIds }
  }
})

describe('guests', () => {
  test('403 guest_read_only for every write, before the body is read', async () => {
    for (const { method, path, callers } of routes.filter(({ method, callers }) => method !== 'GET' && callers.includes('guest'))) {
      const { status, body } = await rest(method, addressOf(path), { body: '{', headers: { 'X-Guest-ID': 'guest' } })

      expect([path, status, body.code]).toEqual([path, 403, 'guest_read_only'])
      expect(callers).toContain('guest')
    }
  })
})

describe('errors', () => {
  test('an unexpected error is masked, and logged with its request id', async () => {
    const { key } = await app.given.apiKey()
    const { database } = app.services
    const query = database.query
    database.query = () => Promise.reject(new Error('secret detail'))

    const answer = await rest('GET', `${contacts}?limit=7`, { key }).finally(() => {
      database.query = query
    })

    expect(answer.status).toBe(500)
    expect(answer.body).toMatchObject({ code: 'internal', detail: 'Unexpected error' })
    const logged = app.log.filter(line => line.includes(answer.body.request_id)).join('\n')
    expect(logged).toContain('secret detail')
  })

  test('503 with Retry-After while the database is unavailable', async () => {
    const { key } = await app.given.apiKey()
    await rest('GET', contacts, { key })
    const { pool, url } = app.services.database
    const connectToPool = pool.connect
    // Like pg: errors go to the callback if there is one.
    const refuse = (...given: unknown[]) => {
      const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      const callback = given.at(-1)
      return typeof callback === 'function' ? void callback(error) : Promise.reject(error)
    }
    const queryPool = pool.query
    Object.assign(pool, { connect: refuse, query: refuse })
    // Waits up to 5 s for each to end: a connection that ended after the pool is restored would fail the last request.
    await query(
      url,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'rolocom'`,
    )

    const answer = await rest('GET', contacts, { key }).finally(() => Object.assign(pool, { connect: connectToPool, query: queryPool }))

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(answer.body.code).toBe('unavailable')
    expect((await rest('GET', contacts, { key })).status).toBe(200)
  })

  test('no body, query, key or token is ever logged', async () => {
    const { key } = await app.given.apiKey()
    await rest('POST', contacts, { key, body: { email: 'marked-7f3a@example.com', city: 5 } })
    await rest('GET', `${contacts}?email=marked-7f3a@example.com`, { key })

    const log = app.log.join('\n')
    expect(log).toContain('"operation":"CreateContact"')
    expect(log).not.toContain('marked-7f3a')
    expect(log).not.toContain(key)
  })
})

describe('suggestions in errors', () => {
  test.each([
    ['an API key without the word Bearer', { authorization: 'rcm_123' }, 'The Authorization header lacks the word Bearer. '],
    ['a key cut short', { authorization: 'Bearer rcm_123' }, 'This API key is not whole: one is rcm_ and 38 letters and digits. '],
    [
      "the identity provider's token",
      { authorization: 'Bearer a.b.c' },
      "The identity provider's JWT opens a session at POST /api/auth/session, and counts nowhere else. ",
    ],
    ['no credential', {}, 'Authentication is required. '],
  ])('401: %s', async (_, headers, sentence) => {
    const { status, body } = await app.rest('GET', '/api/crm/v1/contacts', { headers })

    expect([status, body.detail]).toEqual([
      401,
      `${sentence}Send the header Authorization: Bearer <API key, or session token from POST /api/auth/session>`,
    ])
  })

  test('401: an API key where only a session is accepted', async () => {
    const { status, body } = await app.rest('GET', '/api/credits/balance', { key: (await app.given.apiKey()).key })

    expect(status).toBe(401)
    expect(body.detail).toContain('An API key does not count here')
    expect(body.detail).toContain('<session token from POST /api/auth/session>')
  })

  test.each(['', 'Bearer ', 'ApiKey ', '"'])('401: an API key sent as guest id, after `%s`', async before => {
    const { key } = await app.given.apiKey()

    const { status, body } = await app.rest('GET', '/api/crm/v1/contacts', { headers: { 'x-guest-id': before + key } })

    expect([status, body.detail]).toEqual([
      401,
      'X-Guest-ID holds a credential; send it as Authorization: Bearer <API key or session token>',
    ])
  })

  test('422: parameter names of other APIs, and other spellings', async () => {
    const { key } = await app.given.apiKey()

    const list = await app.rest('GET', '/api/crm/v1/contacts?page=2&emial=x&zzzzzz=1', { key })
    const create = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { firstName: 'Ada', shoe_size: 41 } })
    const call = await app.rest('POST', '/api/voice/v1/calls', { key, body: { schedule: { earliestAt: 'now' }, to_number: '0123' } })

    const words = ({ body }: { body: { detail: { loc: string[]; msg: string }[] } }) =>
      body.detail.map(({ loc, msg }) => [loc.join('.'), msg])
    expect(words(list)).toContainEqual(['query.page', "Extra inputs are not permitted; did you mean 'cursor'?"])
    expect(words(list)).toContainEqual(['query.emial', "Extra inputs are not permitted; did you mean 'email'?"])
    expect(words(list)).toContainEqual(['query.zzzzzz', expect.stringMatching(/; this endpoint takes limit, cursor, /)])
    expect(words(create)).toContainEqual(['body.firstName', "Extra inputs are not permitted; did you mean 'first_name'?"])
    expect(words(create)).toContainEqual(['body.shoe_size', 'Extra inputs are not permitted'])
    expect(words(call)).toContainEqual(['body.schedule.earliestAt', "Extra inputs are not permitted; did you mean 'earliest_at'?"])
    expect(words(call)).toContainEqual([
      'body.to_number',
      "String should match pattern '^\\+[1-9]\\d{6,14}$': + and the country code, such as +14155550123",
    ])
  })
})
