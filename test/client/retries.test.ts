// What rolocom/client repeats, and that a repeated write happens once.

import { type Client, type ClientOptions, createClient, isRolocomError } from 'rolocom/client'
import { expect, test, vi } from 'vitest'
import { openApp } from '../support/app.ts'
import { keyed } from './keyed.ts'

const app = await openApp()

type Sent = { method: string; key: string | null }
type Step = (url: string, init: RequestInit) => Promise<Response>

/** A client whose attempts go by these steps, the last of which stands for all further ones. */
async function scripted(steps: readonly Step[], options: Partial<ClientOptions> = {}): Promise<{ client: Client; sent: Sent[] }> {
  const sent: Sent[] = []
  const step: Step = (url, init) => {
    const at = steps[Math.min(sent.length, steps.length - 1)] ?? fetch
    sent.push({ method: String(init.method), key: new Headers(init.headers).get('Idempotency-Key') })
    return at(url, init)
  }
  const { client } = await keyed(app, { fetch: step, ...options })
  return { client, sent }
}

const broken: Step = async () => {
  throw new TypeError('fetch failed')
}
/** The request arrives and is done, its answer does not come back. */
const lost: Step = async (url, init) => {
  await (await fetch(url, init)).arrayBuffer()
  throw new TypeError('fetch failed')
}
/** The answer breaks off within its body. */
const torn: Step = async (url, init) => {
  const { status, headers } = await fetch(url, init)
  const body = new ReadableStream({ pull: controller => controller.error(new TypeError('terminated')) })
  return new Response(body, { status, headers })
}
/** No answer until the attempt is given up. */
const silent: Step = (_, { signal }) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
const answered =
  (status: number, headers: Record<string, string> = {}): Step =>
  async () =>
    new Response('<html>', { status, headers })

const create = (client: Client, email: string) => client.request('post', '/api/crm/v1/contacts', { body: { email } })
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (isRolocomError(error) ? error.code : String(error)),
  )

test.each([
  ['lost', lost],
  ['torn', torn],
])('a write whose answer is %s is repeated with its key, and happens once', async (name, step) => {
  const { client, sent } = await scripted([step, fetch])

  const { data, isReplayed } = await create(client, `${name}@example.com`)
  const { data: found } = await client.get('/api/crm/v1/contacts', { query: { email: `${name}@example.com` } })

  expect(isReplayed).toBe(true)
  expect(found.map(({ id }) => id)).toEqual([data.id])
  const [first, again] = sent
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toEqual(first)
})

test('two calls have two keys, and a key of the caller is sent as it is', async () => {
  const { client, sent } = await scripted([fetch])

  await create(client, 'one@example.com')
  await create(client, 'two@example.com')
  const own = { body: { email: 'three@example.com' }, idempotencyKey: 'order-7' }
  await client.post('/api/crm/v1/contacts', own)
  const { isReplayed } = await client.request('post', '/api/crm/v1/contacts', own)

  expect(new Set(sent.map(({ key }) => key)).size).toBe(3)
  expect(sent.slice(2)).toEqual([
    { method: 'POST', key: 'order-7' },
    { method: 'POST', key: 'order-7' },
  ])
  expect(isReplayed).toBe(true)
})

test.each([429, 502, 503, 504])('%i is asked again', async status => {
  const { client, sent } = await scripted([answered(status), fetch])

  await expect(client.get('/api/crm/v1/stats')).resolves.toHaveProperty('contacts')
  expect(sent).toHaveLength(2)
})

test('409 is repeated if it has Retry-After; the 409 of a taken address is not', async () => {
  const { client, sent } = await scripted([answered(409, { 'Retry-After': '0' }), fetch])

  await create(client, 'conflict@example.com')
  expect(sent).toHaveLength(2)
  expect(await codeOf(create(client, 'conflict@example.com'))).toBe('already_exists')
  expect(sent).toHaveLength(3)
})

test.each([
  [400, 'invalid'],
  [403, 'forbidden'],
  [418, 'unexpected_answer'],
  [500, 'internal'],
])('%i is not asked again, and is %s', async (status, code) => {
  const { client, sent } = await scripted([answered(status)])

  expect(await codeOf(client.get('/api/crm/v1/stats'))).toBe(code)
  expect(sent).toHaveLength(1)
})

test('a write without a key is repeated after 429 alone', async () => {
  const body = { email: 'nobody@example.com', password: 'wrong-password' }
  for (const [step, code, attempts] of [
    [broken, 'unreachable', 1],
    [answered(503), 'unavailable', 1],
    [answered(429), 'unauthenticated', 2],
  ] as const) {
    const { client, sent } = await scripted([step, fetch])
    expect([await codeOf(client.post('/idp/sign-in/email', { body })), sent.length]).toEqual([code, attempts])
  }
})

test('Retry-After is waited for, longer than the own waiting, and not beyond maxRetryAfterMs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { client, sent } = await scripted([answered(429, { 'Retry-After': '30' }), answered(429, { 'Retry-After': '61' })])
  const call = client.get('/api/crm/v1/stats').catch((error: unknown) => error)

  await vi.advanceTimersByTimeAsync(29_900)
  const early = sent.length
  await vi.advanceTimersByTimeAsync(200)
  vi.useRealTimers()

  expect(await call).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 61 })
  expect([early, sent.length]).toEqual([1, 2])
})

test('without an answer it is unreachable after all attempts, each wait longer than the one before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { client, sent } = await scripted([broken], { maxRetries: 4 })
  const call = client.get('/api/crm/v1/stats').catch((error: unknown) => error)

  const attempts: number[] = []
  // At these times the waits are over, however the dice fall: 0.5 s, 1 s, 2 s and 4 s at most, half of them at least.
  for (const ms of [0, 500, 1000, 2000, 4000]) {
    await vi.advanceTimersByTimeAsync(ms)
    attempts.push(sent.length)
  }
  vi.useRealTimers()

  expect(attempts.at(-1)).toBe(5)
  expect(await call).toMatchObject({ code: 'unreachable', status: null, requestId: null })
})

test('an attempt without an answer is given up after timeoutMs', async () => {
  const { client, sent } = await scripted([silent, fetch])
  await expect(client.get('/api/crm/v1/stats', { timeoutMs: 50, maxRetries: 0 })).rejects.toMatchObject({ code: 'timed_out' })

  const patient = await scripted([silent, answered(200)])
  await expect(patient.client.get('/api/crm/v1/contacts', { timeoutMs: 50 })).resolves.toBe('<html>')
  expect([sent.length, patient.sent.length]).toEqual([1, 2])
})

test('a signal ends a call while it is answered and while it waits', async () => {
  for (const step of [silent, answered(503, { 'Retry-After': '60' })]) {
    const { client, sent } = await scripted([step])
    const leaving = new AbortController()
    const call = client.get('/api/crm/v1/stats', { signal: leaving.signal })
    await vi.waitFor(() => expect(sent).toHaveLength(1), 20_000)
    leaving.abort(new Error('not wanted any more'))
    await expect(call).rejects.toThrow('not wanted any more')
  }
})

test('a server that is not there is unreachable, with the reason', async () => {
  const client = createClient({ url: 'http://127.0.0.1:9', key: 'rcm_any', maxRetries: 0 })
  await expect(client.get('/api/crm/v1/stats')).rejects.toThrow(/cannot be reached/)
})
