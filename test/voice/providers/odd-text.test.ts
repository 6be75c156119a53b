// Characters that PostgreSQL or JSON refuses, in everything that a provider says: stored repaired, and the call ends.

import { describe, expect, test } from 'vitest'
import { reconcileCall, runReaper } from '../../../src/voice/dispatch/reaper.ts'
import { type Json, openApp } from '../../support/app.ts'
import { givenCallFixture } from '../call-fixture.ts'
import { type FakeProvider, fakeProvider, found, providerIdOf } from '../fake-provider.ts'
import { report, secretOf } from '../report.ts'
import { eventsOf, tellTwilio, tellVapi, twilioSettings, vapiSecret, vapiSettings } from './messages.ts'

const simulator: FakeProvider = fakeProvider()
const usual = { ...simulator }
const app = await openApp({
  env: {
    VOICE_CONCURRENCY: '1',
    ...twilioSettings,
    ...vapiSettings,
  },
  telephony: { simulator },
})

/** A call of the provider, which was placed by the fake one. */
async function givenCall(provider: 'simulator' | 'vapi' | 'twilio' = 'simulator') {
  const fixture = await givenCallFixture(app)
  const { id } = await fixture.call()
  await app.services.database.pool.query('update calls set provider = $2 where id = $1', [id, provider])
  const secret = await secretOf(app, fixture)
  return {
    ...fixture,
    callId: id,
    read: () => fixture.read(id),
    tell: (content: object) => report(app, secret, { call_id: id, ...content }),
  }
}

const vapiReport = (callId: string, providerCallId: string, odd = '') => ({
  type: 'end-of-call-report',
  endedReason: `customer-ended-call${odd}`,
  startedAt: '2026-06-01T10:00:00.000Z',
  endedAt: '2026-06-01T10:01:00.000Z',
  call: { id: providerCallId, name: callId, type: `outbound${odd}` },
  analysis: { summary: `Booked.${odd}`, successEvaluation: 'true', structuredData: { city: `Bonn${odd}`, [`odd${odd}`]: 1 } },
  artifact: {
    recordingUrl: `https://storage.example/1.wav${odd}`,
    messages: [
      { role: 'bot', message: `Hello${odd}`, secondsFromStart: 0.5 },
      { role: 'user', message: `my address is${odd} 5 Main Street`, secondsFromStart: 3 },
      { role: `tool${odd}`, message: 'x' },
    ],
  },
})

describe.each([
  ['a NUL character', '\0'],
  ['the first half of a surrogate pair', '\ud83e'],
  ['the second half of a surrogate pair', '\udd16'],
  ['both halves in the wrong order', '\udd16\ud83e'],
])('%s', (_name, odd) => {
  const repaired = odd.replaceAll(/./gsu, '\ufffd')

  test("in a report of Vapi's is replaced", async () => {
    const { callId, read } = await givenCall('vapi')

    const answer = await tellVapi(app, vapiReport(callId, providerIdOf(callId), odd))

    expect([answer.status, answer.body]).toEqual([200, { received: 'applied' }])
    expect(await read()).toMatchObject({
      status: 'completed',
      provider_reason: `customer-ended-call${repaired}`,
      summary: `Booked.${repaired}`,
      recording_url: `https://storage.example/1.wav${repaired}`,
      extracted: { city: `Bonn${repaired}` },
      transcript: [{ text: `Hello${repaired}` }, { text: `my address is${repaired} 5 Main Street` }],
    })
  })

  test('in a message of an own server is replaced, also in values that are not kept', async () => {
    const { read, tell } = await givenCall()

    const answer = await tell({
      status: 'completed',
      [`odd${odd}`]: odd,
      ended_reason: `done${odd}`,
      provider_reason: `SIP${odd}`,
      summary: `Booked.${odd}`,
      transcript: [{ role: 'user', text: `a${odd}b` }],
      extracted: { city: `Bonn${odd}`, [`odd${odd}`]: 1, deep: { [odd]: [odd] } },
    })

    expect([answer.status, answer.body]).toEqual([200, { received: 'applied' }])
    expect(await read()).toMatchObject({
      status: 'completed',
      ended_reason: `done${repaired}`,
      provider_reason: `SIP${repaired}`,
      summary: `Booked.${repaired}`,
      transcript: [{ text: `a${repaired}b` }],
      extracted: { city: `Bonn${repaired}` },
    })
  })

  test("in what the provider tells when it is asked is replaced, and in a dial's refusal", async () => {
    const { callId, orgId, read, call } = await givenCall()
    await app.services.database.pool.query("update calls set dispatch_state = 'unconfirmed' where id = $1", [callId])
    simulator.known = () =>
      found(callId, 'completed', {
        ...{ endedReason: `done${odd}`, summary: `Booked.${odd}`, recordingUrl: `https://a.example/${odd}` },
        transcript: [{ seq: 1, role: 'user', text: `a${odd}b`, startMs: 0, endMs: null }],
        extracted: { city: `Bonn${odd}` },
      })
    await reconcileCall(app.services, orgId, callId)
    simulator.answer = () => ({ kind: 'rejected', reason: `no${odd}` })
    const refused = await call()
    Object.assign(simulator, usual)

    expect(await read()).toMatchObject({
      ...{ status: 'completed', ended_reason: `done${repaired}`, summary: `Booked.${repaired}`, extracted: { city: `Bonn${repaired}` } },
      transcript: [{ text: `a${repaired}b` }],
    })
    expect(refused).toMatchObject({ status: 'failed', provider_reason: `no${repaired}` })
  })
})

