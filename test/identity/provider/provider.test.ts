import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openApp, startApp } from '../../support/app.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'

const database = await keepOpen(createTestDatabase())
const app = await openApp({ database })

const password = 'correct horse battery'
let users = 0
const newEmail = () => `user-${++users}@example.com`
const idp = (method: string, path: string, { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}, to = app) =>
  to.rest(method, `/idp${path}`, { body, headers: { origin: to.url, ...headers } })
const signUp = (email: string, to = app) => idp('POST', '/sign-up/email', { body: { email, password, name: 'Ada' } }, to)
const jwtOf = async (token: string, to = app) =>
  (await idp('GET', '/token', { headers: { authorization: `Bearer ${token}` } }, to)).body.token
const handshake = (jwt: string, to = app) => to.rest('POST', '/api/auth/session', { headers: { authorization: `Bearer ${jwt}` } })
const whoIs = async (session: string) =>
  (await app.graphql('{ me { email name organizations { name } } }', undefined, { session })).body.data.me

describe('the embedded identity provider', () => {
  test('leads from sign-up to a session', async () => {
    const email = newEmail()

    const { status, headers, body } = await signUp(email)
    const opened = await handshake(await jwtOf(body.token))

    expect({ status, caching: headers.get('cache-control') }).toEqual({ status: 200, caching: 'no-store' })
    expect(opened.body.user_id).toBe(body.user.id)
    expect(await whoIs(opened.body.session_token)).toEqual({ email, name: 'Ada', organizations: [{ name: "Ada's organization" }] })
  })

  test("accepts requests of Node's fetch, which sends Sec-Fetch headers without an Origin", async () => {
    const body = { email: newEmail(), password, name: 'Ada' }
    const post = (path: string) => app.rest('POST', `/idp${path}`, { body, headers: { 'sec-fetch-mode': 'cors' } })

    expect([(await post('/sign-up/email')).status, (await post('/sign-in/email')).status]).toEqual([200, 200])
  })

  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' }],
    ['no site, with a cookie', { cookie: 'a=b', 'sec-fetch-mode': 'cors' }],
    ['a form of another site', { origin: 'null', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }],
  ])('refuses requests from %s', async (_, headers) => {
    const { status } = await app.rest('POST', '/idp/sign-up/email', { body: { email: newEmail(), password, name: 'Ada' }, headers })

    expect(status).toBe(403)
  })

  test('404 for unknown paths and 405 for unknown methods are JSON', async () => {
    const unknown = await idp('GET', '/nothing')
    const traced = await new Promise<{ status: number | undefined; allow: string | undefined }>((resolve, reject) =>
      httpRequest(`${app.url}/idp/token`, { method: 'TRACE' }, ({ statusCode, headers }) =>
        resolve({ status: statusCode, allow: headers.allow }),
      )
        .on('error', reject)
        .end(),
    )

    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND'])
    expect(traced).toEqual({ status: 405, allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' })
  })

  test('leads from sign-in to a session, and refuses a wrong password', async () => {
    const email = newEmail()
    await signUp(email)

    const right = await idp('POST', '/sign-in/email', { body: { email, password } })
    const wrong = await idp('POST', '/sign-in/email', { body: { email, password: `${password}!` } })

    expect((await handshake(await jwtOf(right.body.token))).status).toBeLessThan(300)
    expect(wrong.status).toBe(401)
  })

  test('sends a link that signs in once; without a mail server it is logged', async () => {
    const email = newEmail()

    const asked = await idp('POST', '/sign-in/magic-link', { body: { email, name: 'Grace' } })
    const printed = app.log.map(line => JSON.parse(line)).find(line => line.email === email)
    // Posted, as the page does that asks in another browser.
    const follow = () => fetch(printed.url, { method: 'POST', redirect: 'manual' })
    const [first, second] = [await follow(), await follow()]

    expect(asked.body).toEqual({ status: true })
    expect(printed.level).toBe(30)
    const opened = await handshake(await jwtOf(first.headers.get('set-auth-token') ?? ''))
    expect(await whoIs(opened.body.session_token)).toEqual({ email, name: 'Grace', organizations: [{ name: "Grace's organization" }] })
    expect(second.headers.get('location')).toContain('error=INVALID_TOKEN')
    expect(second.headers.get('set-auth-token')).toBeNull()
  })

  test('keeps passwords, its session tokens and the tokens of links as hashes', async () => {
    const email = newEmail()
    const { body } = await signUp(email)
    await idp('POST', '/sign-in/magic-link', { body: { email } })
    const printed = app.log.map(line => JSON.parse(line)).findLast(line => line.email === email)

    const rows = await query(
      database.url,
      `select s::text as text from idp_sessions s union all select a::text from idp_accounts a
       union all select v::text from idp_verifications v union all select j::text from idp_jwks j`,
    )

    const dump = JSON.stringify(rows)
    expect(dump).toContain(body.user.id)
    for (const secret of [body.token, password, new URL(printed.url).searchParams.get('token')]) expect(dump).not.toContain(secret)
  })

  test('signs out', async () => {
    const { body } = await signUp(newEmail())
    const headers = { authorization: `Bearer ${body.token}` }

    await idp('POST', '/sign-out', { body: {}, headers })

    expect((await idp('GET', '/token', { headers })).status).toBe(401)
  })

  test('refuses requests of pages from other origins', async () => {
    const email = newEmail()
    await signUp(email)

    const { status } = await idp('POST', '/sign-in/email', { body: { email, password }, headers: { origin: 'https://evil.example.com' } })

    expect(status).toBe(403)
  })

  test('accepts requests of pages at localhost and at 127.0.0.1', async () => {
    const { port } = new URL(app.url)

    const { status } = await idp('POST', '/sign-up/email', {
      body: { email: newEmail(), password, name: 'Ada' },
      headers: { origin: `http://localhost:${port}` },
    })

    expect(status).toBe(200)
  })

  test('refuses a body of more than 64 KiB, and malformed JSON', async () => {
    const large = await idp('POST', '/sign-up/email', { body: { email: 'x'.repeat(70_000) } })
    const malformed = await idp('POST', '/sign-up/email', { body: '{"email":' })

    expect([large.status, malformed.status]).toEqual([413, 400])
    expect(large.body).toEqual({ code: 'PAYLOAD_TOO_LARGE', message: 'The body must not be larger than 65,536 bytes' })
  })

  // A connection that were closed before the end of the body could be reset, and the client would not see the answer.
  test('reads a refused body to its end', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const length = 900_000
    const headers = { 'content-type': 'application/json', 'content-length': length }
    const refused = httpRequest(`${app.url}/idp/sign-up/email`, { method: 'POST', agent, headers })
    refused.write('x'.repeat(70_000))
    const [answer] = (await once(refused, 'response')) as [IncomingMessage]
    refused.end('x'.repeat(length - 70_000))
    answer.resume()
    await once(answer, 'close')

    const next = httpRequest(`${app.url}/idp/.well-known/jwks.json`, { agent }).end()
    const [{ statusCode }] = (await once(next, 'response')) as [IncomingMessage]
    agent.destroy()

    expect([answer.statusCode, statusCode, next.reusedSocket]).toEqual([413, 200, true])
  })

  test('publishes one signing key, also when several processes start concurrently', async () => {
    const more = await Promise.all([startApp({ database }), startApp({ database })])
    try {
      const sets = await Promise.all([app, ...more].map(each => idp('GET', '/.well-known/jwks.json', {}, each)))
      expect(sets[0]?.body.keys).toEqual([expect.objectContaining({ kty: 'EC', alg: 'ES256', kid: expect.any(String) })])
      expect(sets.map(({ body }) => body)).toEqual(Array(3).fill(sets[0]?.body))
      expect(JSON.stringify(sets[0]?.body)).not.toContain('"d"')

      const { body } = await signUp(newEmail())
      const [other] = more
      expect((await handshake(await jwtOf(body.token), other)).status).toBeLessThan(300)
    } finally {
      await Promise.all(more.map(each => each.close()))
    }
  })

  test('counts attempts per IP address, and ignores forwarding headers of the client', async () => {
    const limited = await startApp({ database, env: { RATE_LIMIT: '1' } })
    try {
      const statuses: number[] = []
      for (let i = 0; i < 22; i++) {
        const spoofed = { 'x-forwarded-for': `10.0.0.${i}`, 'x-rcm-client-ip': `10.0.0.${i}` }
        const { status, headers } = await idp(
          'POST',
          '/sign-in/email',
          { body: { email: 'nobody@example.com', password }, headers: spoofed },
          limited,
        )
        statuses.push(status)
        if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect(statuses).toEqual([...Array(20).fill(401), 429, 429])
    } finally {
      await limited.close()
    }
  })
})
