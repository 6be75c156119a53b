import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { audience, issuer, startProvider } from '../outside-provider.ts'

const provider = await keepOpen(startProvider())
const pair = await provider.rotate('one')
const app = await openApp({ env: { IDENTITY_ISSUER: issuer, IDENTITY_AUDIENCE: audience, IDENTITY_JWKS_URL: provider.url } })

const tokenFor = (sub: string, claims = {}) => provider.sign(pair, { claims: { sub, ...claims } })
const asIdentity = async (sub: string, claims = {}) => ({ headers: { authorization: `Bearer ${await tokenFor(sub, claims)}` } })
const handshake = async (sub: string, claims = {}) => app.rest('POST', '/api/auth/session', await asIdentity(sub, claims))
const isLetIn = async (session: string) => {
  const { body } = await app.graphql('{ __typename }', undefined, { session })
  return body.data !== undefined
}
const day = 86_400_000

describe('POST /api/auth/session', () => {
  test('gives a first-time user a personal organization', async () => {
    const { body } = await handshake('newcomer', { name: 'Grace', email: 'grace@example.com' })

    const { body: answer } = await app.graphql('{ me { userId email name isGuest organizations { name role } } }', undefined, {
      session: body.session_token,
    })
    expect(answer.data.me).toEqual({
      userId: 'newcomer',
      email: 'grace@example.com',
      name: 'Grace',
      isGuest: false,
      organizations: [{ name: "Grace's organization", role: 'OWNER' }],
    })
  })

  test('creates one organization for concurrent first handshakes of a user', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => handshake('twins')))

    const tokens = answers.map(({ body }) => body.session_token)
    expect(new Set(tokens).size).toBe(10)
    const [counted] = await query(app.database.url, `select count(*)::int as organizations from memberships where user_id = 'twins'`)
    expect(counted).toEqual({ organizations: 1 })
    expect(await Promise.all(tokens.map(isLetIn))).toEqual(Array(10).fill(true))
  })

  test('ends the sessions that were not used for longest where a user has more than 500', async () => {
    const { body: earlier } = await handshake('tireless')
    await query(
      app.database.url,
      `insert into sessions (id, token_hash, user_id, last_used_at, expires_at)
       select gen_random_uuid(), sha256(i::text::bytea), 'tireless', now() - interval '1 hour' * i, now() + interval '1 day'
       from generate_series(1, 520) i`,
    )

    const { body } = await handshake('tireless')

    const { body: answer } = await app.graphql('{ sessions { lastUsedAt isCurrent } }', undefined, { session: body.session_token })
    expect(answer.data.sessions).toHaveLength(500)
    expect(answer.data.sessions.filter((session: { isCurrent: boolean }) => session.isCurrent)).toHaveLength(1)
    expect(await isLetIn(earlier.session_token)).toBe(true)
    const [ended] = await query(
      app.database.url,
      `select count(*)::int as ended, max(last_used_at) < now() - interval '498 hours' as oldest
       from sessions where user_id = 'tireless' and revoked_at is not null`,
    )
    expect(ended).toEqual({ ended: 22, oldest: true })
  })

  test("stores only the token's hash, and records an event without the token", async () => {
    const { body } = await handshake('hashed')

    const rows = await query(app.database.url, 'select s::text as text from sessions s union all select e::text from events e')
    expect(JSON.stringify(rows)).toContain('session.created')
    expect(JSON.stringify(rows)).not.toContain(body.session_token)
  })

  test('never adopts a token that the client chose', async () => {
    const chosen = '00000000-0000-4000-8000-000000000000'
    const { headers } = await asIdentity('fixated')

    const { body } = await app.rest('POST', '/api/auth/session', {
      headers: { ...headers, 'x-session-token': chosen, cookie: `session=${chosen}` },
    })

    expect(body.session_token).not.toBe(chosen)
    expect(await isLetIn(chosen)).toBe(false)
  })

  test('with an Idempotency-Key answers a retry with the same session, which is stored encrypted', async () => {
    const { headers } = await asIdentity('retrying')
    const asked = { headers: { ...headers, 'idempotency-key': 'handshake-1' } }

    const [first, second] = [await app.rest('POST', '/api/auth/session', asked), await app.rest('POST', '/api/auth/session', asked)]

    expect(second.body).toEqual(first.body)
    const answers = await query(app.database.url, 'select answer from idempotency_keys')
    expect(answers.length).toBeGreaterThan(0)
    expect(JSON.stringify(answers)).not.toContain(first.body.session_token)
  })

  test('updates email address and name from the token', async () => {
    const { body } = await handshake('renamed', { name: 'Before' })
    await handshake('renamed', { name: 'After' })

    await expect
      .poll(async () => (await app.graphql('{ me { name } }', undefined, { session: body.session_token })).body.data.me)
      .toEqual({ name: 'After' })
  })

  test('without a token is 401', async () => {
    expect((await app.rest('POST', '/api/auth/session')).status).toBe(401)
  })
})

describe('GET and DELETE /api/auth/session', () => {
  test('return the session of the request, and end it', async () => {
    const { body } = await handshake('leaving')
    const session = body.session_token

    const seen = await app.rest('GET', '/api/auth/session', { session })
    expect(seen.status).toBe(200)
    expect(seen.body).toMatchObject({ user_id: 'leaving', expires_at: body.expires_at })

    const ended = await app.rest('DELETE', '/api/auth/session', { session })
    expect(ended.status).toBeLessThan(300)
    expect((await app.rest('GET', '/api/auth/session', { session })).status).toBe(401)
  })
})

