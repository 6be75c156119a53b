// OAuth: registrations are bounded and forgotten, and the metadata says what this server does.

import { expect, test } from 'vitest'
import { offeredScopes } from '../../../src/identity/oauth/scopes.ts'
import { applyRetention } from '../../../src/server/queue/retention.ts'
import { entriesNamed } from '../../../src/tools/entries.ts'
import { post } from '../../mcp/client.ts'
import { openApp, startApp } from '../../support/app.ts'
import { connected, register } from './given.ts'

const app = await openApp({ env: { RATE_LIMIT: '1' } })

test('a client that nobody lets in is forgotten after a day, one that was let in is kept', async () => {
  const { session } = await app.given.session()
  const { clientId } = await connected(app, session)
  const { body: unused } = await register(app)
  app.setNow(new Date(Date.now() + 25 * 3_600_000))

  expect(await applyRetention(app.services)).toMatchObject({ oauthClients: 1, oauthGrants: 0 })

  const found = await app.services.database.prisma.oauthClient.findMany({ where: { id: { in: [clientId, unused.client_id] } } })
  expect(found.map(({ id }) => id)).toEqual([clientId])
  app.setNow(null)
})

test('a client that was forgotten is told to register again, one that is known to log in again', async () => {
  const { session } = await app.given.session()
  const { exchange, refresh, clientId } = await connected(app, session)
  const { body: tokens } = await exchange()
  await app.services.database.prisma.oauthGrant.deleteMany({ where: { clientId } })
  const known = [await exchange(), await refresh(tokens.refresh_token)]
  await app.services.database.prisma.oauthClient.delete({ where: { id: clientId } })
  const forgotten = [await exchange(), await refresh(tokens.refresh_token), await refresh(tokens.refresh_token, { client_id: 'someone' })]

  expect(known.map(({ status, body }) => [status, body.error])).toEqual(Array(2).fill([400, 'invalid_grant']))
  expect(forgotten.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([401, 'invalid_client']))
  expect(forgotten[0]?.headers.get('www-authenticate')).toBe('Bearer error="invalid_client"')
})

test('while ten thousand of the last day wait to be let in, no other one registers', async () => {
  const { database, now } = app.services
  await database.execute(
    `insert into oauth_clients (id, name, redirect_uris, created_at) select gen_random_uuid(), 'waits', '{}', $1 from generate_series(1, 10000)`,
    [new Date(now().getTime() - 23 * 3_600_000)],
  )
  expect(await register(app)).toMatchObject({ status: 429, body: { error_description: expect.stringContaining('10000 clients wait') } })

  // Deleted within the hour.
  await database.execute(`update oauth_clients set created_at = $1 where name = 'waits'`, [new Date(now().getTime() - 25 * 3_600_000)])
  expect(await register(app)).toMatchObject({ status: 201 })
  await database.execute(`delete from oauth_clients where name = 'waits'`)
})

test('clients that others name by an address of theirs keep nobody from registering', async () => {
  const { database, now } = app.services
  await database.execute(
    `insert into oauth_clients (id, name, redirect_uris, created_at, metadata_url)
     select gen_random_uuid(), 'named', '{}', $1, 'https://agent.example/' || n from generate_series(1, 10000) n`,
    [now()],
  )

  expect(await register(app)).toMatchObject({ status: 201 })
  await database.execute(`delete from oauth_clients where name = 'named'`)
})

test('the scopes offered are those that the tools of /mcp need', () => {
  const entries = [...entriesNamed('Tool').values(), ...entriesNamed('McpTool').values()]

  expect(new Set(offeredScopes)).toEqual(new Set(entries.map(({ scope }) => scope)))
})

test('a request without a credential is told where to log in, and the metadata leads to every endpoint', async () => {
  const { status, headers } = await post(app, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const resource = /^Bearer resource_metadata="([^"]+)"$/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? ''

  expect(status).toBe(401)
  const found = await (await fetch(resource)).json()
  expect(found).toMatchObject({ resource: `${app.url}/mcp`, authorization_servers: [app.url], scopes_supported: offeredScopes })
  const server = await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json()
  expect(server).toMatchObject({
    ...{ issuer: app.url, authorization_endpoint: `${app.url}/oauth/authorize`, code_challenge_methods_supported: ['S256'] },
    ...{ token_endpoint_auth_methods_supported: ['none'], authorization_response_iss_parameter_supported: true },
  })
  expect((await fetch(`${app.url}/.well-known/oauth-protected-resource`)).status).toBe(200)
  expect((await fetch(found.resource_documentation)).status).toBe(200)
})

test('an address registers 20 clients in an hour, and is then told when to go on', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => register(app)))

  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(10)
  expect(refused[0]?.body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) })
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(3000)
})

test('with a path in PUBLIC_URL the metadata is where clients insert it, and where a proxy that takes it away asks', async () => {
  const other = await startApp({ env: { PUBLIC_URL: 'https://crm.example/a(b)/:c/' } })
  const asked = async (path: string) => {
    const { status, body } = await other.rest('GET', `/.well-known/${path}`)
    return [status, body.resource ?? body.issuer ?? body.code]
  }
  const names = [
    ...['oauth-protected-resource/a(b)/:c/mcp', 'oauth-protected-resource/mcp', 'oauth-protected-resource'],
    ...['oauth-authorization-server/a(b)/:c', 'oauth-authorization-server', 'oauth-authorization-server/other'],
  ]

  expect(await Promise.all(names.map(asked))).toEqual([
    ...Array(3).fill([200, 'https://crm.example/a(b)/:c/mcp']),
    ...Array(2).fill([200, 'https://crm.example/a(b)/:c']),
    [404, 'not_found'],
  ])
  await other.close()
})
