// Messages that no provider has sent: counted per network, refused before they are parsed, and never in the way of genuine ones.

import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import twilioSdk from 'twilio'
import { expect, test } from 'vitest'
import { signatureHeaders } from '../../../src/voice/providers/signed-message.ts'
import { type Answer, openApp } from '../../support/app.ts'
import { givenCallFixture } from '../call-fixture.ts'
import { fakeProvider } from '../fake-provider.ts'
import { secretOf } from '../report.ts'

const authToken = 'auth-token-of-the-test'
const vapiSecret = 'vapi-webhook-secret-of-the-test'
const publicUrl = 'https://crm.example'
const eventsOf = (provider: string) => `/api/voice/v1/providers/${provider}/events`

const provider = fakeProvider()
const app = await openApp({
  env: {
    ...{ RATE_LIMIT: '1', TRUST_PROXY: '1', PUBLIC_URL: publicUrl },
    ...{ TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`, TWILIO_AUTH_TOKEN: authToken },
    ...{ VAPI_API_KEY: 'vapi-key', VAPI_WEBHOOK_SECRET: vapiSecret },
  },
  telephony: { simulator: provider, http: provider },
})
const given = async () => {
  const fixture = await givenCallFixture(app)
  const { id } = await fixture.call()
  return { callId: id, secret: await secretOf(app, fixture) }
}
const own = await given()
const foreign = await given()

interface Sent {
  body: string
  headers: Record<string, string>
}
const json = (content: unknown, headers: Record<string, string>): Sent => ({
  body: typeof content === 'string' ? content : JSON.stringify(content),
  headers: { 'content-type': 'application/json', ...headers },
})
const ownMessage = (content: unknown, secret: string): Sent => {
  const body = JSON.stringify(content)
  return json(body, signatureHeaders([secret], randomUUID(), body, new Date()))
}
const form = (fields: string, signature: string): Sent => ({
  body: fields,
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
})
const twilioFields = `CallSid=CA${'1'.repeat(32)}&CallStatus=ringing`
const signatureBy = (token: string) =>
  twilioSdk.getExpectedTwilioSignature(token, publicUrl + eventsOf('twilio'), Object.fromEntries(new URLSearchParams(twilioFields)))
const strangerSecret = `whsec_${randomBytes(24).toString('base64')}`

const senders: [string, { forged: () => Sent; genuine: () => Sent }][] = [
  [
    'simulator',
    {
      forged: () => ownMessage({ call_id: own.callId, status: 'completed' }, strangerSecret),
      genuine: () => ownMessage({ call_id: own.callId, status: 'ringing' }, own.secret),
    },
  ],
  [
    'twilio',
    {
      forged: () => form(twilioFields, signatureBy('guessed')),
      genuine: () => form(twilioFields, signatureBy(authToken)),
    },
  ],
  [
    'vapi',
    {
      forged: () => json({ message: { type: 'status-update' } }, { 'x-vapi-secret': 'guessed' }),
      genuine: () => json({ message: { type: 'hang' } }, { 'x-vapi-secret': vapiSecret }),
    },
  ],
]
const genuineOf = new Map(senders)

const send = (provider: string, { body, headers }: Sent, address: string): Promise<Answer> =>
  app.rest('POST', eventsOf(provider), { body, headers: { ...headers, 'x-forwarded-for': address } })

test.each(senders)('%s: after 20 forged messages of a network 429; a genuine one passes and resets the count', async (provider, {
  forged,
}) => {
  const network = `2001:db8:${provider.length}:1`
  const fail = (n: number) => send(provider, forged(), `${network}::${n}`)
  const statuses: number[] = []
  for (let n = 1; n <= 20; n++) statuses.push((await fail(n)).status)
  const refused = await fail(21)

  expect(statuses).toEqual(Array(20).fill(401))
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send(provider, forged(), '192.0.2.7')).status).toBe(401)
  const genuine = genuineOf.get(provider)?.genuine() as Sent
  expect((await send(provider, genuine, `${network}::22`)).status).toBe(200)
  expect((await fail(23)).status).toBe(401)
})

test('a message without a signature is not parsed: whatever it says, the answer is 401', async () => {
  const wrong = signatureHeaders([strangerSecret], randomUUID(), 'another body', new Date())
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const bodies = [
    '{',
    deep,
    '{"call_id":7}',
    `{"call_id":"${'-'.repeat(36)}"}`,
    '"call_id":'.repeat(90_000),
    `{"call_id":"${own.callId}"`,
    '',
  ]
  const statuses: number[] = []
  for (const [n, body] of bodies.entries()) statuses.push((await send('simulator', json(body, wrong), `192.0.2.${100 + n}`)).status)
  statuses.push((await send('vapi', json(deep, { 'x-vapi-signature': 'a' }), '192.0.2.120')).status)
  statuses.push((await send('vapi', json('{', { authorization: 'Bearer a' }), '192.0.2.121')).status)

  expect(statuses).toEqual(Array(statuses.length).fill(401))
})

test('200,000 fields of a form cost no more than their bytes', async () => {
  const fields = Array.from({ length: 120_000 }, (_, n) => `f${n}=`).join('&')
  const started = performance.now()

  expect((await send('twilio', form(fields, 'a'.repeat(28)), '192.0.2.130')).status).toBe(401)
  expect(performance.now() - started).toBeLessThan(2_000)
})

test("a message that is signed for one call does not change another, wherever it has its own call's id", async () => {
  const about = { call_id: foreign.callId, status: 'completed', ended_reason: 'forged' }
  const before = [
    { extracted: { call_id: own.callId }, ...about },
    { ...about, extracted: { call_id: own.callId } },
  ]
  const statuses = []
  for (const content of before) statuses.push((await send('simulator', ownMessage(content, own.secret), '192.0.2.140')).status)
  const twice = `{"call_id":"${own.callId}","call_id":"${foreign.callId}","status":"completed"}`
  statuses.push(
    (await send('simulator', json(twice, signatureHeaders([own.secret], randomUUID(), twice, new Date())), '192.0.2.140')).status,
  )

  expect(statuses).toEqual([401, 401, 401])
  const { rows } = await app.services.database.pool.query('select status from calls where id = $1', [foreign.callId])
  expect(rows).toEqual([{ status: 'queued' }])
})

test('a genuine message is found by its id, wherever that stands', async () => {
  const content = { extracted: { call_id: foreign.callId }, summary: `"call_id": "${randomUUID()}"`, call_id: own.callId }

  expect(await send('simulator', ownMessage(content, own.secret), '192.0.2.150')).toMatchObject({ status: 200 })
})

test.each([
  ['simulator', {}],
  ['twilio', { authorization: 'Bearer x' }],
  ['vapi', { 'x-twilio-signature': 'x' }],
  ['nobody', { 'x-vapi-secret': 'x' }],
])('%s: a message without a signature is refused before its body has arrived', async (provider, headers) => {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host: 'crm.example', 'content-type': 'application/json', 'content-length': '900000', ...headers })
  socket.write(`POST ${eventsOf(provider)} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n{`)
  const answer = await new Promise<string>(resolve => socket.once('data', data => resolve(data.toString())))
  socket.destroy()

  expect(answer.slice(0, 12)).toBe('HTTP/1.1 401')
})