describe('a session', () => {
  test('is extended by use, and ends thirty days after the last', async () => {
    const start = new Date('2030-06-01T00:00:00.000Z')
    const at = (ms: number) => app.setNow(new Date(start.getTime() + ms))
    app.setNow(start)
    const { session } = await app.given.session()
    const { session: idle } = await app.given.session()

    at(30 * day - 3_600_000)
    expect(await isLetIn(session)).toBe(true)
    await expect
      .poll(() =>
        query(app.database.url, 'select count(*)::int as slid from sessions where last_used_at > $1', [new Date(start.getTime() + day)]),
      )
      .toEqual([{ slid: 1 }])

    at(30 * day + 60_000)
    expect([await isLetIn(session), await isLetIn(idle)]).toEqual([true, false])
    at(60 * day - 3_600_000 - 1)
    expect(await isLetIn(session)).toBe(true)
    at(90 * day + 60_000)
    expect(await isLetIn(session)).toBe(false)
    app.setNow(null)
  })

  test('is written at most once a minute, and the expiry at most once an hour', async () => {
    const start = new Date('2031-06-01T00:00:00.000Z')
    const later = (ms: number) => new Date(start.getTime() + ms)
    app.setNow(start)
    const { session, userId } = await app.given.session()
    const written = () => query(app.database.url, 'select last_used_at, expires_at from sessions where user_id = $1', [userId])

    app.setNow(later(59_000))
    app.statements()
    await isLetIn(session)
    // One statement reads the session; none writes it.
    expect(app.statements()).toBe(1)
    expect(await written()).toEqual([{ last_used_at: start, expires_at: later(30 * day) }])

    app.setNow(later(60_000))
    await isLetIn(session)
    await expect.poll(written).toEqual([{ last_used_at: later(60_000), expires_at: later(30 * day) }])

    app.setNow(later(3_600_000))
    await isLetIn(session)
    await expect.poll(written).toEqual([{ last_used_at: later(3_600_000), expires_at: later(30 * day + 3_600_000) }])
    app.setNow(null)
  })

  test('that is cached needs no statement', async () => {
    const { session } = await app.given.session()

    const statementsOfFive = async () => {
      app.statements()
      for (let i = 0; i < 5; i++) expect(await isLetIn(session)).toBe(true)
      return app.statements()
    }
    await expect.poll(statementsOfFive).toBe(0)
  })
})

describe('sessions, revokeSession, revokeOtherSessions', () => {
  const list = '{ sessions { id device ipAddress isCurrent } }'

  test("list the user's sessions, and revoke one of them or all others", async () => {
    const open = async () => (await app.rest('POST', '/api/auth/session', await asIdentity('everywhere'))).body.session_token
    const [here, phone, old] = [await open(), await open(), await open()]
    const stranger = (await handshake('stranger')).body.session_token

    const { body } = await app.graphql(list, undefined, { session: here })
    expect(body.data.sessions).toHaveLength(3)
    expect(body.data.sessions.filter((session: { isCurrent: boolean }) => session.isCurrent)).toEqual([
      { id: expect.any(String), device: 'node', ipAddress: '127.0.0.1', isCurrent: true },
    ])

    const current = await app.graphql('{ session { id } }', undefined, { session: phone })
    const { id } = current.body.data.session
    const revoked = await app.graphql(
      'mutation ($id: ID!) { revokeSession(input: { id: $id }) { id isCurrent } }',
      { id },
      { session: here },
    )
    expect(revoked.body.data.revokeSession).toEqual({ id, isCurrent: false })
    expect([await isLetIn(here), await isLetIn(phone), await isLetIn(old)]).toEqual([true, false, true])

    const others = await app.graphql('mutation { revokeOtherSessions { isCurrent } }', undefined, { session: here })
    expect(others.body.data.revokeOtherSessions).toEqual([{ isCurrent: false }])
    expect([await isLetIn(here), await isLetIn(old), await isLetIn(stranger)]).toEqual([true, false, true])
  })

  test("another user's session is not found", async () => {
    const mine = (await handshake('mine')).body.session_token
    const theirs = (await handshake('theirs')).body.session_token
    const { body } = await app.graphql('{ session { id } }', undefined, { session: theirs })

    for (const id of [body.data.session.id, 'nonsense']) {
      const answer = await app.graphql('mutation ($id: ID!) { revokeSession(input: { id: $id }) { id } }', { id }, { session: mine })
      expect(answer.body.errors[0].extensions.code).toBe('NOT_FOUND')
    }
    expect(await isLetIn(theirs)).toBe(true)
  })
})

describe('createOrganization', () => {
  test('creates an organization that the user owns and has access to from the next request on', async () => {
    const session = (await handshake('founder')).body.session_token

    const { body } = await app.graphql('mutation { createOrganization(input: { name: " Second " }) { id name role } }', undefined, {
      session,
    })

    expect(body.data.createOrganization).toEqual({ id: expect.any(String), name: 'Second', role: 'OWNER' })
    const headers = { 'x-org-id': body.data.createOrganization.id }
    expect((await app.graphql('{ apiKeys { id } }', undefined, { session, headers })).body).toEqual({ data: { apiKeys: [] } })
  })

  test.each(['', '   ', 'x'.repeat(201)])('refuses the name %j', async name => {
    const session = (await handshake('unnamed')).body.session_token

    const { body } = await app.graphql(
      'mutation ($name: String!) { createOrganization(input: { name: $name }) { id } }',
      { name },
      { session },
    )

    expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID', problems: [{ path: ['name'] }] })
  })
})
