// The contactChanged subscription over server-sent events, tested with an HTTP client.

import { describe, expect, test, vi } from 'vitest'
import { type Json, openApp, startApp } from '../../support/app.ts'
import { openStream } from '../stream.ts'

const app = await openApp()

const followed =
  'subscription ($id: ID) { contactChanged(contactId: $id) { type changes { field before after } createdAt contact { id email firstName version deletedAt } } }'

const follow = (headers: Record<string, string>, variables: Json = {}, { url = app.url, query = followed } = {}) =>
  openStream(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
  })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const create = async (key: string, email: string, on = app): Promise<string> => {
  const { body } = await on.graphql('mutation ($email: String) { createContact(input: { email: $email }) { id } }', { email }, { key })
  return body.data.createContact.id
}
const update = (key: string, id: string, firstName: string, on = app) =>
  on.graphql(
    'mutation ($id: ID!, $firstName: String) { updateContact(input: { id: $id, firstName: $firstName }) { id } }',
    { id, firstName },
    { key },
  )

describe('subscription contactChanged', () => {
  test('delivers later changes of contacts, in order, with the current contact', async () => {
    const { key } = await app.given.apiKey()
    await create(key, 'before@example.com')

    const stream = await follow(bearer(key))
    const id = await create(key, 'ada@example.com')
    const created = await stream.next()
    await update(key, id, 'Ada')
    const updated = await stream.next()
    await app.graphql('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id }, { key })
    const deleted = await stream.next()
    stream.leave()

    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(created).toMatchObject({
      event: 'next',
      data: { data: { contactChanged: { type: 'CONTACT_CREATED', contact: { id, email: 'ada@example.com', deletedAt: null } } } },
    })
    expect(updated.data.data.contactChanged).toMatchObject({
      type: 'CONTACT_UPDATED',
      changes: expect.arrayContaining([{ field: 'firstName', before: null, after: 'Ada' }]),
      contact: { id, firstName: 'Ada', version: 2 },
    })
    expect(deleted.data.data.contactChanged).toMatchObject({ type: 'CONTACT_DELETED', contact: { id, deletedAt: expect.any(String) } })
  })

  test('for one contact delivers no changes of others', async () => {
    const { key } = await app.given.apiKey()
    const [one, other] = [await create(key, 'one@example.com'), await create(key, 'other@example.com')]

    const stream = await follow(bearer(key), { id: one })
    await update(key, other, 'Other')
    await update(key, one, 'One')
    const { data } = await stream.next()
    stream.leave()

    expect(data.data.contactChanged.contact).toMatchObject({ id: one, firstName: 'One' })
  })

  test('delivers nothing of another organization', async () => {
    const [mine, theirs] = [await app.given.apiKey(), await app.given.apiKey()]

    const stream = await follow(bearer(mine.key))
    await create(theirs.key, 'theirs@example.com')
    const id = await create(mine.key, 'mine@example.com')
    const { data } = await stream.next()
    stream.leave()

    expect(data.data.contactChanged).toMatchObject({ type: 'CONTACT_CREATED', contact: { id } })
  })

  test('works by GET, as EventSource sends it', async () => {
    const { key } = await app.given.apiKey()

    const query = encodeURIComponent('subscription { contactChanged { type } }')
    const stream = await openStream(`${app.url}/graphql?query=${query}`, { headers: { accept: 'text/event-stream', ...bearer(key) } })
    await create(key, 'get@example.com')

    expect(await stream.next()).toEqual({ event: 'next', data: { data: { contactChanged: { type: 'CONTACT_CREATED' } } } })
    stream.leave()
  })

  test('delivers changes written by another process', async () => {
    const other = await startApp({ database: app.database })
    const { key } = await app.given.apiKey()

    const stream = await follow(bearer(key), {}, { url: other.url })
    await create(key, 'elsewhere@example.com')
    const { data } = await stream.next()
    stream.leave()
    await other.close()

    expect(data.data.contactChanged).toMatchObject({ type: 'CONTACT_CREATED', contact: { email: 'elsewhere@example.com' } })
  })

  test('a hundred changes in a burst are all delivered, in order', async () => {
    const { key } = await app.given.apiKey()
    const id = await create(key, 'burst@example.com')

    const stream = await follow(
      bearer(key),
      { id },
      { query: 'subscription ($id: ID) { contactChanged(contactId: $id) { changes { after } } }' },
    )
    for (let index = 0; index < 100; index++) await update(key, id, `Name ${index}`)
    const told: string[] = []
    while (told.length < 100) told.push((await stream.next()).data.data.contactChanged.changes[0].after)
    stream.leave()

    expect(told).toEqual(Array.from({ length: 100 }, (_, index) => `Name ${index}`))
  })

  test('heartbeats keep the connection open while nothing happens', async () => {
    const { key } = await app.given.apiKey()

    const stream = await follow(bearer(key))
    await stream.silence(1000)
    stream.leave()

    expect(stream.beats()).toBeGreaterThan(1)
  })
})

describe('a refused subscription', () => {
  const refused = async (headers: Record<string, string>, variables?: Json, query?: string) => {
    const stream = await follow(headers, variables, { ...(query && { query }) })
    const first = await stream.next()
    const last = await stream.next()
    stream.leave()
    return { status: stream.status, first, last }
  }

  test('without a credential: UNAUTHENTICATED', async () => {
    expect(await refused({})).toMatchObject({
      first: { event: 'next', data: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } },
      last: { event: 'complete' },
    })
  })

  test('with an invalid credential: 401 before any event', async () => {
    const stream = await follow(bearer('rcm_nonsense'))

    expect(stream.status).toBe(401)
    stream.leave()
  })

  test('without the scope: FORBIDDEN', async () => {
    const { key } = await app.given.apiKey({ scopes: ['stats:read'] })

    expect(await refused(bearer(key))).toMatchObject({ first: { data: { errors: [{ extensions: { code: 'FORBIDDEN' } }] } } })
  })

  test("for another organization's contact, or one that does not exist: NOT_FOUND", async () => {
    const [mine, theirs] = [await app.given.apiKey(), await app.given.apiKey()]
    const id = await create(theirs.key, 'x@example.com')

    for (const wrong of [id, '019a0000-0000-7000-8000-000000000000', 'x'])
      expect(await refused(bearer(mine.key), { id: wrong })).toMatchObject({
        first: { data: { errors: [{ extensions: { code: 'NOT_FOUND' } }] } },
      })
  })

  test('with an invalid document, or one beyond a limit', async () => {
    const { key } = await app.given.apiKey()

    expect(await refused(bearer(key), {}, 'subscription { nothing }')).toMatchObject({
      first: { data: { errors: [{ extensions: { code: 'INVALID' } }] } },
    })
    expect(
      await refused(bearer(key), {}, 'subscription { contactChanged { type } contactChanged2: contactChanged { type } }'),
    ).toMatchObject({
      first: { data: { errors: [{ extensions: { code: 'INVALID' } }] } },
    })
  })

  test('with Accept: application/json: 406, which names the type to accept', async () => {
    const { key } = await app.given.apiKey()

    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...bearer(key) },
      body: JSON.stringify({ query: followed }),
    })

    expect([response.status, await response.json()]).toEqual([
      406,
      {
        errors: [
          { message: expect.stringContaining('Accept: text/event-stream'), extensions: expect.objectContaining({ code: 'INVALID' }) },
        ],
      },
    ])
  })
})

