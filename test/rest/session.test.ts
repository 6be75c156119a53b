// POST, GET and DELETE /api/auth/session: the wire format. Authentication is tested in test/identity.

import { describe, expect, test } from 'vitest'
import { audience, issuer, startProvider } from '../identity/outside-provider.ts'
import { type Asked, openApp, serviceToken } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { conforming } from './conforming.ts'

const provider = await keepOpen(startProvider())
const token = await provider.sign(await provider.rotate('one'), { claims: { sub: 'grace', email: 'grace@example.com' } })
const app = await openApp({
  env: { IDENTITY_ISSUER: issuer, IDENTITY_AUDIENCE: audience, IDENTITY_JWKS_URL: provider.url, ALLOW_USER_HEADER: '1' },
})
const rest = conforming(app)

const path = '/api/auth/session'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('POST /api/auth/session', () => {
  test('201: a valid session, with Cache-Control: no-store', async () => {
    const { status, headers, body } = await rest('POST', path, { session: token })

    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('location')).toBe(path)
    expect(body).toEqual({
      session_token: expect.stringMatching(uuid),
      user_id: 'grace',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      id: expect.any(String),
    })
    expect((await rest('GET', '/api/crm/v1/contacts', { session: body.session_token })).status).toBe(200)
  })

  test('201: the same session for the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'sign-in-1' }

    const first = await rest('POST', path, { session: token, headers })
    const second = await rest('POST', path, { session: token, headers })

    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test("401: every credential except the identity provider's token", async () => {
    const [{ key }, { session }] = [await app.given.apiKey(), await app.given.session()]
    const attempts: Asked[] = [
      {},
      { key },
      { session },
      { headers: { 'X-User-ID': 'grace' } },
      { headers: { 'X-Guest-ID': 'guest' } },
      { headers: { 'X-Svc-Services-Token': serviceToken } },
    ]

    for (const attempt of attempts) expect((await rest('POST', path, attempt)).status).toBe(401)
  })

  test("401: the identity provider's token at other endpoints", async () => {
    for (const other of ['/api/crm/v1/contacts', '/api/crm/v1/stats', '/api/dashboard', path])
      expect((await rest('GET', other, { session: token })).status).toBe(401)
  })
})

describe('GET /api/auth/session', () => {
  test('200: the current session; its documented strings are never null', async () => {
    const { session, userId } = await app.given.session()

    const { status, headers, body } = await rest('GET', path, { session })

    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ session_token: '', user_id: userId, expires_at: expect.any(String), device: 'test' })
  })

  test('401: an API key', async () => {
    const { key } = await app.given.apiKey()

    expect((await rest('GET', path, { key })).status).toBe(401)
  })

  test('403: callers without a session', async () => {
    expect((await rest('GET', path, { headers: { 'X-Guest-ID': 'guest' } })).status).toBe(403)
    expect((await rest('GET', path, { headers: { 'X-Svc-Services-Token': serviceToken } })).status).toBe(403)
  })

  test('404: a user of the development header', async () => {
    const { userId } = await app.given.organization()

    expect((await rest('GET', path, { headers: { 'X-User-ID': userId } })).status).toBe(404)
  })
})

describe('DELETE /api/auth/session', () => {
  test('204: the token is refused afterwards, other sessions keep working', async () => {
    const { session, userId } = await app.given.session()
    const other = await app.given.session({ userId })

    const { status, body } = await rest('DELETE', path, { session })

    expect([status, body]).toEqual([204, ''])
    expect((await rest('GET', path, { session })).status).toBe(401)
    expect((await rest('DELETE', path, { session })).status).toBe(401)
    expect((await rest('GET', path, { session: other.session })).status).toBe(200)
  })

  test('403: guests may only read', async () => {
    const { status, body } = await rest('DELETE', path, { headers: { 'X-Guest-ID': 'guest' } })

    expect([status, body.code]).toEqual([403, 'guest_read_only'])
  })
})
