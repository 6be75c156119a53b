// What must not work: codes and tokens of others or used twice, other addresses, more scopes, floods, and pages in frames.

import { describe, expect, test } from 'vitest'
import { post } from '../../mcp/client.ts'
import { openApp } from '../../support/app.ts'
import { agree, ask, authorization, callback, connected, register, send, verifier } from './given.ts'

const app = await openApp()

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const statusWith = async (token: string) => (await post(app, listTools, { authorization: `Bearer ${token}` })).status
const errorOf = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error]
const paths = ({ code, problems }: { code: string; problems?: { path: string[] }[] }) => [
  code,
  ...(problems ?? []).map(({ path }) => path.join('.')),
]

describe('a code', () => {
  test('is of use once: sent again, it ends what it was exchanged for', async () => {
    const { session } = await app.given.session()
    const { exchange, refresh } = await connected(app, session)
    const { body: tokens } = await exchange()
    expect(await statusWith(tokens.access_token)).toBe(200)

    expect(errorOf(await exchange())).toEqual([400, 'invalid_grant'])

    expect(await statusWith(tokens.access_token)).toBe(401)
    expect(errorOf(await refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('that twenty exchange at once makes one pair of tokens at most', async () => {
    const { session } = await app.given.session()
    const { exchange } = await connected(app, session)

    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange()))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test.each([
    ['another verifier', { code_verifier: verifier.replace(/^./, first => (first === 'A' ? 'B' : 'A')) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:4712/callback' }, 'invalid_grant'],
    ['another resource', { resource: 'https://example.com/mcp' }, 'invalid_target'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('with %s is refused, and stays good for its client', async (_what, other, error) => {
    const { session } = await app.given.session()
    const { exchange } = await connected(app, session)

    expect(errorOf(await exchange(other))).toEqual([400, error])
    expect((await exchange()).status).toBe(200)
  })

  test('is refused without its client, and stays good for it', async () => {
    const { session } = await app.given.session()
    const { exchange } = await connected(app, session)

    expect(errorOf(await exchange({ client_id: '' }))).toEqual([401, 'invalid_client'])
    expect((await exchange()).status).toBe(200)
  })

  test('of another client is refused', async () => {
    const { session } = await app.given.session()
    const { exchange } = await connected(app, session)
    const { body: other } = await register(app)

    expect(errorOf(await exchange({ client_id: other.client_id }))).toEqual([400, 'invalid_grant'])
  })

  test('ends after a minute, and with the session in which the person agreed', async () => {
    const { session } = await app.given.session()
    const late = await connected(app, session)
    app.setNow(new Date(Date.now() + 61_000))
    expect(errorOf(await late.exchange())).toEqual([400, 'invalid_grant'])
    app.setNow(null)
    const signedOut = await connected(app, session)
    await app.graphql('mutation { endSession { id } }', {}, { session })

    expect(errorOf(await signedOut.exchange())).toEqual([400, 'invalid_grant'])
  })
})

describe('a refresh token', () => {
  const minuteLater = () => app.setNow(new Date(Date.now() + 60_000))

  test('that is sent again after a minute ends the connection with the tokens that came after it', async () => {
    const { session } = await app.given.session()
    const { exchange, refresh } = await connected(app, session)
    const { body: first } = await exchange()
    const { body: second } = await refresh(first.refresh_token)
    expect(await statusWith(second.access_token)).toBe(200)
    minuteLater()

    expect(errorOf(await refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])

    expect(await statusWith(second.access_token)).toBe(401)
    expect(errorOf(await refresh(second.refresh_token))).toEqual([400, 'invalid_grant'])
    app.setNow(null)
  })

  test('that is sent again within a minute, after a lost answer, has the same answer', async () => {
    const { session } = await app.given.session()
    const { exchange, refresh } = await connected(app, session)
    const { body: first } = await exchange()

    const [lost, again] = [await refresh(first.refresh_token), await refresh(first.refresh_token, { scope: 'contacts:read' })]

    expect([again.status, again.body]).toEqual([200, lost.body])
    expect(await statusWith(again.body.access_token)).toBe(200)
    expect((await refresh(again.body.refresh_token)).status).toBe(200)
  })

  test('that twenty send at once has one answer for all', async () => {
    const { session } = await app.given.session()
    const { exchange, refresh } = await connected(app, session)
    const { body: first } = await exchange()

    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refresh_token)))

    expect(new Set(answers.map(({ status, body }) => `${status} ${body.refresh_token}`)).size).toBe(1)
    expect(await statusWith(answers[0]?.body.access_token)).toBe(200)
  })

  test.each([
    ['by another client', false],
    ['after the next one was used', true],
  ])('that is sent again within a minute %s ends the connection', async (_when, isUsed) => {
    const { session } = await app.given.session()
    const { exchange, refresh } = await connected(app, session)
    const { body: first } = await exchange()
    const { body: second } = await refresh(first.refresh_token)
    const latest = isUsed ? (await refresh(second.refresh_token)).body : second
    const other: Record<string, string> = isUsed ? {} : { client_id: (await register(app)).body.client_id }

    expect(errorOf(await refresh(first.refresh_token, other))).toEqual([400, 'invalid_grant'])

    expect(await statusWith(latest.access_token)).toBe(401)
  })

  test('is not repeated once the connection has ended, and its answer is stored encrypted', async () => {
    const { session, userId } = await app.given.session()
    const { exchange, refresh } = await connected(app, session)
    const { body: first } = await exchange()
    const { body: second } = await refresh(first.refresh_token)
    const rows = await app.services.database.prisma.oauthToken.findMany({ where: { grant: { userId } } })
    await app.graphql('mutation { revokeAllSessions { id } }', {}, { session })

    expect(errorOf(await refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])
    expect(rows.map(({ answer }) => answer?.slice(0, 10) ?? null).toSorted()).toEqual(['encrypted:', null])
    expect(JSON.stringify(rows)).not.toContain(second.refresh_token.slice(4, 20))
  })

  test('does not widen the scopes, move to another resource or client, or outlive 30 days', async () => {
    const { session } = await app.given.session()
    const { exchange, refresh } = await connected(app, session, {}, ['CONTACTS_READ'])
    const { body: tokens } = await exchange()
    const { body: other } = await register(app)

    expect(errorOf(await refresh(tokens.refresh_token, { scope: 'contacts:read contacts:write' }))).toEqual([400, 'invalid_scope'])
    expect(errorOf(await refresh(tokens.refresh_token, { resource: 'https://example.com/' }))).toEqual([400, 'invalid_target'])
    expect(errorOf(await refresh(tokens.refresh_token, { client_id: other.client_id }))).toEqual([400, 'invalid_grant'])
    app.setNow(new Date(Date.now() + 30 * 86_400_000 + 60_000))
    expect(errorOf(await refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant'])
    app.setNow(null)
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })
})

describe('an access token', () => {
  test('opens /mcp alone', async () => {
    const { session } = await app.given.session()
    const { exchange } = await connected(app, session)
    const { body } = await exchange()
    const key = body.access_token

    expect((await app.rest('GET', '/api/crm/v1/contacts', { key })).status).toBe(401)
    expect((await app.graphql('{ me { id } }', {}, { key })).status).toBe(401)
    expect((await app.rest('POST', '/api/auth/session', { key })).status).toBe(401)
    expect(await statusWith(key)).toBe(200)
    expect(await statusWith(body.refresh_token)).toBe(401)
    expect(app.log.join('\n')).not.toContain(key)
  })

  test('for another resource is refused', async () => {
    const { session, userId } = await app.given.session()
    const { exchange } = await connected(app, session)
    const { body } = await exchange()
    await app.services.database.prisma.oauthGrant.updateMany({ where: { userId }, data: { resource: 'https://example.com/mcp' } })

    expect(await statusWith(body.access_token)).toBe(401)
  })

  test('ends with the membership, and with all sessions', async () => {
    const { orgId } = await app.given.session()
    const member = await app.given.member({ orgId, role: 'member' })
    const { exchange, refresh } = await connected(app, member.session)
    const { body: tokens } = await exchange()
    expect(await statusWith(tokens.access_token)).toBe(200)
    const left = await app.graphql(`mutation { leaveOrganization(input: { id: "${orgId}" }) { id } }`, {}, { session: member.session })
    expect(left.body.data.leaveOrganization).toEqual({ id: orgId })
    expect(await statusWith(tokens.access_token)).toBe(401)
    expect(errorOf(await refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant'])

    const { session } = await app.given.session()
    const other = await connected(app, session)
    const { body } = await other.exchange()
    await app.graphql('mutation { revokeAllSessions { id } }', {}, { session })
    expect(await statusWith(body.access_token)).toBe(401)
    expect(errorOf(await other.refresh(body.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('is revoked by its client, with its refresh token, and by no other client', async () => {
    const { session } = await app.given.session()
    const { clientId, exchange, refresh } = await connected(app, session)
    const { body: tokens } = await exchange()
    const { body: other } = await register(app)
    const revoke = (client_id: string) => send(app, '/oauth/revoke', { token: tokens.refresh_token, client_id })

    expect(errorOf(await revoke(other.client_id))).toEqual([400, 'unauthorized_client'])
    expect(await statusWith(tokens.access_token)).toBe(200)
    expect((await revoke(clientId)).status).toBe(200)

    expect(await statusWith(tokens.access_token)).toBe(401)
    expect(errorOf(await refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant'])
    expect((await send(app, '/oauth/revoke', { token: 'nothing' })).status).toBe(200)
  })
})

describe('scopes', () => {
  test('of a viewer are those that read, whatever is asked for and agreed to', async () => {
    const { orgId } = await app.given.session()
    const { session } = await app.given.member({ orgId, role: 'viewer' })
    const { body: client } = await register(app)
    const url = authorization(app, client.client_id)

    expect((await ask(app, url, session)).scopes).toEqual(['CONTACTS_READ'])
    expect(paths(await agree(app, url, session, ['CONTACTS_READ', 'CONTACTS_WRITE']))).toEqual(['INVALID', 'scopes'])
  })

  test('that were not asked for, all of them, or none cannot be agreed to', async () => {
    const { session } = await app.given.session()
    const { body: client } = await register(app)
    const url = authorization(app, client.client_id, { scope: 'contacts:read' })

    expect(paths(await agree(app, url, session, ['CONTACTS_READ', 'CALLS_WRITE']))).toEqual(['INVALID', 'scopes'])
    expect(paths(await agree(app, url, session, ['ALL']))).toEqual(['INVALID', 'scopes'])
    expect(paths(await agree(app, url, session, []))).toEqual(['INVALID', 'scopes'])
    const silent = authorization(app, client.client_id, { scope: 'openid offline_access' })
    expect((await ask(app, silent, session)).scopes.every((scope: string) => scope.endsWith('_READ'))).toBe(true)
  })

  test('shrink with the role, at once', async () => {
    const owner = await app.given.session()
    const member = await app.given.member({ orgId: owner.orgId, role: 'member' })
    const { exchange } = await connected(app, member.session)
    const { body } = await exchange()
    const names = async () =>
      (await post(app, listTools, { authorization: `Bearer ${body.access_token}` })).body.result.tools.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names()).toContain('create_contact')

    const where = { userId_organizationId: { userId: member.userId, organizationId: owner.orgId } }
    await app.services.database.prisma.membership.update({ where, data: { role: 'viewer' } })
    await app.services.listener.settle()

    expect(await names()).not.toContain('create_contact')
    expect(await names()).toContain('get_contact')
  })

  test('are agreed to by a signed-in person alone: not by an API key, a guest or a stranger', async () => {
    const { key } = await app.given.apiKey()
    const { body: client } = await register(app)
    const url = authorization(app, client.client_id)

    expect((await agree(app, url, key, ['CONTACTS_READ'])).code).toBe('FORBIDDEN')
    expect((await agree(app, url, '', ['CONTACTS_READ'])).code).toBe('UNAUTHENTICATED')
  })
})

describe('a request', () => {
  test.each([
    [{ client_id: '0189d3f0-0000-7000-8000-000000000000' }, ['clientId']],
    [{ client_id: 'https://example.com' }, ['clientId']],
    [{ redirect_uri: 'https://evil.example/callback' }, ['redirectUri']],
    [{ redirect_uri: 'http://127.0.0.1:4711/callback/../other' }, ['redirectUri']],
    [{ redirect_uri: `${callback}?next=https://evil.example` }, ['redirectUri']],
    [{ redirect_uri: 'http://127.0.0.1:4711@evil.example/callback' }, ['redirectUri']],
    [{ redirect_uri: 'javascript:alert(1)' }, ['redirectUri']],
    [{ response_type: 'token' }, ['responseType']],
    [{ code_challenge: null, code_challenge_method: null }, ['codeChallenge', 'codeChallengeMethod']],
    [{ code_challenge_method: 'plain' }, ['codeChallengeMethod']],
    [{ resource: 'https://example.com/mcp' }, ['resource']],
    [{ state: 'x'.repeat(2001) }, ['state']],
  ])('with %j is refused on the page, which sends nobody anywhere', async (given, where) => {
    const { session } = await app.given.session()
    const { body: client } = await register(app)
    const url = authorization(app, client.client_id, given)

    expect(paths(await ask(app, url))).toEqual(['INVALID', ...where])
    expect(paths(await agree(app, url, session, ['CONTACTS_READ']))).toEqual(['INVALID', ...where])
  })

  test.each<[string, (url: string) => Record<string, string | null>, Record<string, string>]>([
    ['no resource, which can only be the one that there is', () => ({ resource: null }), {}],
    ['an empty resource', () => ({ resource: '', scope: '' }), { resource: '' }],
    ['the resource in capitals and with a slash', url => ({ resource: `${url.replace('http', 'HTTP')}/mcp/` }), {}],
  ])('with %s is granted', async (_what, asked, told) => {
    const { session } = await app.given.session()
    const { exchange, refresh } = await connected(app, session, asked(app.url))
    const { status, body: tokens } = await exchange(told)

    expect([status, await statusWith(tokens.access_token)]).toEqual([200, 200])
    expect((await refresh(tokens.refresh_token, { resource: '', scope: '' })).status).toBe(200)
  })

  test.each([
    ['http://127.0.0.1:33418', 'http://127.0.0.1:33418/'],
    ['http://127.0.0.1:33418/', 'http://127.0.0.1:51234'],
    ['http://LOCALHOST/callback', 'http://localhost:51234/callback'],
    ['https://Www.Example.com', 'https://www.example.com/'],
    ['http://[::1]/?app=1', 'http://[::1]:51234?app=1'],
  ])('of the address %s may be answered at %s', async (registered, given) => {
    const { body: client } = await register(app, { redirect_uris: [registered] })

    expect(await ask(app, authorization(app, client.client_id, { redirect_uri: given }))).toMatchObject({
      redirectsTo: new URL(given).host,
    })
    expect(paths(await ask(app, authorization(app, client.client_id, { redirect_uri: `${new URL(given).origin}/other` })))).toEqual([
      ...['INVALID', 'redirectUri'],
    ])
  })

  test('of a loopback address may name another port, as native applications need', async () => {
    const { body: client } = await register(app, { redirect_uris: ['http://localhost/callback'] })

    expect(await ask(app, authorization(app, client.client_id, { redirect_uri: 'http://localhost:51234/callback' }))).toMatchObject({
      redirectsTo: 'localhost:51234',
    })
    expect(paths(await ask(app, authorization(app, client.client_id, { redirect_uri: 'http://127.0.0.1:51234/callback' })))).toEqual([
      ...['INVALID', 'redirectUri'],
    ])
  })
})

test('parameters that come twice, and other methods, are refused', async () => {
  const twice = await fetch(`${app.url}/oauth/token`, { method: 'POST', body: new URLSearchParams('client_id=a&client_id=b') })

  expect(errorOf({ status: twice.status, body: await twice.json() })).toEqual([400, 'invalid_request'])
  expect((await app.rest('GET', '/oauth/token')).status).toBe(405)
})
