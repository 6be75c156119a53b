// A person logs in from the MCP SDK's client: discovery, registration, consent, tokens, tools, refresh, and the end of the connection.

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { call, post } from '../../mcp/client.ts'
import { type Json, openApp } from '../../support/app.ts'
import { agree, ask, type Remembered, remembering } from './given.ts'

const app = await openApp()

const transportOf = (provider: Remembered) => new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { authProvider: provider })
const connect = async (provider: Remembered) => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transportOf(provider))
  return client
}

/** Logs the person in, who agrees to all scopes or those given. */
async function logIn(session: string, scopes?: readonly string[]): Promise<Remembered> {
  const provider = remembering()
  const transport = transportOf(provider)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
  if (!provider.opened) throw new Error('the client has opened no page')
  const answer: URL = await agree(app, provider.opened, session, scopes)
  await transport.finishAuth(answer.searchParams)
  return provider
}

test('a person lets a client in, which acts as the person with the scopes agreed to', async () => {
  const { session, userId, orgId } = await app.given.session()
  const provider = await logIn(session, ['CONTACTS_READ', 'CONTACTS_WRITE'])
  const client = await connect(provider)

  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('create_contact')
  expect(tools.map(({ name }) => name)).not.toContain('place_call')
  const { id } = await call(client, 'create_contact', { firstName: 'Ada' })
  const events = await app.services.database.prisma.event.findMany({ where: { orgId, entityId: id } })
  expect(events.map(({ actorType, actorId, actorName, door }) => ({ actorType, actorId, actorName, door }))).toEqual([
    { actorType: 'user', actorId: userId, actorName: 'Test User via Test Agent', door: 'mcp' },
  ])
  await client.close()
})

test('the consent page is told the name, where it leads back to and the scopes', async () => {
  const { session } = await app.given.session()
  const provider = remembering()
  await expect(connect(provider)).rejects.toThrow(UnauthorizedError)
  if (!provider.opened) throw new Error('the client has opened no page')

  expect(provider.opened.pathname).toBe('/oauth/authorize')
  expect(provider.opened.searchParams.get('resource')).toBe(`${app.url}/mcp`)
  const { clientName, redirectsTo, scopes, deniedTo } = await ask(app, provider.opened, session)
  expect([clientName, redirectsTo]).toEqual(['Test Agent', '127.0.0.1:4711'])
  expect(scopes).toEqual(expect.arrayContaining(['CONTACTS_READ', 'CONTACTS_WRITE', 'CALLS_WRITE', 'ENRICH_WRITE']))
  expect(Object.fromEntries(new URL(deniedTo).searchParams)).toEqual({
    error: 'access_denied',
    error_description: 'The person has refused',
    state: 'the state',
    iss: app.url,
  })
})

test('an access token that has expired is refreshed by the client, and the old refresh token is of no use', async () => {
  const { session } = await app.given.session()
  const provider = await logIn(session)
  const first = provider.known
  const start = Date.now()

  app.setNow(new Date(start + 3_601_000))
  const client = await connect(provider)
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  expect(provider.known?.access_token).not.toBe(first?.access_token)
  expect(provider.known?.refresh_token).not.toBe(first?.refresh_token)
  app.setNow(null)
})

test('a connection is listed with its last use, and ends at once when the person disconnects it', async () => {
  const { session, orgId } = await app.given.session()
  const provider = await logIn(session, ['CONTACTS_READ'])
  const client = await connect(provider)
  await client.listTools()

  const list = async () =>
    (await app.graphql('{ connectedClients { id clientName organizationId scopes lastUsedAt } }', {}, { session })).body.data
      .connectedClients
  // The last use is written beside the request.
  await expect.poll(async () => (await list())[0].lastUsedAt, { timeout: 20_000 }).not.toBeNull()
  const [listed]: Json[] = await list()
  expect(listed).toEqual({
    ...{ id: expect.any(String), clientName: 'Test Agent', organizationId: orgId, scopes: ['CONTACTS_READ'] },
    lastUsedAt: expect.any(String),
  })
  const { body } = await app.graphql(
    'mutation ($input: DisconnectClientInput!) { disconnectClient(input: $input) { id } }',
    { input: { id: listed.id } },
    { session },
  )
  expect(body.data.disconnectClient).toEqual({ id: listed.id })

  expect(await list()).toEqual([])
  const headers = { authorization: `Bearer ${provider.known?.access_token}` }
  const refused = await post(app, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp"`,
  )
  await expect(client.listTools()).rejects.toThrow(UnauthorizedError)
})
