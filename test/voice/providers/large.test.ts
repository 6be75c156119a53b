// Reports of long calls: up to 10 MiB from a sender that proves to be the provider, in a message or as the answer to a look-up.

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { reconcileCall } from '../../../src/voice/dispatch/reaper.ts'
import { type Json, openApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { givenCallFixture } from '../call-fixture.ts'
import { fakeProvider, providerIdOf } from '../fake-provider.ts'
import { report, secretOf } from '../report.ts'
import { eventsOf, vapiSecret, vapiSettings } from './messages.ts'
import { providerServer } from './server.ts'

const events = eventsOf('vapi')
const provider = await keepOpen(providerServer())
const app = await openApp({
  env: {
    ...vapiSettings,
    VAPI_API_URL: provider.url,
    OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
    // Senders of several networks.
    TRUST_PROXY: '1',
  },
  telephony: { simulator: fakeProvider() },
})

async function givenCall(name: 'simulator' | 'vapi' | 'http', dispatchUrl?: string) {
  const fixture = await givenCallFixture(app)
  const { id } = await fixture.call()
  const { pool } = app.services.database
  await pool.query('update calls set provider = $2 where id = $1', [id, name])
  if (dispatchUrl) await pool.query('update voice_agents set dispatch_url = $2 where id = $1', [fixture.agent.id, dispatchUrl])
  return { ...fixture, callId: id, secret: await secretOf(app, fixture), read: () => fixture.read(id) }
}

// Two hours: a line every three seconds, and the same once more with the time of each word.
const lines = Array.from({ length: 2400 }, (_, n) => ({
  role: n % 2 ? 'user' : 'bot',
  message: `This is line ${n}. ${'And so on. '.repeat(12)}`,
}))
const artifact = {
  messages: lines.map((line, n) => ({ ...line, secondsFromStart: n * 3, metadata: { words: 'word 0.1 0.2 '.repeat(100) } })),
  messagesOpenAIFormatted: lines,
}
const callOfVapi = (callId: string) => ({
  ...{ endedReason: 'customer-ended-call', startedAt: '2026-06-01T10:00:00.000Z', endedAt: '2026-06-01T12:00:00.000Z', artifact },
  analysis: { summary: 'They talked.' },
  ...{ id: providerIdOf(callId), name: callId },
})
const reportOfVapi = (callId: string) => {
  const { id, name, ...rest } = callOfVapi(callId)
  return JSON.stringify({ message: { type: 'end-of-call-report', ...rest, call: { id, name } } })
}
const hmac = (body: string) => createHmac('sha256', vapiSecret).update(body).digest('hex')

const ended = { status: 'completed', duration_seconds: 7200, summary: 'They talked.' }
const transcriptOf = async (read: () => Promise<Json>) => {
  const { transcript } = await read()
  return [transcript.length, transcript.at(-1).text, transcript.at(-1).start_ms]
}
const whole = [2400, lines.at(-1)?.message, 2399 * 3000]

describe('a message', () => {
  test.each([
    ['with the secret', (_body: string) => ({ 'x-vapi-secret': vapiSecret })],
    ['with a bearer token', (_body: string) => ({ authorization: `Bearer ${vapiSecret}` })],
    ['with a signature', (body: string) => ({ 'x-vapi-signature': hmac(body) })],
  ])('of 4 MB from Vapi %s is applied, stored in short, and can be replayed', async (_name, headers) => {
    const { callId, read, key } = await givenCall('vapi')
    const body = reportOfVapi(callId)
    expect(body.length).toBeGreaterThan(4_000_000)

    const answer = await app.rest('POST', events, { body, headers: headers(body) as Record<string, string> })

    expect([answer.status, answer.body]).toEqual([200, { received: 'applied' }])
    expect(await read()).toMatchObject(ended)
    expect(await transcriptOf(read)).toEqual(whole)
    const { rows } = await app.services.database.pool.query('select id, length(body) as length from provider_events where call_id = $1', [
      callId,
    ])
    expect(rows[0].length).toBeLessThan(1_048_576)
    const replay = `mutation { replayProviderEvent(input: { id: "${rows[0].id}" }) { state note } }`
    expect((await app.graphql(replay, {}, { key })).body.data.replayProviderEvent).toEqual({ state: 'IGNORED', note: 'nothing new' })
  })

  test('of an own server may have 10 MiB, and no more', async () => {
    const { callId, secret, read } = await givenCall('simulator')
    const transcript = lines.map(({ message }, n) => ({ role: n % 2 ? 'user' : 'agent', text: message, start_ms: n * 3000 }))
    const content = (size: number) => {
      const empty = { call_id: callId, status: 'completed', transcript, duration_seconds: 7200, summary: 'They talked.', unknown: '' }
      return { ...empty, unknown: 'x'.repeat(size - JSON.stringify(empty).length) }
    }

    const tooLarge = await report(app, secret, content(10_485_761))
    const largest = await report(app, secret, content(10_485_760))

    expect([tooLarge.status, largest.status, largest.body]).toEqual([413, 200, { received: 'applied' }])
    expect(await read()).toMatchObject(ended)
    expect(await transcriptOf(read)).toEqual(whole)
  })

  test('that the provider has not sent keeps the usual limit, or is refused by its signature', async () => {
    const { callId } = await givenCall('vapi')
    const body = reportOfVapi(callId)
    const sent = (headers: Record<string, string>) => app.rest('POST', events, { body, headers }).then(({ status }) => status)

    expect([
      await sent({}),
      await sent({ 'x-vapi-secret': 'guessed' }),
      await sent({ authorization: 'Bearer guessed' }),
      await sent({ 'x-vapi-signature': 'a'.repeat(64) }),
    ]).toEqual([401, 413, 413, 401])
  })

  test('is asked for again later while two others are being read', async () => {
    const { callId } = await givenCall('vapi')
    const body = reportOfVapi(callId)
    const headers = { 'x-vapi-signature': hmac(body) }

    const answers = await Promise.all(Array.from({ length: 8 }, () => app.rest('POST', events, { body, headers })))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
    expect((await app.rest('POST', events, { body, headers })).status).toBe(200)
  })

  test('is read while a stranger sends others slowly, who gets no further ones in', async () => {
    const { callId } = await givenCall('vapi')
    const body = reportOfVapi(callId)
    const signature = { 'x-vapi-signature': hmac(body) }
    const slowly = Array.from({ length: 3 }, () => {
      const headers = { 'content-type': 'application/json', 'content-length': '4000000', 'x-vapi-signature': 'guessed' }
      const sending = request(app.url + events, { method: 'POST', headers: { ...headers, 'x-forwarded-for': '192.0.2.1' } })
      sending.on('error', () => {}).write('{')
      return sending
    })
    try {
      // Two are being read.
      const [refused] = (await Promise.race(slowly.map(sending => once(sending, 'response')))) as [IncomingMessage]
      const genuine = await app.rest('POST', events, { body, headers: { ...signature, 'x-forwarded-for': '198.51.100.7' } })

      expect([refused.statusCode, genuine.status]).toEqual([429, 200])
    } finally {
      for (const sending of slowly) sending.destroy()
    }
  })
})

describe('the answer to a look-up', () => {
  test('of 4 MB from Vapi is applied', async () => {
    const { callId, orgId, read } = await givenCall('vapi')
    await app.services.database.pool.query("update calls set dispatch_state = 'unconfirmed' where id = $1", [callId])
    provider.answers(() => ({ status: 200, body: { ...callOfVapi(callId), status: 'ended' } }))

    await reconcileCall(app.services, orgId, callId)

    expect(await read()).toMatchObject(ended)
    expect(await transcriptOf(read)).toEqual(whole)
  })

  test('of 4 MB from an own server is applied', async () => {
    const { callId, orgId, read } = await givenCall('http', `${provider.url}/dispatch`)
    await app.services.database.pool.query("update calls set dispatch_state = 'unconfirmed' where id = $1", [callId])
    const content = { provider_call_id: providerIdOf(callId), status: 'completed', duration_seconds: 7200, summary: 'They talked.' }
    provider.answers(() => ({ status: 200, body: { ...content, unknown: 'x'.repeat(4_000_000) } }))

    await reconcileCall(app.services, orgId, callId)

    expect(await read()).toMatchObject(ended)
  })
})