test('a NUL in each field of a form of Twilio is replaced', async () => {
  for (const field of ['CallSid', 'CallStatus', 'AnsweredBy', 'SipResponseCode', 'Timestamp', 'CallDuration', 'SequenceNumber', 'Odd']) {
    const { callId, read } = await givenCall('twilio')
    const given: Record<string, string> = {
      ...{ CallSid: providerIdOf(callId), CallStatus: 'completed', SequenceNumber: '3', CallDuration: '21', SipResponseCode: '200' },
    }
    const fields = { ...given, [field]: `${given[field] ?? ''}\0` }
    const answer = await tellTwilio(app, `?call_id=${callId}`, fields)

    expect([field, answer.status]).toEqual([field, 200])
    // An unknown state or another call is no news of this one.
    expect((await read()).status).toBe(/^Call(Sid|Status)$/.test(field) ? 'queued' : 'completed')
  }
})

const deep = '(nested)'
// What has another type, or a size that no column holds, is as good as absent.
const wrong: [string, (report: Json) => void][] = [
  ['a reason that is a number', report => (report.endedReason = 7)],
  ['a summary that is an object', report => (report.analysis.summary = { text: 'x' })],
  ['values that are a list', report => (report.analysis.structuredData = [1])],
  ['lines that are a text', report => (report.artifact.messages = 'none')],
  ['a line that is null', report => report.artifact.messages.push(null)],
  ['a line whose text is a number', report => report.artifact.messages.push({ role: 'user', message: 7 })],
  ['a line that begins at infinity', report => (report.artifact.messages[0].secondsFromStart = 1e300)],
  ['a recording that is a list', report => (report.artifact.recordingUrl = [])],
  ['an analysis that is a text', report => (report.analysis = 'none')],
  ['an end in the year 275760', report => (report.endedAt = '+275760-01-01T00:00:00.000Z')],
  ['a beginning in the year 0', report => (report.startedAt = '0000-01-01T00:00:00.000Z')],
  ['a beginning that is a number', report => (report.startedAt = 7)],
  ['a type of call that is a list', report => (report.call.type = [])],
  ['a reason of 100,000 characters', report => (report.endedReason = `error-${'x'.repeat(100_000)}`)],
  ['a deeply nested value', report => (report.analysis.structuredData = { deep })],
]

test.each(wrong)('a report of Vapi with %s ends its call', async (_name, change) => {
  const { callId, read } = await givenCall('vapi')
  const content = vapiReport(callId, providerIdOf(callId))
  change(content)

  const body = JSON.stringify({ message: content }).replace(`"${deep}"`, `${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  const answer = await app.rest('POST', eventsOf('vapi'), { body, headers: { 'x-vapi-secret': vapiSecret } })

  expect([answer.status, answer.body]).toEqual([200, { received: 'applied' }])
  expect(['completed', 'failed']).toContain((await read()).status)
})

test('an answer to a look-up about another call does not hold a slot beyond the longest time', async () => {
  const { call, callId, read } = await givenCall()
  const behind = await call()
  simulator.known = () => ({ kind: 'found', news: { providerCallId: 'of-another', status: 'completed', durationSeconds: 5 } })
  try {
    app.setNow(new Date(Date.now() + 700_000))
    await runReaper(app.services)

    expect(await read()).toMatchObject({ status: 'failed', ended_reason: 'provider_lost', provider_call_id: providerIdOf(callId) })
    await expect.poll(() => simulator.placed.map(({ callId: id }) => id)).toContain(behind.id)
  } finally {
    app.setNow(null)
    Object.assign(simulator, usual)
  }
})

describe('a message that cannot be applied', () => {
  test("does not hold its call's slot longer than the call's longest time, and blocks no other message or call", async () => {
    const { pool } = app.services.database
    const { callId, call, read, tell } = await givenCall()
    const behind = await call()
    await tell({ status: 'in_progress' })
    const other = await givenCall()
    await other.tell({ status: 'completed', duration_seconds: 5 })
    // As if a fault in our own code met whatever changes this call to completed: the message, the look-up and each repetition.
    await pool.query(
      `create function refuse_completed() returns trigger language plpgsql as $$ begin raise 'it cannot be stored'; end $$;
       create trigger refuse_completed before update on calls for each row
       when (new.id = '${callId}' and new.status = 'completed') execute function refuse_completed()`,
    )
    simulator.known = ({ callId: id }) => found(id, 'completed', { durationSeconds: 5 })
    try {
      expect((await tell({ status: 'completed', duration_seconds: 5 })).body).toEqual({ received: 'failed' })
      // More messages that cannot be applied than one round takes.
      await pool.query(
        `insert into provider_events (id, provider, event_key, call_id, org_id, body, path, content_type, state, received_at)
         select uuidv7(), provider, event_key || n, call_id, org_id, body, path, content_type, 'failed', received_at - interval '1 second'
         from provider_events, generate_series(1, 150) n where call_id = $1 and state = 'failed'`,
        [callId],
      )
      await pool.query("update provider_events set state = 'failed', applied_at = received_at where call_id = $1", [other.callId])
      app.setNow(new Date(Date.now() + 45_000))
      await runReaper(app.services)
      await runReaper(app.services)
      const { rows } = await pool.query('select state from provider_events where call_id = $1', [other.callId])
      expect([rows, (await read()).status]).toEqual([[{ state: 'ignored' }], 'in_progress'])
      app.setNow(new Date(Date.now() + 661_000))
      await runReaper(app.services)

      expect(await read()).toMatchObject({ status: 'failed', ended_reason: 'provider_lost' })
      await expect.poll(() => simulator.placed.map(({ callId: id }) => id)).toContain(behind.id)
    } finally {
      app.setNow(null)
      Object.assign(simulator, usual)
      await pool.query('drop trigger refuse_completed on calls; drop function refuse_completed')
    }
  })
})
