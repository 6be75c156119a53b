// /mcp on the wire: who may call it, what it refuses, and calls that are repeated after a lost answer.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { openApp, type TestApp } from '../support/app.ts'
import { call, post } from './client.ts'

const app = await openApp({ env: { RATE_LIMIT: '1', RATE_LIMIT_WRITES: '3', FRONTEND_ORIGIN: 'https://app.example.com' } })
const twin = await openApp({ database: app.database })

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const createContact = (id: number, args: object, _meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'create_contact', arguments: args, ...(_meta && { _meta }) },
})
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe('POST /mcp', () => {
  test('200: any process answers any request of a session', async () => {
    const { key } = await app.given.apiKey()
    const first = await post(app, initialize, bearer(key))
    const session = first.headers.get('mcp-session-id') ?? ''
    const second = await post(twin, listTools, { ...bearer(key), 'mcp-session-id': session })

    expect(first.body.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'rolocom' }, capabilities: { tools: {} } })
    expect(second.body.result.tools.length).toBeGreaterThan(10)
  })

  test('a call that is repeated with its session and id happens once, in whichever process', async () => {
    const { key } = await app.given.apiKey()
    const session = (await post(app, initialize, bearer(key))).headers.get('mcp-session-id') ?? ''
    const send = (to: TestApp, id: number, of = session) =>
      post(to, createContact(id, { firstName: 'Once' }), { ...bearer(key), 'mcp-session-id': of })
    const [first, again, other] = [await send(app, 7), await send(twin, 7), await send(twin, 8)]
    const elsewhere = await send(twin, 7, '00000000-0000-4000-8000-000000000000')

    const ids = [first, again, other, elsewhere].map(({ body }) => body.result.structuredContent.id)
    expect(again.body.result).toEqual({ ...first.body.result, _meta: { ...first.body.result._meta, 'rolocom/replayed': true } })
    expect(new Set(ids).size).toBe(3)
  })

  test('a call with a key of the client happens once, and is refused with other arguments', async () => {
    const { key } = await app.given.apiKey()
    const given = { 'rolocom/idempotencyKey': 'import-1' }
    const first = await post(twin, createContact(1, { firstName: 'Key' }, given), bearer(key))
    const again = await post(twin, createContact(2, { firstName: 'Key' }, given), bearer(key))
    const inHeader = await post(twin, createContact(3, { firstName: 'Key' }), { ...bearer(key), 'idempotency-key': 'import-1' })
    const other = await post(twin, createContact(4, { lastName: 'Other' }, given), bearer(key))

    expect(again.body.result.structuredContent).toEqual(first.body.result.structuredContent)
    expect(inHeader.body.result.structuredContent).toEqual(first.body.result.structuredContent)
    expect(JSON.parse(other.body.result.content[0].text).error.code).toBe('IDEMPOTENCY_MISMATCH')
  })

  test('400: malformed JSON, and several messages at once', async () => {
    const { key } = await app.given.apiKey()
    expect(await post(app, '{', bearer(key))).toMatchObject({ status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32600 } } })
    expect(await post(app, [listTools, listTools], bearer(key))).toMatchObject({ status: 400 })
  })

  test('401: without a key, or with one that is unknown or revoked', async () => {
    const { key, id } = await app.given.apiKey()
    await app.services.database.prisma.apiKey.delete({ where: { id } })
    for (const headers of [{}, bearer('rcm_unknown'), bearer(key)]) {
      const refused = await post(app, listTools, headers)
      expect(refused).toMatchObject({ status: 401, body: { error: { data: { code: 'UNAUTHENTICATED' } } } })
      expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp"`)
    }
  })

  test('403: pages of other origins, before the key is looked at', async () => {
    const { key } = await app.given.apiKey()
    const status = async (origin: string) => (await post(app, listTools, { ...bearer(key), origin })).status

    const others = ['https://evil.example', `${app.url}.evil.example`, 'http://localhost.evil.example', 'null']
    expect(await Promise.all(others.map(status))).toEqual([403, 403, 403, 403])
    expect(await Promise.all([app.url, 'https://app.example.com', 'http://localhost:6274'].map(status))).toEqual([200, 200, 200])
  })

  test.each([
    ['application/json, text/event-stream', null],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json;q=0.9, */*;q=0.1', 'application/json'],
    ['text/html', 'application/json'],
    ['', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream;q=1, application/json;q=0', 'text/event-stream'],
    ['text/event-stream, */*;q=0.5', null],
  ])('200 for Accept: %s', async (accept, type) => {
    const { key } = await app.given.apiKey()
    for (const message of [initialize, listTools]) {
      const answer = await post(app, message, { ...bearer(key), accept })

      expect([answer.status, answer.body.id]).toEqual([200, message.id])
      const given = answer.headers.get('content-type')?.split(';')[0]
      expect(given).toBe(type ?? given)
    }
  })

  test('200 without an Accept, as JSON', async () => {
    const { key } = await app.given.apiKey()
    const body = JSON.stringify(listTools)
    const sent = request(`${app.url}/mcp`, { method: 'POST', headers: { ...bearer(key), 'content-type': 'application/json' } })
    const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)

    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json'])
    expect(JSON.parse(Buffer.concat(chunks).toString()).result.tools.length).toBeGreaterThan(10)
  })

  test('405: other methods; 413: a body beyond 1 MB; 415: other media types', async () => {
    const { key } = await app.given.apiKey()
    const stream = await app.rest('GET', '/mcp', { key })

    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post(app, JSON.stringify({ ...listTools, padding: 'x'.repeat(1_000_000) }), bearer(key))).status).toBe(413)
    expect((await post(app, listTools, { ...bearer(key), 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('429: more writes than the key may make, while it may still read', async () => {
    const { key } = await app.given.apiKey()
    const statuses: number[] = []
    for (const id of [1, 2, 3, 4]) statuses.push((await post(app, createContact(id, { firstName: 'Many' }), bearer(key))).status)
    const refused = await post(app, createContact(5, { firstName: 'Many' }), bearer(key))

    expect(statuses).toEqual([200, 200, 200, 429])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await post(app, listTools, bearer(key))).status).toBe(200)
  })
})

