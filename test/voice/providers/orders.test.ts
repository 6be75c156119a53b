// All orders of a call's messages, some of them twice: the same end, the same facts and the same charge.

import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { runReaper } from '../../../src/voice/dispatch/reaper.ts'
import { type Answer, type Json, openApp } from '../../support/app.ts'
import { givenCallFixture } from '../call-fixture.ts'
import { type FakeProvider, fakeProvider, found, providerIdOf } from '../fake-provider.ts'
import { report, secretOf } from '../report.ts'
import { tellTwilio, tellVapi, twilioSettings, vapiSettings } from './messages.ts'

const simulator: FakeProvider = fakeProvider({ handlesVoicemail: true })
const usual = { ...simulator }
const app = await openApp({
  env: {
    ...{ VOICE_CONCURRENCY: '200', VOICE_PRICE_PER_MINUTE: '6', CREDITS_NEW_USER_GRANT: '100000' },
    ...twilioSettings,
    ...vapiSettings,
  },
  telephony: { simulator },
})
const fixture = await givenCallFixture(app, { extraction: { city: { type: 'string' }, size: { type: 'integer' } } })
const secret = await secretOf(app, fixture)

const start = Math.floor(Date.now() / 1000) * 1000
beforeEach(() => {
  app.setNow(new Date(start))
  Object.assign(simulator, usual)
})
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()

type Tell = (callId: string) => Promise<Answer>
const own =
  (content: object, id: string): Tell =>
  callId =>
    report(app, secret, { call_id: callId, provider_call_id: providerIdOf(callId), ...content }, { id })
const vapi =
  (message: object): Tell =>
  callId =>
    tellVapi(app, { ...message, call: { id: providerIdOf(callId), name: callId } })
const twilio =
  (fields: Record<string, string>): Tell =>
  callId =>
    tellTwilio(app, `?call_id=${callId}`, { CallSid: providerIdOf(callId), ...fields })
const timestamp = (seconds: number) => new Date(start + seconds * 1000).toUTCString().replace('GMT', '+0000')
const said = (text: string, role = 'user') => ({ role, text, start_ms: 0 })
const reportOfVapi = (seconds: number, more: object = {}) => ({
  ...{ type: 'end-of-call-report', endedReason: 'customer-ended-call', startedAt: at(5), endedAt: at(5 + seconds) },
  analysis: { summary: 'Booked.', successEvaluation: 'true', structuredData: { city: 'Bonn' } },
  artifact: { recordingUrl: 'https://r.example/1', messages: [{ role: 'user', message: 'Hi', secondsFromStart: 2 }] },
  ...more,
})

