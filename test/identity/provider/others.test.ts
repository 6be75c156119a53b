// Signing in with Google at the embedded provider, and with an external provider in its place.

import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openApp, startApp, type TestApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { audience, issuer, startProvider } from '../outside-provider.ts'
import { bearer, handshake, idp, isLetIn, isSignedIn, newEmail, openSession, signIn, signInByLink, signUp } from '../provider.ts'

const clientId = 'client.apps.example.com'
const pair = generateKeyPair('RS256', { extractable: true })

/** An id token of Google. */
async function googleToken(sub: string, email: string, isVerified = true): Promise<string> {
  return await new SignJWT({ email, email_verified: isVerified, name: 'Grace' })
    .setProtectedHeader({ alg: 'RS256', kid: 'google-1' })
    .setIssuer('https://accounts.google.com')
    .setAudience(clientId)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign((await pair).privateKey)
}

describe('Google', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: 'client secret' } })
    const { fetch } = globalThis
    const jwk = { ...(await exportJWK((await pair).publicKey)), kid: 'google-1', alg: 'RS256', use: 'sig' }
    vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) =>
      String(asked[0] instanceof Request ? asked[0].url : asked[0]).startsWith('https://www.googleapis.com/oauth2/v3/certs')
        ? Promise.resolve(Response.json({ keys: [jwk] }))
        : fetch(...asked),
    )
  })
  afterAll(async () => {
    vi.unstubAllGlobals()
    await app?.close()
  })

  const byGoogle = (token: string) => idp(app, 'POST', '/sign-in/social', { body: { provider: 'google', idToken: { token } } })

  test("signs the owner of an address in to an account created with it, and ends the creator's access", async () => {
    const email = newEmail()
    const intruder = await signUp(app, email)
    const session = await openSession(app, intruder)
    const { body: made } = await app.graphql('mutation { createApiKey(input: { label: "CI" }) { key } }', undefined, { session })

    const { status, body } = await byGoogle(await googleToken('owner-1', email))

    const { body: current } = await idp(app, 'GET', '/get-session', bearer(body.token))
    expect([status, current.user.id, current.user.emailVerified]).toEqual([200, body.user.id, true])
    expect(await isLetIn(app, { session: await openSession(app, body.token) })).toBe(true)
    expect(await isSignedIn(app, intruder)).toBe(false)
    expect(await isLetIn(app, { session })).toBe(false)
    expect(await isLetIn(app, { key: made.data.createApiKey.key })).toBe(false)
    expect((await signIn(app, email)).status).toBe(401)
    const again = await byGoogle(await googleToken('owner-1', email))
    expect([again.status, again.body.user.id]).toEqual([200, body.user.id])
  })

  test('does not verify an address that Google reports as unverified', async () => {
    const email = newEmail()
    const owner = await signUp(app, email)

    const { status } = await byGoogle(await googleToken('intruder-1', email, false))

    expect(status).toBe(401)
    expect([await isSignedIn(app, owner), (await signIn(app, email)).status]).toEqual([true, 200])
  })

  test('ends the access of an account that signed up through it with an unverified address', async () => {
    const email = newEmail()
    const { body: intruder } = await byGoogle(await googleToken('intruder-2', email, false))
    const session = await openSession(app, intruder.token)

    const owner = await signInByLink(app, email)

    expect([await isSignedIn(app, owner), await isSignedIn(app, intruder.token), await isLetIn(app, { session })]).toEqual([
      true,
      false,
      false,
    ])
    expect((await byGoogle(await googleToken('intruder-2', email, false))).status).toBe(401)
  })

  test("is not linked if its address differs from the account's", async () => {
    const email = newEmail()
    const intruder = await signUp(app, email)
    const token = await googleToken('intruder-3', newEmail('intruder'))

    const linked = await idp(app, 'POST', '/link-social', { body: { provider: 'google', idToken: { token } }, ...bearer(intruder) })
    await signInByLink(app, email)

    expect(linked.status).toBeGreaterThanOrEqual(400)
    const accounts = await query(
      app.database.url,
      'select a.provider_id from idp_accounts a join idp_users u on u.id = a.user_id where u.email = $1',
      [email],
    )
    expect(accounts).toEqual([])
  })
})

describe('an outside provider', async () => {
  const provider = await keepOpen(startProvider())
  const app = await openApp({ env: { IDENTITY_ISSUER: issuer, IDENTITY_AUDIENCE: audience, IDENTITY_JWKS_URL: provider.url } })

  test('never signs in to an existing user by address, verified or not', async () => {
    const key = await provider.rotate('one')
    const email = newEmail()
    const open = async (claims: object) => (await handshake(app, await provider.sign(key, { claims: { email, ...claims } }))).body
    const owner = await open({ sub: 'owner', email_verified: true })

    const others = [await open({ sub: 'unverified', email_verified: false }), await open({ sub: 'verified', email_verified: true })]

    const ask = async (session: string) =>
      (await app.graphql('{ me { userId organizations { id } } }', undefined, { session })).body.data.me
    const [first, ...rest] = [await ask(owner.session_token), ...(await Promise.all(others.map(({ session_token }) => ask(session_token))))]
    expect([first, ...rest].map(({ userId }) => userId)).toEqual(['owner', 'unverified', 'verified'])
    expect(new Set([first, ...rest].map(({ organizations }) => organizations[0].id)).size).toBe(3)
  })
})
