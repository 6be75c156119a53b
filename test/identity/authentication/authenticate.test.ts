import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../src/identity/authentication/authenticate.ts'
import type { AppError } from '../../../src/kernel/errors.ts'
import { hookToken, openApp, serviceToken } from '../../support/app.ts'

const nextToken = 'the-next-service-token-012345'
const app = await openApp({ env: { SVC_SERVICES_TOKEN: `${serviceToken}, ${nextToken}` } })
const lenient = await openApp({ env: { ALLOW_USER_HEADER: '1' } })

const me = async (headers: Record<string, string>, to = app) => {
  const { body } = await to.graphql('{ me { userId isGuest organizations { id } } }', undefined, { headers })
  return body.data?.me ?? body.errors[0].extensions.code
}

/** The principal of a request to an operation that accepts service tokens, or the error code. */
const caller = async (headers: Record<string, string>) => {
  const identityProvider = { handler: () => {}, verify: () => Promise.reject(new Error('nobody presents a JWT here')), ask: null }
  const authenticator = createAuthenticator({ services: app.services, listener: app.services.listener, identityProvider })
  try {
    return await authenticator.authenticate({ headers, ip: '127.0.0.1' }, [
      'session',
      'services_token',
      'service_token',
      'user_header',
      'guest',
    ])
  } catch (error) {
    return (error as AppError).code
  }
}

describe('a service token', () => {
  test('acts for the user that it names, in the organizations of that user', async () => {
    const { userId, orgId } = await app.given.organization()

    const asked = { 'x-svc-services-token': serviceToken, 'x-user-id': userId }

    expect(await caller(asked)).toMatchObject({ kind: 'service', userId, orgIds: [orgId] })
  })

  test('acts for a user who has never signed in, without organizations', async () => {
    expect(await caller({ 'x-svc-services-token': serviceToken, 'x-user-id': 'unknown' })).toEqual({
      kind: 'service',
      userId: 'unknown',
      email: null,
      name: null,
      orgIds: [],
    })
  })

  test('without a user acts for no user', async () => {
    expect(await caller({ 'x-svc-services-token': serviceToken })).toMatchObject({ kind: 'service', userId: null, orgIds: [] })
  })

  test('works under both names and with both values while it is rotated', async () => {
    for (const name of ['x-svc-services-token', 'x-svc-service-token'])
      for (const token of [serviceToken, nextToken])
        expect(await caller({ [name]: token, 'x-user-id': 'u' })).toMatchObject({ userId: 'u' })
  })

  test.each([
    'wrong',
    `${serviceToken}, ${nextToken}`,
    serviceToken.slice(0, -1),
    `${serviceToken}x`,
  ])('%j is refused, and nothing weaker counts', async token => {
    expect(await caller({ 'x-svc-services-token': token, 'x-guest-id': 'guest', 'x-user-id': 'u' })).toBe('UNAUTHENTICATED')
  })

  test('is refused from a browser', async () => {
    expect(await caller({ 'x-svc-services-token': serviceToken, 'x-user-id': 'u', origin: 'https://app.example.com' })).toBe('FORBIDDEN')
  })

  test('is no bearer token', async () => {
    expect(await me({ authorization: `Bearer ${serviceToken}` })).toBe('UNAUTHENTICATED')
  })

  test('is ignored by operations that the contract does not list it for', async () => {
    expect(await me({ 'x-svc-services-token': serviceToken, 'x-user-id': 'u' })).toBe('UNAUTHENTICATED')
  })
})

