// Rate limits: RateLimit headers, 429, and which requests share a limit.

import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { openApp, serviceToken, startApp, type TestApp } from '../support/app.ts'
import { conforming } from './conforming.ts'

const app = await openApp({ env: { RATE_LIMIT: '1', RATE_LIMIT_READS: '5', RATE_LIMIT_WRITES: '3', RATE_LIMIT_ORGANIZATION_READS: '8' } })
const rest = conforming(app)

const path = '/api/crm/v1/contacts'

describe('rate limits', () => {
  test('every response has the RateLimit headers of the IETF draft', async () => {
    const { key } = await app.given.apiKey()

    const answers = [
      await rest('GET', path, { key }),
      await rest('GET', `${path}?nonsense=1`, { key }),
      await rest('GET', `${path}/x`, { key }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 422, 404])
    expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(
      Array(3).fill('"read";q=5;w=60, "organization-read";q=8;w=60'),
    )
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/g, 't='))).toEqual(
      [4, 3, 2].map(left => `"read";r=${left};t=, "organization-read";r=${left + 3};t=`),
    )
  })

  test('429 with Retry-After after exactly the allowed number of requests', async () => {
    const { key } = await app.given.apiKey()

    const answers = await Promise.all(Array.from({ length: 20 }, () => rest('GET', path, { key })))

    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(refused).toHaveLength(15)
    for (const { headers, body } of refused) {
      expect(body.code).toBe('rate_limited')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(headers.get('ratelimit')).toMatch(/^"read";r=0;t=\d+$/)
    }
  })

  test('writes and reads are counted separately', async () => {
    const { key } = await app.given.apiKey()

    const writes = [1, 2, 3, 4].map(async n => (await rest('POST', path, { key, body: { email: `n${n}@example.com` } })).status)

    expect((await Promise.all(writes)).toSorted()).toEqual([201, 201, 201, 429])
    expect((await rest('GET', path, { key })).status).toBe(200)
  })

  test('a batch counts one write per row, and writes nothing if the limit is too low for it', async () => {
    const { key } = await app.given.apiKey()
    const batch = (...emails: string[]) => rest('POST', `${path}/batch`, { key, body: { contacts: emails.map(email => ({ email })) } })

    const two = await batch('a@example.com', 'b@example.com')
    const tooMany = await batch('c@example.com', 'd@example.com')

    expect([two.status, two.headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"write";r=1;/)])
    expect([tooMany.status, tooMany.body.detail]).toEqual([429, 'More than 3 writes in 60 seconds; each row of a batch is one'])
    expect((await rest('GET', `${path}?include=total`, { key })).body.total).toBe(2)
  })

  test('a batch of jobs counts one write per job, and a retry with its Idempotency-Key one in all', async () => {
    const { key } = await app.given.apiKey()
    const jobs = [1, 2].map(n => ({ target: { host_app: 'crm', id: `${n}`, kind: 'contact' } }))
    const enqueue = () => rest('POST', '/api/enrich/v1/jobs/batch', { key, body: { jobs }, headers: { 'Idempotency-Key': 'jobs' } })

    const [first, again] = [await enqueue(), await enqueue()]

    expect([first.status, again.status]).toEqual([first.status, first.status])
    expect([first, again].map(({ headers }) => headers.get('ratelimit')?.slice(0, 12))).toEqual(['"write";r=1;', '"write";r=0;'])
  })

  test('each mutation of a document counts as a write, and each row of a batch', async () => {
    const { key } = await app.given.apiKey()
    const twice =
      'mutation { a: createContact(input: { email: "a@example.com" }) { id } b: createContact(input: { email: "b@example.com" }) { id } }'
    const batch = 'mutation { batchContacts(input: { contacts: [{ email: "c@example.com" }, { email: "d@example.com" }] }) { succeeded } }'

    const first = await app.graphql(twice, undefined, { key })
    const second = await app.graphql(batch, undefined, { key })

    expect(first.headers.get('ratelimit')).toMatch(/^"write";r=1;/)
    expect(second.body.errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) })
    expect((await rest('GET', `${path}?include=total`, { key })).body.total).toBe(2)
  })

  test('the keys of an organization share a limit; a refused request does not use it up', async () => {
    const { key, orgId } = await app.given.apiKey()
    const { key: second } = await app.given.apiKey({ orgId })
    const otherKey = await app.given.apiKey()

    const greedy = await Promise.all(Array.from({ length: 20 }, () => rest('GET', path, { key })))
    const others = []
    for (let n = 0; n < 4; n++) others.push(await rest('GET', path, { key: second }))

    expect(greedy.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(others[3]?.body.detail).toBe('More than 8 reads of the organization in 60 seconds')
    expect(others[3]?.headers.get('ratelimit')?.replace(/t=\d+/g, 't=')).toBe('"read";r=1;t=, "organization-read";r=0;t=')
    expect((await rest('GET', path, { key: otherKey.key })).status).toBe(200)
  })

  test('each credential has its own limit, independent of X-Forwarded-For', async () => {
    const [one, other] = [await app.given.apiKey(), await app.given.apiKey()]
    for (let n = 0; n < 6; n++) await rest('GET', path, { key: one.key })

    const moved = await rest('GET', path, { key: one.key, headers: { 'X-Forwarded-For': '203.0.113.9' } })
    const fresh = await rest('GET', path, { key: other.key })

    expect([moved.status, fresh.status]).toEqual([429, 200])
  })

  test('GraphQL and REST are counted together', async () => {
    const { key } = await app.given.apiKey()
    for (let n = 0; n < 5; n++) await app.graphql('{ contacts { totalCount } }', undefined, { key })

    expect((await rest('GET', path, { key })).status).toBe(429)
  })

  test('guests with the same IP address share a limit, also with different guest ids', async () => {
    const answers = []
    for (let n = 0; n < 7; n++) answers.push(await rest('GET', '/api/dashboard', { headers: { 'X-Guest-ID': `guest-${n}` } }))

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })
})