test('with Accept: */* it is a stream of events', async () => {
  const { key } = await app.given.apiKey()
  const leaving = new AbortController()
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: '*/*', ...bearer(key) },
    body: JSON.stringify({ query: followed }),
    signal: leaving.signal,
  })
  leaving.abort()

  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/event-stream/)])
})

describe('a subscription ends', () => {
  test('when its key is revoked: the next change is not delivered', async () => {
    const owner = await app.given.session()
    const { key, id } = await app.given.apiKey(owner)
    const { key: writer } = await app.given.apiKey(owner)
    const stream = await follow(bearer(key))
    await create(writer, 'seen@example.com')
    const seen = await stream.next()

    await app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id }, { session: owner.session })
    await create(writer, 'unseen@example.com')

    expect(seen.data.data.contactChanged.contact.email).toBe('seen@example.com')
    expect(await stream.next()).toMatchObject({ event: 'next', data: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } })
    expect(await stream.next()).toMatchObject({ event: 'complete' })
    stream.leave()
  })

  test('when its session is ended and there are no events: within seconds', async () => {
    const { session } = await app.given.session()
    const stream = await follow(bearer(session))

    await app.graphql('mutation { endSession { id } }', {}, { session })

    expect(await stream.next(6000)).toMatchObject({ data: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } })
    expect(await stream.next()).toMatchObject({ event: 'complete' })
    stream.leave()
  })

  test('when the server stops', async () => {
    const other = await startApp({ database: app.database })
    const { key } = await app.given.apiKey()
    const stream = await follow(bearer(key), {}, { url: other.url })

    const stopped = other.close()

    expect(await stream.next()).toMatchObject({ event: 'complete' })
    await stopped
  })

  test('when its client disconnects: all its resources are released', async () => {
    const { key } = await app.given.apiKey()
    const streams = await Promise.all(Array.from({ length: 100 }, () => follow(bearer(key))))
    const tooMany = await follow(bearer(key))
    expect(await tooMany.next()).toMatchObject({ data: { errors: [{ extensions: { code: 'RATE_LIMITED' } }] } })

    for (const stream of streams) stream.leave()

    await vi.waitFor(async () => {
      const again = await follow(bearer(key))
      await create(key, `${Date.now()}@example.com`)
      expect(await again.next()).toMatchObject({ data: { data: { contactChanged: { type: 'CONTACT_CREATED' } } } })
      again.leave()
    }, 20_000)
  })
})

test('the limit of open streams counts all keys of an organization, and neither guests nor other organizations', async () => {
  const limited = await startApp({ env: { STREAMS_PER_ORGANIZATION: '3' } })
  try {
    const { key, orgId } = await limited.given.apiKey()
    const { key: second } = await limited.given.apiKey({ orgId })
    const otherKey = await limited.given.apiKey()
    const open = (token: string) => follow(bearer(token), {}, { url: limited.url })
    const streams = [await open(key), await open(second), await open(key)]

    const tooMany = await open(second)
    const elsewhere = await open(otherKey.key)
    streams[0]?.leave()

    expect((await tooMany.next()).data.errors).toEqual([
      {
        message: 'There are 3 open subscriptions of the organization already; close some first',
        extensions: { code: 'RATE_LIMITED', status: 429, requestId: expect.any(String), retryAfter: 60 },
      },
    ])
    await create(otherKey.key, 'elsewhere@example.com', limited)
    expect(await elsewhere.next()).toMatchObject({ data: { data: { contactChanged: { type: 'CONTACT_CREATED' } } } })
    await vi.waitFor(async () => {
      const again = await open(second)
      streams.push(again)
      await create(key, `${Date.now()}@example.com`, limited)
      expect(await again.next()).toMatchObject({ data: { data: { contactChanged: { type: 'CONTACT_CREATED' } } } })
    }, 20_000)
    for (const stream of [...streams, elsewhere]) stream.leave()
  } finally {
    await limited.close()
  }
})
