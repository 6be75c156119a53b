// Clients whose id is the address of their metadata: read through the guarded outgoing HTTP, and checked.

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { Headers } from 'undici'
import { expect, test } from 'vitest'
import type { OutgoingAnswer } from '../../../src/kernel/outgoing/answer.ts'
import { type Json, openApp } from '../../support/app.ts'
import { agree, ask, authorization, callback, register, remembering } from './given.ts'

const address = 'https://agent.example/oauth/client.json'
const asked: string[] = []
let document: Json
let status = 200

const app = await openApp()
const real = app.services.outgoing
app.services.outgoing = {
  ...real,
  async send(url, request): Promise<OutgoingAnswer> {
    // Everything else, such as private addresses, is for the guard.
    if (!url.startsWith('https://agent.example/')) return real.send(url, request)
    asked.push(url)
    const text = JSON.stringify(document)
    return { status, headers: new Headers(), url, body: Buffer.from(text), text: () => text, json: () => document }
  },
}

const problemOf = ({ problems }: Json): string => problems?.[0]?.message

test('a client of the SDK logs in without registering, and its document is read once in an hour', async () => {
  document = { client_id: address, client_name: 'Published Agent', redirect_uris: [callback], token_endpoint_auth_method: 'none' }
  const { session } = await app.given.session()
  const provider = { ...remembering(), clientMetadataUrl: address }
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { authProvider: provider })
  await expect(new Client({ name: 'test', version: '1.0.0' }).connect(transport)).rejects.toThrow(UnauthorizedError)
  if (!provider.opened) throw new Error('the client has opened no page')

  expect(provider.opened.searchParams.get('client_id')).toBe(address)
  expect(await ask(app, provider.opened)).toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(asked).toEqual([])
  expect(await ask(app, provider.opened, session)).toMatchObject({ clientName: 'Published Agent', publishedBy: 'agent.example' })
  const answer: URL = await agree(app, provider.opened, session)
  await transport.finishAuth(answer.searchParams)
  expect(asked).toEqual([address])

  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { authProvider: provider }))
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  await client.close()

  // An hour later it is read again, and what it has no longer is refused.
  document = { ...document, redirect_uris: ['https://agent.example/callback'] }
  app.setNow(new Date(Date.now() + 3_601_000))
  expect(problemOf(await ask(app, provider.opened, session))).toContain('has not registered it')
  app.setNow(null)
})

test('a user has this server read thirty of them in a quarter of an hour, and others are not kept from it', async () => {
  const [{ session }, { session: other }] = [await app.given.session(), await app.given.session()]
  const before = asked.length
  const named = async (index: number, by: string) => {
    const id = `https://agent.example/many-${index}.json`
    document = { client_id: id, client_name: 'A', redirect_uris: [callback] }
    return (await ask(app, authorization(app, id), by)).code
  }
  for (let index = 0; index < 30; index++) expect(await named(index, session)).toBeUndefined()

  expect([await named(30, session), await named(29, session), await named(31, other)]).toEqual(['RATE_LIMITED', undefined, undefined])
  expect(asked.length - before).toBe(31)
})

test.each([
  ['another client_id', 200, (id: string) => ({ client_id: `${id}x`, client_name: 'A', redirect_uris: [callback] }), 'another client_id'],
  [
    'a secret',
    200,
    (id: string) => ({ client_id: id, client_name: 'A', redirect_uris: [callback], client_secret: 's' }),
    'without a secret',
  ],
  [
    'a script as redirect address',
    200,
    (id: string) => ({ client_id: id, client_name: 'A', redirect_uris: ['javascript:alert(1)'] }),
    'neither',
  ],
  ['no redirect address', 200, (id: string) => ({ client_id: id, client_name: 'A', redirect_uris: [] }), 'no metadata'],
  ['a name too long', 200, (id: string) => ({ client_id: id, client_name: 'x'.repeat(101), redirect_uris: [callback] }), 'client_name'],
  ['status 302', 302, () => ({}), 'answers 302'],
])('a document with %s is refused', async (what, answered, documentOf, sentence) => {
  const { session } = await app.given.session()
  const id = `https://agent.example/${what.replaceAll(' ', '-')}.json`
  document = documentOf(id)
  status = answered

  expect(problemOf(await ask(app, authorization(app, id), session))).toContain(sentence)
  status = 200
})

test('an address inside is not asked, and one without HTTPS or a path is no client', async () => {
  const { session } = await app.given.session()

  expect(problemOf(await ask(app, authorization(app, 'https://10.0.0.7/client.json'), session))).toContain('private address')
  expect(problemOf(await ask(app, authorization(app, 'http://agent.example/client.json'), session))).toContain('no client is registered')
  expect(problemOf(await ask(app, authorization(app, 'https://agent.example/'), session))).toContain('no client is registered')
  expect((await register(app)).status).toBe(201)
})
