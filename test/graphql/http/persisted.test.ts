// Persisted documents: named by their hash, by documentId and by the extension of Apollo's clients.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { openDoor } from '../door.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hello = 'query Hello($name: String) { hello(name: $name) }'
const write = 'mutation Write { write }'
const ticks = 'subscription Ticks { ticks }'
// Deeper than any document of a caller may be.
const deep = `query Deep { ${'again { '.repeat(15)} hello ${'}'.repeat(15)} }`
const persisted = new Map([hello, write, ticks, deep].map(text => [sha256(text), text]))

const app = await openApp()
const again = () => ({})
const door = await keepOpen(
  openDoor(
    app.services,
    {
      typeDefs: `
        type Query { hello(name: String): String again: Again }
        type Again { again: Again hello: String }
        type Mutation { write: String }
        type Subscription { ticks: Int }
      `,
      resolvers: {
        Query: { hello: (_parent, { name }) => name ?? 'you', again },
        Again: { hello: () => 'deep', again },
        Mutation: { write: () => 'written' },
        Subscription: {
          ticks: {
            async *subscribe() {
              yield 1
              yield 2
            },
            resolve: (tick: number) => tick,
          },
        },
      },
    },
    { persisted },
  ),
)

async function post(body: Json) {
  const response = await fetch(door.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return [response.status, await response.json()]
}
async function get(parameters: Record<string, string>) {
  const response = await fetch(`${door.url}?${new URLSearchParams(parameters)}`)
  return [response.status, await response.json()]
}

describe('documentId', () => {
  const documentId = `sha256:${sha256(hello)}`

  test('names a document, by POST and GET, with variables', async () => {
    expect(await post({ documentId, variables: { name: 'Ada' } })).toEqual([200, { data: { hello: 'Ada' } }])
    expect(await get({ documentId, variables: '{"name":"Alan"}' })).toEqual([200, { data: { hello: 'Alan' } }])
  })

  test('runs mutations by POST only', async () => {
    const documentId = `sha256:${sha256(write)}`

    expect(await post({ documentId })).toEqual([200, { data: { write: 'written' } }])
    expect(await get({ documentId })).toMatchObject([405, { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] }])
  })

  test('opens a subscription, each time', async () => {
    for (let times = 0; times < 2; times++) {
      const response = await fetch(door.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ documentId: `sha256:${sha256(ticks)}` }),
      })
      const events = [...(await response.text()).matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
      expect(events).toEqual([{ data: { ticks: 1 } }, { data: { ticks: 2 } }])
    }
  })

  test('is trusted: the limits of shape are for documents that callers write', async () => {
    door.as({ kind: 'anonymous' })
    const [status, body] = await post({ documentId: `sha256:${sha256(deep)}` })
    const [, refused] = await post({ query: deep })
    door.as({ kind: 'system', name: 'test', orgId: null })

    expect([status, body.errors]).toEqual([200, undefined])
    expect(refused.errors[0].extensions.limit).toBe('depth')
  })

  test('that is unknown is 404, and says what to send instead', async () => {
    const documentId = `sha256:${sha256('query Old { hello }')}`

    for (const answer of [await post({ documentId }), await get({ documentId })])
      expect(answer).toEqual([
        404,
        {
          errors: [
            {
              message: 'This server has no such persisted document: send its text as query, or reload the app that sent it',
              extensions: { code: 'NOT_FOUND', status: 404, requestId: expect.any(String), documentId },
            },
          ],
        },
      ])
  })

  test('of another form, or beside a query, is 400', async () => {
    for (const documentId of [sha256(hello), `sha256:${sha256(hello).toUpperCase()}`, 'md5:1', '__proto__', 1])
      expect(await post({ documentId })).toMatchObject([400, { errors: [{ extensions: { code: 'INVALID' } }] }])
    expect(await post({ documentId, query: hello })).toMatchObject([
      400,
      { errors: [{ extensions: { problems: [{ path: ['documentId'], message: 'Send query or documentId, not both' }] } }] },
    ])
  })

  test('is counted by the name of its operation, a text of the caller is not', async () => {
    await post({ documentId })
    await post({ query: 'query Own { hello }' })

    const text = await app.services.metrics.text()
    const names = [...text.matchAll(/^rolocom_operation_duration_seconds_count\{operation="(\w+)",outcome="ok"\}/gm)].map(
      ([, name]) => name,
    )
    expect(names).toContain('Hello')
    expect(names).not.toContain('Own')
  })
})

describe("the extension of Apollo's clients", () => {
  const text = hello
  const ask = async (hash: unknown) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hash } }
    return [await post({ extensions }), await get({ extensions: JSON.stringify(extensions) })]
  }

  const notSupported = {
    message: 'PersistedQueryNotSupported',
    extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', status: 200, requestId: expect.any(String) },
  }

  test('names a document, by POST and GET', async () => {
    expect(await ask(sha256(text))).toEqual([
      [200, { data: { hello: 'you' } }],
      [200, { data: { hello: 'you' } }],
    ])
  })

  test('with an unknown hash is 200 and not supported, so that its client sends the text, and no hash again', async () => {
    for (const answer of [...(await ask(sha256('other'))), ...(await ask('__proto__')), ...(await ask(1))])
      expect(answer).toEqual([200, { errors: [notSupported] }])
  })

  test('is answered 200 in the newer media type too, which other errors are not', async () => {
    const response = await fetch(door.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json;q=0.9' },
      body: JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: sha256('other') } }, operationName: 'Other' }),
    })

    expect([response.status, await response.json()]).toEqual([200, { errors: [notSupported] }])
  })

  test.each([
    ['an empty text', { query: '' }],
    ['no text', { query: null }],
    ['extensions of other kinds', { extensions: { clientLibrary: { name: '@apollo/client', version: '4' } } }],
  ])('is read beside %s', async (_what, { extensions, ...rest }: { query?: string | null; extensions?: object }) => {
    const of = (sha256Hash: string) => ({ ...rest, extensions: { ...extensions, persistedQuery: { version: 1, sha256Hash } } })

    expect(await post(of(sha256(text)))).toEqual([200, { data: { hello: 'you' } }])
    expect(await post(of(sha256('other')))).toEqual([200, { errors: [notSupported] }])
  })

  test('beside the text is ignored', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: sha256('query Own { hello }') } }

    expect(await post({ query: 'query Own { hello }', extensions })).toEqual([200, { data: { hello: 'you' } }])
    expect(await post({ extensions })).toEqual([200, { errors: [notSupported] }])
  })

  test('is not supported where there are no documents', async () => {
    const bare = await openDoor(app.services, { typeDefs: 'type Query { hello: String }', resolvers: {} })
    const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(text) } }
    const response = await fetch(bare.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ extensions }),
    })
    expect((await response.json()).errors).toEqual([notSupported])
    await bare.close()
  })
})
