// Rate limits: RateLimit headers, 429, and whose requests count together.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { serviceToken, startApp, type TestApp } from '../support/app.ts'
import { conforming } from './conforming.ts'

let app: TestApp
let rest: TestApp['rest']
beforeAll(async () => {
  app = await startApp({ env: { RATE_LIMIT: '1', RATE_LIMIT_READS: '5', RATE_LIMIT_WRITES: '3' } })
  rest = conforming(app)
})
afterAll(() => app.close())

const path = '/api/crm/v1/contacts'

describe('rate limits', () => {
  test('every answer tells what is left, in the words of the draft', async () => {
    const { key } = await app.given.apiKey()

    const answers = [
      await rest('GET', path, { key }),
      await rest('GET', `${path}?nonsense=1`, { key }),
      await rest('GET', `${path}/x`, { key }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 422, 404])
    expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(Array(3).fill('"read";q=5;w=60'))
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/, 't='))).toEqual(
      [4, 3, 2].map(left => `"read";r=${left};t=`),
    )
  })

  test('429 with Retry-After when there are too many, of exactly as many as are allowed', async () => {
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

  test('writes are counted apart from reads', async () => {
    const { key } = await app.given.apiKey()

    const writes = [1, 2, 3, 4].map(async n => (await rest('POST', path, { key, body: { email: `n${n}@example.com` } })).status)

    expect((await Promise.all(writes)).toSorted()).toEqual([201, 201, 201, 429])
    expect((await rest('GET', path, { key })).status).toBe(200)
  })

  test('each credential has its own, whatever the client says about where it is', async () => {
    const [one, other] = [await app.given.apiKey(), await app.given.apiKey()]
    for (let n = 0; n < 6; n++) await rest('GET', path, { key: one.key })

    const moved = await rest('GET', path, { key: one.key, headers: { 'X-Forwarded-For': '203.0.113.9' } })
    const fresh = await rest('GET', path, { key: other.key })

    expect([moved.status, fresh.status]).toEqual([429, 200])
  })

  test('GraphQL and REST are counted together', async () => {
    const { key } = await app.given.apiKey()
    for (let n = 0; n < 5; n++) await app.graphql('{ contacts { total } }', undefined, { key })

    expect((await rest('GET', path, { key })).status).toBe(429)
  })

  test('guests of one address are counted together, so that a new name is no new chance', async () => {
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

  test('by default a backend is not limited, and is told of no limit', async () => {
    const answers = await deducts(app, 10)

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(Array(10).fill(null))
  })

  test('where it is set it counts for the token, apart from keys', async () => {
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
  test('while Redis is away each process counts alone, and nobody waits', async () => {
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

  // Needs a Redis to be told of; the address of one may be given.
  const redis = process.env.TEST_REDIS_URL
  test.skipIf(!redis)('processes count together', async () => {
    const env = { RATE_LIMIT: '1', RATE_LIMIT_READS: '4', REDIS_URL: redis ?? '' }
    const one = await startApp({ env })
    const other = await startApp({ env, database: one.database })
    try {
      const { key } = await one.given.apiKey()
      await vi.waitFor(async () => expect((await one.rest('GET', path, { key: (await one.given.apiKey()).key })).status).toBe(200), 20_000)

      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? one : other).rest('GET', path, { key })))

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
    } finally {
      await other.close()
      await one.close()
    }
  })
})
