// The sign-in of a desktop application: a request is checked, agreed to, and its code exchanged once (RFC 8252, RFC 7636).

import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { handshake, jwtOf, newEmail, signUp } from '../provider.ts'

const app = await openApp({ env: { APP_SCHEMES: 'com.example.app' } })

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const loopback = 'http://127.0.0.1:4711/callback'
const request = { redirectUri: loopback, codeChallenge: challenge, clientName: 'Rolocom Desktop' }

const check = async (given: Json = {}) => {
  const { body } = await app.graphql(
    `query ($redirectUri: String!, $codeChallenge: String!, $codeChallengeMethod: String, $clientName: String!, $state: String) {
      applicationRequest(redirectUri: $redirectUri, codeChallenge: $codeChallenge, codeChallengeMethod: $codeChallengeMethod,
        clientName: $clientName, state: $state) { clientName redirectsTo } }`,
    { ...request, ...given },
  )
  return body.errors ? body.errors[0].extensions : body.data.applicationRequest
}
const authorize = async (session: string, given: Json = {}) => {
  const { body } = await app.graphql(
    'mutation ($input: AuthorizeApplicationInput!) { authorizeApplication(input: $input) { code redirectTo expiresAt } }',
    { input: { ...request, ...given } },
    { session },
  )
  return body.errors ? body.errors[0].extensions : body.data.authorizeApplication
}
const exchange = (code: string, given: Json = {}) =>
  app.rest('POST', '/api/auth/session', { body: { code, code_verifier: verifier, redirect_uri: loopback, ...given } })
const isLetIn = async (session: string) => (await app.graphql('{ me { userId } }', {}, { session })).body.data?.me.userId ?? null

describe('applicationRequest', () => {
  test.each([
    [loopback, '127.0.0.1:4711'],
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://[::1]:65535/x?y=z', '[::1]:65535'],
    ['com.example.app:/signed-in', 'com.example.app:'],
  ])('%s is shown as %s', async (redirectUri, redirectsTo) => {
    expect(await check({ redirectUri })).toEqual({ clientName: 'Rolocom Desktop', redirectsTo })
  })

  test.each([
    'http://localhost:4711/callback',
    'https://127.0.0.1:4711/callback',
    'http://127.0.0.1.example.com/',
    'http://127.0.0.1@example.com/',
    'http://example.com/',
    'https://example.com/',
    'com.example.other:/x',
    'javascript:alert(1)',
    'http://127.0.0.1:4711/#x',
    'http://user@127.0.0.1:4711/',
    'http://127.0.0.1:4711/\\example.com',
    'http://127.0.0.1:99999/',
    '/callback',
    '',
  ])('%s is no address to go back to', async redirectUri => {
    expect(await check({ redirectUri })).toMatchObject({ code: 'INVALID', problems: [{ path: ['redirectUri'] }] })
  })

  test('names everything that is wrong at once', async () => {
    const wrong = {
      redirectUri: 'x',
      codeChallenge: verifier.slice(1),
      codeChallengeMethod: 'plain',
      clientName: ' ',
      state: 'x'.repeat(1001),
    }

    expect((await check(wrong)).problems.map(({ path }: Json) => path[0])).toEqual([
      ...['redirectUri', 'codeChallenge', 'codeChallengeMethod', 'state', 'clientName'],
    ])
  })

  test('takes a name without what turns its direction', async () => {
    expect(await check({ clientName: 'Safe\u202e\n App' })).toMatchObject({ clientName: 'Safe App' })
  })
})