const stories: [string, 'simulator' | 'vapi' | 'twilio', Tell[], Json][] = [
  [
    'an own server',
    'simulator',
    [
      own({ status: 'ringing', answered_by: 'human' }, 'a'),
      own({ status: 'in_progress', answered_at: at(3), transcript: [said('Hello.')] }, 'b'),
      own({ status: 'completed' }, 'c'),
      own({ ended_at: at(63), ended_reason: 'hung_up', provider_reason: 'SIP 200', extracted: { city: 'Bonn' } }, 'd'),
      own({ duration_seconds: 58, outcome: 'goal_met', summary: 'Booked.', transcript: [said('Hello.'), said('Bye.')] }, 'e'),
      own({ outcome: 'unknown', answered_by: 'unknown', extracted: { size: 7 }, recording_url: 'https://r.example/1' }, 'f'),
    ],
    {
      ...{ status: 'completed', outcome: 'goal_met', answered_by: 'human', answered_at: at(3), ended_at: at(63) },
      ...{ duration_seconds: 58, credits_charged: 5.8, ended_reason: 'hung_up', provider_reason: 'SIP 200', summary: 'Booked.' },
      ...{ extracted: { city: 'Bonn', size: 7 }, recording_url: 'https://r.example/1' },
    },
  ],
  [
    'an own server that corrects itself',
    'simulator',
    [
      own({ status: 'completed', duration_seconds: 0, ended_reason: 'x', answered_by: 'human' }, 'a'),
      own({ duration_seconds: 40, ended_reason: 'hung_up', ended_at: at(50) }, 'b'),
      own({ duration_seconds: 300, ended_at: at(310), summary: 'A', answered_by: 'machine' }, 'c'),
      own({ answered_at: at(12), transcript: [said('a')], summary: 'B', extracted: { city: 'Bonn' } }, 'd'),
      own({ answered_at: at(10), transcript: [said('b')], outcome: 'goal_not_met', extracted: { city: 'Köln' } }, 'e'),
    ],
    {
      ...{ status: 'completed', outcome: 'goal_not_met', answered_by: 'machine', answered_at: at(10), ended_at: at(310) },
      ...{ duration_seconds: 300, credits_charged: 30, ended_reason: 'hung_up' },
    },
  ],
  [
    'an own server whose call fails after an answer',
    'simulator',
    [
      own({ status: 'in_progress', answered_at: at(2) }, 'a'),
      own({ status: 'failed', ended_at: at(32), ended_reason: 'carrier_lost' }, 'b'),
      own({ status: 'ringing' }, 'c'),
      own({ answered_by: 'human', summary: 'Cut.' }, 'd'),
    ],
    {
      ...{ status: 'failed', outcome: 'failed', answered_by: 'human', answered_at: at(2), ended_at: at(32) },
      ...{ duration_seconds: 30, credits_charged: 3, ended_reason: 'carrier_lost' },
    },
  ],
  [
    'Vapi',
    'vapi',
    [
      vapi({ type: 'status-update', status: 'ringing' }),
      vapi({ type: 'status-update', status: 'in-progress' }),
      vapi({ type: 'status-update', status: 'ended', endedReason: 'customer-ended-call' }),
      vapi(reportOfVapi(300)),
    ],
    {
      ...{ status: 'completed', outcome: 'goal_met', answered_at: at(5), ended_at: at(305), duration_seconds: 300 },
      ...{ credits_charged: 30, ended_reason: 'customer_ended_call', summary: 'Booked.', extracted: { city: 'Bonn' } },
    },
  ],
  [
    'Vapi, with a fault of its own after the answer',
    'vapi',
    [
      vapi({ type: 'status-update', status: 'in-progress' }),
      vapi({ type: 'status-update', status: 'ended', endedReason: 'pipeline-error-openai-llm-failed' }),
      vapi(reportOfVapi(42, { endedReason: 'pipeline-error-openai-llm-failed', analysis: {} })),
    ],
    { status: 'failed', outcome: 'failed', answered_at: at(5), ended_at: at(47), duration_seconds: 42, credits_charged: 4.2 },
  ],
  [
    'Vapi, with a fault of its own whose message of the answer was lost',
    'vapi',
    [
      vapi({ type: 'status-update', status: 'ringing' }),
      vapi({ type: 'status-update', status: 'ended', endedReason: 'call.in-progress.error-vapifault-openai-llm-failed' }),
      vapi(reportOfVapi(42, { endedReason: 'call.in-progress.error-vapifault-openai-llm-failed', analysis: {} })),
    ],
    { status: 'failed', outcome: 'failed', answered_at: at(5), ended_at: at(47), duration_seconds: 42, credits_charged: 4.2 },
  ],
  [
    'Twilio',
    'twilio',
    [
      twilio({ CallStatus: 'initiated', SequenceNumber: '0', Timestamp: timestamp(0) }),
      twilio({ CallStatus: 'ringing', SequenceNumber: '1', Timestamp: timestamp(1) }),
      twilio({ CallStatus: 'in-progress', SequenceNumber: '2', Timestamp: timestamp(4) }),
      twilio({ AnsweredBy: 'machine_end_beep', MachineDetectionDuration: '3000' }),
      twilio({ CallStatus: 'completed', SequenceNumber: '3', Timestamp: timestamp(25), CallDuration: '21', SipResponseCode: '200' }),
      twilio({ RecordingSid: 'RE1', RecordingStatus: 'completed', RecordingUrl: 'https://r.example/1' }),
    ],
    {
      ...{ status: 'completed', outcome: 'voicemail', answered_by: 'machine', answered_at: at(4), ended_at: at(25) },
      ...{ duration_seconds: 21, credits_charged: 2.1, provider_reason: 'SIP 200', recording_url: 'https://r.example/1' },
    },
  ],
]