describe('X-User-ID', () => {
  test('is ignored unless it is enabled', async () => {
    const { userId } = await app.given.organization()

    expect(await me({ 'x-user-id': userId })).toBe('UNAUTHENTICATED')
  })

  test('names the user where it is enabled', async () => {
    const { userId, orgId } = await lenient.given.organization()

    expect(await me({ 'x-user-id': userId }, lenient)).toEqual({ userId, isGuest: false, organizations: [{ id: orgId }] })
    const { body } = await lenient.graphql('{ session { id } }', undefined, { headers: { 'x-user-id': userId } })
    expect(body).toEqual({ data: { session: null } })
  })

  test('of an unknown user is refused, and not treated as a guest', async () => {
    expect(await me({ 'x-user-id': 'nobody', 'x-guest-id': 'guest' }, lenient)).toBe('UNAUTHENTICATED')
  })
})

describe('X-Guest-ID', () => {
  test('reads the demo organization, as soon as there is one', async () => {
    expect(await me({ 'x-guest-id': 'guest' })).toEqual({ userId: 'guest', isGuest: true, organizations: [] })

    const { id } = await app.services.database.prisma.organization.create({
      data: { id: '01890000-0000-7000-8000-00000000d3e0', name: 'Demo', isDemo: true },
    })

    expect(await me({ 'x-guest-id': 'guest' })).toEqual({ userId: 'guest', isGuest: true, organizations: [{ id }] })
  })

  test('has 1 to 128 characters', async () => {
    expect(await me({ 'x-guest-id': 'g'.repeat(128) })).toMatchObject({ isGuest: true })
    expect(await me({ 'x-guest-id': 'g'.repeat(129) })).toBe('UNAUTHENTICATED')
    expect(await me({ 'x-guest-id': '' })).toBe('UNAUTHENTICATED')
  })
})

describe('an invalid credential', () => {
  test.each([
    ['a hook token', hookToken],
    ['a uuid that is no session', '3f331ff2-0a3f-4b4d-a35f-3635f2be1887'],
    ['a JWT of nobody', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'],
    ['a word', 'password'],
  ])('%s as bearer is 401, whatever else is presented', async (_what, token) => {
    const { userId } = await app.given.organization()
    const weaker = { 'x-svc-services-token': serviceToken, 'x-user-id': userId, 'x-guest-id': 'guest' }

    expect(await me({ authorization: `Bearer ${token}`, ...weaker })).toBe('UNAUTHENTICATED')
  })

  test('the first credential in the order of priority is used', async () => {
    const { session, userId } = await app.given.session()

    expect(await caller({ authorization: `Bearer ${session}`, 'x-svc-services-token': 'wrong', 'x-guest-id': 'guest' })).toMatchObject({
      kind: 'session',
      userId,
    })
    expect(await caller({ 'x-svc-services-token': serviceToken, 'x-user-id': userId, 'x-guest-id': 'guest' })).toMatchObject({
      kind: 'service',
    })
  })

  test('the session API refuses an API key', async () => {
    const { key } = await app.given.apiKey()

    expect((await app.rest('GET', '/api/auth/session', { key })).status).toBe(401)
  })

  test('a token in the query is ignored', async () => {
    const { key } = await app.given.apiKey()

    expect((await app.rest('GET', `/api/dashboard?token=${key}`)).status).toBe(401)
  })
})

describe('several organizations', () => {
  test("X-Org-Id selects one; 422 without it, 403 with another user's", async () => {
    const { session, orgId } = await app.given.session()
    await app.graphql('mutation { createOrganization(input: { name: "Second" }) { id } }', undefined, { session })
    const { orgId: foreign } = await app.given.organization()
    const make = (headers: Record<string, string>) =>
      app.graphql('mutation { createApiKey(input: { label: "x" }) { apiKey { organizationIds } } }', undefined, { session, headers })

    const chosen = await make({ 'x-org-id': orgId })
    expect(chosen.body.data.createApiKey.apiKey.organizationIds).toEqual([orgId])
    const unchosen = await make({})
    expect(unchosen.body.errors[0].extensions).toMatchObject({ code: 'INVALID', problems: [{ path: ['header', 'X-Org-Id'] }] })
    const wrong = await make({ 'x-org-id': foreign })
    expect(wrong.body.errors[0].extensions.code).toBe('FORBIDDEN')
  })
})