describe('RATE_LIMIT_SERVICE', () => {
  const deducts = async (app: TestApp, times: number) => {
    const { userId } = await app.given.organization()
    const headers = { 'x-svc-services-token': serviceToken }
    const ask = () => conforming(app)('POST', '/api/credits/deduct', { headers, body: { user_id: userId, amount: 1 } })
    return Promise.all(Array.from({ length: times }, ask))
  }

  test('by default a backend has no limit and gets no RateLimit headers', async () => {
    const answers = await deducts(app, 10)

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(Array(10).fill(null))
  })

  test('if it is set it limits the token, separately from keys', async () => {
    const limited = await startApp({ env: { RATE_LIMIT: '1', RATE_LIMIT_WRITES: '3', RATE_LIMIT_SERVICE: '6' } })
    try {
      const answers = await deducts(limited, 10)
      const { key } = await limited.given.apiKey()

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
      expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"write";q=6;w=60')
      expect((await limited.rest('POST', path, { key, body: { email: 'n@example.com' } })).status).toBe(201)
    } finally {
      await limited.close()
    }
  })
})

describe('REDIS_URL', () => {
  test('while Redis is unavailable each process counts separately, and requests do not wait', async () => {
    const alone = await startApp({ env: { RATE_LIMIT: '1', RATE_LIMIT_READS: '2', REDIS_URL: 'redis://127.0.0.1:1' } })
    try {
      const { key } = await alone.given.apiKey()
      const started = performance.now()

      const answers = [
        await alone.rest('GET', path, { key }),
        await alone.rest('GET', path, { key }),
        await alone.rest('GET', path, { key }),
      ]

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
      expect(performance.now() - started).toBeLessThan(1500)
    } finally {
      await alone.close()
    }
  })

  // Runs only if the URL of a Redis server is configured.
  const redis = process.env.TEST_REDIS_URL
  test.skipIf(!redis)('processes share the counters', async () => {
    const env = { RATE_LIMIT: '1', RATE_LIMIT_READS: '4', REDIS_URL: redis ?? '' }
    const one = await startApp({ env })
    const other = await startApp({ env, database: one.database })
    try {
      const { key } = await one.given.apiKey()
      await vi.waitFor(async () => expect((await one.rest('GET', path, { key: (await one.given.apiKey()).key })).status).toBe(200), 20_000)

      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? one : other).rest('GET', path, { key })))

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)

      const { key: another } = await one.given.apiKey()
      const late = Array.from({ length: 10 }, (_, n) => (n % 2 ? one : other).rest('GET', path, { key: another }))
      // Both processes are late for longer than they wait for Redis.
      for (let n = 0; n < 5; n++) {
        await new Promise(setImmediate)
        for (const until = performance.now() + 350; performance.now() < until; );
      }
      expect((await Promise.all(late)).filter(({ status }) => status === 200)).toHaveLength(4)
    } finally {
      await other.close()
      await one.close()
    }
  })
})

describe('before a body is read', () => {
  // Nothing of the body has been sent yet.
  const refusedUnread = async (path: string, key: string) => {
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    const headers = `host: local\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream`
    socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\ncontent-length: 900000\r\n\r\n{`)
    const answer = await new Promise<string>(resolve => socket.once('data', data => resolve(data.toString())))
    socket.destroy()
    return answer.slice(0, 12)
  }

  test.each(['/graphql', '/mcp', path])('%s: a flood is refused once a hundred requests were, until the minute is over', async door => {
    const { key } = await app.given.apiKey()
    // Five reads or three writes are allowed.
    const flood = Array.from({ length: 106 }, () => app.rest('POST', door, { key, body: { query: 'mutation { nothing }' } }))
    expect((await Promise.all(flood)).filter(({ status }) => status === 429).length).toBeGreaterThan(100)

    expect(await refusedUnread(door, key)).toBe('HTTP/1.1 429')
    const { key: another } = await app.given.apiKey()
    expect((await app.rest('POST', door, { key: another, body: {} })).status).not.toBe(429)
  })
})