describe('a code', () => {
  test('is exchanged for a session of the user, with its application as the device', async () => {
    const { session, userId } = await app.given.session()

    const { code, redirectTo } = await authorize(session, { state: 'a b' })
    const opened = await exchange(code)

    expect(redirectTo).toBe(`${loopback}?code=${code}&state=a+b`)
    expect(opened).toMatchObject({ status: 201, body: { user_id: userId, session_token: expect.any(String) } })
    expect(opened.headers.get('cache-control')).toBe('no-store')
    expect(await isLetIn(opened.body.session_token)).toBe(userId)
    const { body } = await app.graphql('{ session { device clientName } }', {}, { session: opened.body.session_token })
    expect(body.data.session).toEqual({ device: 'Rolocom Desktop', clientName: 'Rolocom Desktop' })
    expect(app.log.join('\n')).not.toContain(code)
    expect(JSON.stringify(await app.services.database.prisma.authorizationCode.findMany())).not.toContain(code)
  })

  test('is refused the second time, and what it has opened is revoked', async () => {
    const { session, userId } = await app.given.session()
    const { code } = await authorize(session)
    const { body: first } = await exchange(code)

    const second = await exchange(code)

    expect(second).toMatchObject({ status: 400, body: { code: 'invalid_grant', status: 400 } })
    expect(await isLetIn(first.session_token)).toBeNull()
    expect(await isLetIn(session)).toBe(userId)
  })

  test('opens one session when it comes twice at the same time, and that one is revoked', async () => {
    const { session } = await app.given.session()
    const { code } = await authorize(session)

    const both = await Promise.all([exchange(code), exchange(code)])

    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(await isLetIn(both.find(({ status }) => status === 201)?.body.session_token)).toBeNull()
  })

  test('is good for 60 seconds', async () => {
    const { session } = await app.given.session()
    const now = new Date()
    app.setNow(now)
    const [late, early] = [await authorize(session), await authorize(session)]

    app.setNow(new Date(now.getTime() + 59_000))
    expect((await exchange(early.code)).status).toBe(201)
    app.setNow(new Date(now.getTime() + 60_000))
    expect((await exchange(late.code)).body.code).toBe('invalid_grant')
    app.setNow(null)
  })

  test('needs its verifier and its address; a wrong one leaves it good', async () => {
    const { session } = await app.given.session()
    const { code } = await authorize(session)

    for (const wrong of [{ code_verifier: challenge }, { code_verifier: 'short' }, { redirect_uri: `${loopback}/` }])
      expect((await exchange(code, wrong)).body.code).toBe('invalid_grant')
    expect((await exchange('x')).body.code).toBe('invalid_grant')
    expect((await exchange(code)).status).toBe(201)
  })

  test('ends with the session in which the user agreed, and its session ends with the sign-in', async () => {
    const signIn = await signUp(app, newEmail())
    const jwt = await jwtOf(app, signIn)
    const { session_token: session } = (await handshake(app, jwt)).body
    const { code } = await authorize(session)
    const { body: opened } = await exchange(code)
    const late = await authorize(session)
    expect(await isLetIn(opened.session_token)).not.toBeNull()

    await app.rest('POST', '/idp/sign-out', { session: signIn, headers: { origin: app.url } })

    expect(await isLetIn(opened.session_token)).toBeNull()
    expect((await exchange(late.code)).body.code).toBe('invalid_grant')
  })

  test('of a session that was revoked is refused', async () => {
    const { session } = await app.given.session()
    const { code } = await authorize(session)
    await app.rest('DELETE', '/api/auth/session', { session })

    expect((await exchange(code)).body.code).toBe('invalid_grant')
  })

  test('is made by sessions only', async () => {
    const { key } = await app.given.apiKey()
    const text = 'mutation ($input: AuthorizeApplicationInput!) { authorizeApplication(input: $input) { code } }'
    const ask = async (asked: Json) => (await app.graphql(text, { input: request }, asked)).body.errors[0].extensions.code

    expect(await ask({ key })).toBe('FORBIDDEN')
    expect(await ask({ headers: { 'x-guest-id': 'guest' } })).toBe('GUEST_READ_ONLY')
    expect(await ask({})).toBe('UNAUTHENTICATED')
  })
})

describe('POST /api/auth/session without a credential', () => {
  const post = (body?: unknown, headers: Record<string, string> = {}) =>
    app.rest('POST', '/api/auth/session', { ...(body !== undefined && { body }), headers })

  test('and without a code is 401, as it was', async () => {
    expect((await post()).status).toBe(401)
    expect(await post({})).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  test('names the missing values', async () => {
    const problems = async (body: unknown) => (await post(body)).body.detail.map(({ loc, type }: Json) => [...loc, type])

    expect(await problems({ code: 'x' })).toEqual([
      ['body', 'code_verifier', 'missing'],
      ['body', 'redirect_uri', 'missing'],
    ])
    expect(await problems({ code: 'x', device_code: 'y' })).toEqual([['body', 'code', 'value_error']])
    expect(await problems({ kode: 'x' })).toContainEqual(['body', 'kode', 'extra_forbidden'])
  })

  test('but with a wrong one is 401, whatever the body', async () => {
    expect((await post({ code: 'x' }, { authorization: 'Bearer x' })).status).toBe(401)
  })

  test('cannot be tried', async () => {
    expect((await app.rest('POST', '/api/auth/session?dry_run=true', { body: { device_code: 'x' } })).status).toBe(422)
  })
})