/** A call of the provider, placed by the fake one. */
async function givenCall(provider: string, fields: object = {}): Promise<string> {
  const { id } = await fixture.call(fields)
  if (provider !== 'simulator') await app.services.database.pool.query('update calls set provider = $2 where id = $1', [id, provider])
  return id
}
// Which call it is, and how often and when it was written.
const endOf = async (callId: string) => {
  const { id, version, provider_call_id, contact_id, created_at, updated_at, dispatched_at, ...rest } = await fixture.read(callId)
  return rest
}

test.each(stories)(
  '%s: every order gives the same call and the same charge',
  async (_name, provider, messages, expected) => {
    const first = await givenCall(provider)
    for (const tell of messages) expect((await tell(first)).status).toBe(200)
    const end = await endOf(first)
    expect(end).toMatchObject(expected)

    const doubled = [...messages, ...messages]
    const orders = fc.shuffledSubarray(
      doubled.map((_, index) => index),
      { minLength: doubled.length },
    )
    await fc.assert(
      fc.asyncProperty(orders, async order => {
        const callId = await givenCall(provider)
        for (const index of order) await doubled[index]?.(callId)
        expect(await endOf(callId)).toEqual(end)
      }),
      { numRuns: Number(process.env.RUNS ?? 12) },
    )
  },
  120_000,
)

const ledgerOf = async (callId: string) => {
  const { rows } = await app.services.database.pool.query(
    `select type, amount_micro::float / 1e6 as amount from credit_entries where reference = $1 and type <> 'hold' order by seq`,
    [`call:${callId}`],
  )
  return rows.map(({ type, amount }) => `${type} ${amount}`)
}