test('the revision of the protocol without sessions is served too, and holds no stream open', async () => {
  const { key } = await app.given.apiKey()
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers: bearer(key) } }))
  const tools = await client.listTools()
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const listen = {
    jsonrpc: '2.0',
    id: 9,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: envelope },
  }
  const headers = { ...bearer(key), 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const refused = await post(app, listen, headers)

  expect(tools.tools.length).toBeGreaterThan(10)
  expect(await call(client, 'find_contacts', { text: 'nobody' })).toEqual({ found: [], page: { hasNextPage: false } })
  expect(refused.body.error).toBeDefined()
})

describe('a page of the own machine, such as the Inspector', () => {
  const paths = [
    '/mcp',
    '/oauth/register',
    '/oauth/token',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/mcp/',
  ]
  const origins = [
    'http://localhost:6274',
    'http://127.0.0.1:51234',
    'http://[::1]:3000',
    'http://localhost',
    'http://inspector.localhost:6274',
  ]
  const preflight = (path: string, origin: string, method = 'POST') =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,mcp-protocol-version,mcp-session-id',
      },
    })

  test.each(paths)('may ask %s, from any port', async path => {
    for (const origin of origins) {
      const { status, headers } = await preflight(path, origin)

      expect([status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-headers')]).toEqual([
        ...[204, origin, 'authorization,content-type,mcp-protocol-version,mcp-session-id'],
      ])
      expect(headers.get('access-control-allow-methods')).toContain('POST')
      expect([headers.get('vary'), headers.get('access-control-allow-credentials')]).toEqual([expect.stringContaining('Origin'), null])
    }
  })

  test('reads the session, and where to log in', async () => {
    const [origin = ''] = origins
    const { key } = await app.given.apiKey()
    const answers = [await post(app, initialize, { ...bearer(key), origin }), await post(app, initialize, { origin })]

    expect(answers.map(({ status }) => status)).toEqual([200, 401])
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')).toMatch(/Mcp-Session-Id.*WWW-Authenticate/)
    }
  })

  test('may not ask the other doors, and pages of other origins none of these', async () => {
    const allowed = async (path: string, origin: string) => (await preflight(path, origin)).headers.get('access-control-allow-origin')
    const [origin = ''] = origins

    for (const path of ['/graphql', '/api/crm/v1/contacts', '/idp/sign-in/email', '/hooks/wake'])
      expect(await allowed(path, origin)).toBe('https://app.example.com')
    for (const path of paths)
      for (const other of ['https://evil.example', 'http://localhost.evil.example', 'null', 'http://127.0.0.1.evil.example:80'])
        expect(await allowed(path, other)).toBe('https://app.example.com')
  })
})
