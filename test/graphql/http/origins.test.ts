// Cross-site requests: a page of another site cannot make a browser send a mutation or an authenticated request.

import { beforeEach, describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { openDoor } from '../door.ts'

let written = 0

const app = await openApp({ env: { FRONTEND_ORIGIN: 'https://app.example.com' } })
const door = await keepOpen(
  openDoor(app.services, {
    typeDefs: 'type Query { hello: String } type Mutation { write: String }',
    resolvers: { Query: { hello: () => 'you' }, Mutation: { write: () => `${++written}` } },
  }),
)
beforeEach(() => {
  written = 0
})

const mutation = 'mutation { write }'
const json = JSON.stringify({ query: mutation })
const form = new FormData()
form.set('operations', json)
form.set('map', '{}')

describe('a mutation', () => {
  const forms: Record<string, [RequestInit, number]> = {
    'as plain text': [{ headers: { 'content-type': 'text/plain' }, body: json }, 415],
    'as a form': [{ body: new URLSearchParams({ query: mutation }) }, 415],
    'as a form with the JSON for a name': [{ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: json }, 415],
    'as an upload': [{ body: form }, 415],
    'as an upload that calls itself JSON': [
      { headers: { 'content-type': 'multipart/form-data; boundary=application/json' }, body: json },
      415,
    ],
    'as application/graphql': [{ headers: { 'content-type': 'application/graphql' }, body: mutation }, 415],
    'as text that mentions JSON': [{ headers: { 'content-type': 'text/plain; application/json' }, body: json }, 415],
    'without a type': [{ body: Buffer.from(json) }, 415],
    'in Latin-1': [{ headers: { 'content-type': 'application/json; charset=iso-8859-1' }, body: json }, 415],
  }
  for (const [what, [init, status]] of Object.entries(forms))
    test(`${what} is refused with ${status}`, async () => {
      const response = await fetch(door.url, { method: 'POST', ...init })

      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] })
      expect(written).toBe(0)
    })

  for (const accept of ['application/json', 'application/graphql-response+json', 'text/event-stream', '*/*', 'multipart/mixed'])
    test(`by GET, accepting ${accept}, is not executed`, async () => {
      const response = await fetch(`${door.url}?query=${encodeURIComponent(mutation)}`, { headers: { accept } })
      const text = await response.text()

      if (!['text/event-stream', 'multipart/mixed'].includes(accept)) {
        expect(response.status).toBe(405)
        expect(response.headers.get('allow')).toBe('GET, POST')
      }
      expect(text).toContain('METHOD_NOT_ALLOWED')
      expect(written).toBe(0)
    })

  test('by GET in a document with a query is not executed either', async () => {
    const query = encodeURIComponent('query A { hello } mutation B { write }')

    expect((await fetch(`${door.url}?query=${query}&operationName=B`)).status).toBe(405)
    expect(await (await fetch(`${door.url}?query=${query}&operationName=A`)).json()).toEqual({ data: { hello: 'you' } })
    expect(written).toBe(0)
  })

  for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    test(`by ${method} is not executed`, async () => {
      const response = await fetch(`${door.url}?query=${encodeURIComponent(mutation)}`, {
        method,
        ...(method !== 'HEAD' && { headers: { 'content-type': 'application/json' }, body: json }),
      })

      expect(response.status).toBe(405)
      expect(written).toBe(0)
    })

  test('as JSON is executed', async () => {
    expect((await door.ask(mutation)).body).toEqual({ data: { write: '1' } })
    expect((await door.ask(mutation, {}, { 'content-type': 'application/json; charset=utf-8' })).body).toEqual({ data: { write: '2' } })
  })
})

describe('a page of another site', () => {
  const preflight = (origin: string) =>
    fetch(`${app.url}/graphql`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' },
    })

  test('may not send JSON or credentials; only the frontend may', async () => {
    expect((await preflight('https://app.example.com')).headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    for (const origin of ['https://evil.example', 'null', 'https://app.example.com.evil.example', 'http://app.example.com'])
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).not.toBe(origin)
  })

  test('gets nothing with a cookie, because cookies are ignored', async () => {
    const { session } = await app.given.session()

    const { body } = await app.graphql(
      '{ me { userId } }',
      {},
      { headers: { cookie: `session=${session}; authorization=Bearer ${session}` } },
    )

    expect(body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test('gets nothing with a credential in the URL', async () => {
    const { key } = await app.given.apiKey()

    const response = await fetch(`${app.url}/graphql?query={me{userId}}&token=${key}&authorization=Bearer%20${key}`)

    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  })
})
