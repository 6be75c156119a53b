// Odd times and durations in what providers report: a call costs what is known of its duration, and its transcript can be read.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { givenCallFixture } from '../call-fixture.ts'
import { fakeProvider, providerIdOf } from '../fake-provider.ts'
import { report, secretOf } from '../report.ts'
import { tellTwilio, tellVapi, twilioSettings, vapiSettings } from './messages.ts'

const app = await openApp({
  env: {
    ...{ VOICE_CONCURRENCY: '200', VOICE_PRICE_PER_MINUTE: '6', CREDITS_NEW_USER_GRANT: '100000' },
    ...twilioSettings,
    ...vapiSettings,
  },
  telephony: { simulator: fakeProvider({ handlesVoicemail: true }) },
})
const fixture = await givenCallFixture(app)

const start = Date.now()
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()

async function givenCall(provider: string): Promise<string> {
  const { id } = await fixture.call()
  await app.services.database.pool.query('update calls set provider = $2 where id = $1', [id, provider])
  return id
}

const vapiTells = (callId: string, { call = {}, ...message }: { call?: object; [name: string]: unknown }) =>
  tellVapi(app, { ...message, call: { id: providerIdOf(callId), name: callId, ...call } })

const linesOf = async (callId: string) =>
  (await app.graphql('query ($id: ID!) { call(id: $id) { transcript { startMs endMs } } }', { id: callId }, { key: fixture.key })).body

describe('a report of Vapi', () => {
  const ended = { type: 'end-of-call-report', endedReason: 'customer-ended-call' }

  test.each<[string, object]>([
    ['whose end is before its start', { startedAt: at(0), endedAt: at(-300), durationSeconds: 300 }],
    ['whose end is its start', { startedAt: at(0), endedAt: at(0), durationSeconds: 300 }],
    ['without times', { durationSeconds: 299.6 }],
    ['with a duration as text', { durationSeconds: '300' }],
    ['with a duration in milliseconds alone', { durationMs: 300_000 }],
    ['with a duration of 0 beside another one', { durationSeconds: 0, durationMs: '300000' }],
    ['with a negative duration beside minutes', { durationSeconds: -1, durationMinutes: 5 }],
    ['with times in seconds', { startedAt: start / 1000 - 300, endedAt: start / 1000 }],
    ['with times in milliseconds as text', { startedAt: String(start - 300_000), endedAt: String(start) }],
    ['with a negative duration beside its times', { startedAt: at(-300), endedAt: at(0), durationSeconds: -1 }],
    ['with a start out of range', { startedAt: '0001-01-01T00:00:00Z', endedAt: at(0), durationSeconds: 300 }],
    ['with times in milliseconds', { startedAt: start - 300_000, endedAt: start }],
    ['with the times of its call', { call: { startedAt: at(-300), endedAt: at(0) } }],
  ])('%s costs its duration', async (_what, facts) => {
    const callId = await givenCall('vapi')
    await vapiTells(callId, { ...ended, ...facts })

    expect(await fixture.read(callId)).toMatchObject({ status: 'completed', duration_seconds: 300, credits_charged: 30 })
  })

  test.each([
    ['beyond any call', { secondsFromStart: 1e12, duration: 1e12 }, { startMs: null, endMs: null }],
    ['before it', { secondsFromStart: -2, duration: 900 }, { startMs: null, endMs: null }],
    ['as text', { secondsFromStart: '2.5', duration: '900' }, { startMs: 2500, endMs: 3400 }],
  ])('with a line %s can be read', async (_what, time, expected) => {
    const callId = await givenCall('vapi')
    await vapiTells(callId, { ...ended, durationSeconds: 5, artifact: { messages: [{ role: 'user', message: 'Hi', ...time }] } })

    expect(await linesOf(callId)).toEqual({ data: { call: { transcript: [expected] } } })
  })

  test('corrects a message of the end by another one', async () => {
    const callId = await givenCall('vapi')
    const update = { ...ended, type: 'status-update', status: 'ended' }
    const first = await vapiTells(callId, update)
    const again = await vapiTells(callId, update)
    await vapiTells(callId, { ...update, startedAt: at(-300), endedAt: at(0) })

    expect([first.body.received, again.body.received]).toEqual(['applied', 'duplicate'])
    expect(await fixture.read(callId)).toMatchObject({ duration_seconds: 300, credits_charged: 30 })
  })
})

describe('Twilio', () => {
  const tell = (callId: string, fields: Record<string, string>) =>
    tellTwilio(app, `?call_id=${callId}`, { CallSid: providerIdOf(callId), ...fields })
  const timestamp = (seconds: number) => new Date(start + seconds * 1000).toUTCString().replace('GMT', '+0000')

  test.each(['', ' ', '-1', 'x', '1e99'])('with the duration %j costs what its times tell', async CallDuration => {
    const callId = await givenCall('twilio')
    await tell(callId, { CallStatus: 'in-progress', Timestamp: timestamp(-300) })
    await tell(callId, { CallStatus: 'completed', Timestamp: timestamp(0), CallDuration })

    expect(await fixture.read(callId)).toMatchObject({ status: 'completed', duration_seconds: 300, credits_charged: 30 })
  })

  test('corrects a duration in a message with the same number', async () => {
    const callId = await givenCall('twilio')
    for (const CallDuration of ['0', '300', '300'])
      await tell(callId, { CallStatus: 'completed', Timestamp: timestamp(0), SequenceNumber: '3', CallDuration })

    expect(await fixture.read(callId)).toMatchObject({ duration_seconds: 300, credits_charged: 30 })
  })

  test('gives no recording at an address that runs as a script', async () => {
    const callId = await givenCall('twilio')
    await tell(callId, { RecordingSid: 'RE1', RecordingStatus: 'completed', RecordingUrl: 'javascript:alert(1)' })

    expect((await fixture.read(callId)).recording_url).toBe('')
  })
})

test('a line beyond any call is refused from an own server, which can correct it', async () => {
  const callId = await givenCall('simulator')
  const transcript = [{ role: 'user', text: 'Hi', start_ms: 9e15 }]
  const { status, body } = await report(app, await secretOf(app, fixture), { call_id: callId, status: 'completed', transcript })

  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'transcript', '0', 'start_ms']])
})

test('null is what an own server does not know yet', async () => {
  const callId = await givenCall('simulator')
  const unknown = ['outcome', 'answered_by', 'answered_at', 'ended_at', 'ended_reason', 'provider_reason', 'recording_url', 'summary']
  const none = Object.fromEntries([...unknown, 'provider_call_id', 'transcript', 'extracted', 'type'].map(name => [name, null]))
  const secret = await secretOf(app, fixture)
  const answers = [
    await report(app, secret, { ...none, call_id: callId, status: 'in_progress', duration_seconds: null }),
    await report(app, secret, { ...none, call_id: callId, status: 'completed', duration_seconds: 60, summary: 'Booked.' }),
    await report(app, secret, { ...none, call_id: callId, status: null, duration_seconds: null }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await fixture.read(callId)).toMatchObject({ status: 'completed', duration_seconds: 60, summary: 'Booked.', transcript: [] })
})