describe('a correction after the end', () => {
  test('charges what the report of Vapi adds, where `ended` came without `in-progress`', async () => {
    const callId = await givenCall('vapi')
    await vapi({ type: 'status-update', status: 'ended', endedReason: 'customer-ended-call' })(callId)
    const before = await fixture.read(callId)
    await vapi(reportOfVapi(300))(callId)

    expect(before).toMatchObject({ status: 'completed', duration_seconds: 0, credits_charged: 0 })
    expect(await fixture.read(callId)).toMatchObject({ duration_seconds: 300, credits_charged: 30, answered_at: at(5) })
    expect(await ledgerOf(callId)).toEqual(['release 0', 'adjust -30'])
  })

  test('returns what a call was charged too much that nobody reported until it was closed', async () => {
    const callId = await givenCall('simulator', { max_duration_seconds: 60 })
    await own({ status: 'in_progress', answered_at: at(0) }, 'a')(callId)
    app.setNow(new Date(start + 125_000))
    simulator.known = () => ({ kind: 'unknown', reason: 'down' })
    await runReaper(app.services)
    const lost = await fixture.read(callId)
    await own({ status: 'completed', duration_seconds: 20, ended_at: at(20), ended_reason: 'hung_up' }, 'b')(callId)
    await own({ duration_seconds: 30 }, 'c')(callId)

    expect(lost).toMatchObject({ status: 'failed', ended_reason: 'provider_lost', credits_charged: 6 })
    expect(await fixture.read(callId)).toMatchObject({
      ...{ status: 'failed', ended_reason: 'hung_up', ended_at: at(20), duration_seconds: 30, credits_charged: 3 },
    })
    expect(await ledgerOf(callId)).toEqual(['settle -6', 'adjust 4', 'adjust -1'])
  })

  test.each([
    ['an hour slow', -3600, 40, 4],
    ['right', 10, 30, 3],
  ])('is not needed for a clock that is %s: what our own tells of its end counts', async (_clock, answered, seconds, cost) => {
    const callId = await givenCall('simulator', { max_duration_seconds: 600 })
    await own({ status: 'in_progress', answered_at: at(answered) }, 'a')(callId)
    app.setNow(new Date(start + 40_000))
    await own({ status: 'completed' }, 'b')(callId)

    expect(await fixture.read(callId)).toMatchObject({ answered_at: at(answered), duration_seconds: seconds, credits_charged: cost })
  })

  test.each([
    ['an hour slow', -3600],
    ['an hour fast', 3600],
    ['decades fast', 2_000_000_000],
  ])('by a clock that is %s, a call holds its slot for its longest time, neither shorter nor longer', async (_clock, skew) => {
    const callId = await givenCall('simulator', { max_duration_seconds: 600, ring_timeout_seconds: 30 })
    await own({ status: 'in_progress', answered_at: at(10 + skew) }, 'a')(callId)
    simulator.known = () => ({ kind: 'unknown', reason: 'down' })
    app.setNow(new Date(start + 500_000))
    await runReaper(app.services)
    const during = await fixture.read(callId)
    app.setNow(new Date(start + 800_000))
    await runReaper(app.services)

    expect([during.status, (await fixture.read(callId)).ended_reason]).toEqual(['in_progress', 'provider_lost'])
  })

  test('comes from a look-up too, and costs at most the held credits', async () => {
    const callId = await givenCall('simulator', { max_duration_seconds: 60 })
    await own({ status: 'completed' }, 'a')(callId)
    await own({ duration_seconds: 4000 }, 'b')(callId)
    const lookedUp = await givenCall('simulator', { max_duration_seconds: 60 })
    app.setNow(new Date(start + 200_000))
    simulator.known = ({ callId: id }) => found(id, 'completed', { durationSeconds: 45 })
    await runReaper(app.services)

    expect(await fixture.read(callId)).toMatchObject({ duration_seconds: 4000, credits_charged: 6 })
    expect(await fixture.read(lookedUp)).toMatchObject({ status: 'completed', duration_seconds: 45, credits_charged: 4.5 })
  })

  test('takes no more than is available', async () => {
    const poor = await givenCallFixture(app)
    const poorSecret = await secretOf(app, poor)
    const { id } = await poor.call({ max_duration_seconds: 600 })
    await report(app, poorSecret, { call_id: id, status: 'completed' })
    const available = async () => {
      const sql = 'select (balance_micro - reserved_micro)::float / 1e6 as available from credit_accounts where user_id = $1'
      return (await app.services.database.pool.query(sql, [poor.userId])).rows[0].available as number
    }
    const headers = { 'x-svc-services-token': 'test-service-token-0123456789' }
    const debit = { user_id: poor.userId, amount: (await available()) - 2, reference: 'elsewhere' }
    expect(await app.rest('POST', '/api/credits/deduct', { body: debit, headers })).toMatchObject({ status: 200 })

    await report(app, poorSecret, { call_id: id, duration_seconds: 100 })

    expect(await poor.read(id)).toMatchObject({ duration_seconds: 100, credits_charged: 2 })
    expect(await available()).toBe(0)
  })
})

test('a call that is known to be answered only after its end has reached its contact', async () => {
  const callId = await givenCall('simulator')
  const { contact_id: contactId } = await fixture.read(callId)
  const { rows } = await app.services.database.pool.query('update contacts set last_contacted_at = null where id = $1 returning id', [
    contactId,
  ])
  expect(rows).toHaveLength(1)
  await own({ status: 'failed', ended_at: at(60) }, 'a')(callId)
  const before = (await app.rest('GET', `/api/crm/v1/contacts/${contactId}`, { key: fixture.key })).body
  await own({ status: 'in_progress', answered_at: at(5), answered_by: 'human' }, 'b')(callId)

  expect(before.last_contacted_at).toBeNull()
  expect((await app.rest('GET', `/api/crm/v1/contacts/${contactId}`, { key: fixture.key })).body.last_contacted_at).toBe(at(60))
})
