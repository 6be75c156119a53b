// POST /api/voice/v1/providers/{provider}/events in our own format: verified, applied once each, status never backwards.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { applyRetention } from '../../../src/server/queue/retention.ts'
import { conforming } from '../../rest/conforming.ts'
import { type Json, startApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { agents, givenCallFixture } from '../call-fixture.ts'
import { fakeProvider, providerIdOf } from '../fake-provider.ts'
import { report, secretOf } from '../report.ts'

const provider = fakeProvider()
const started = await startApp({ telephony: { simulator: provider } })
const app = await keepOpen({ ...started, rest: conforming(started) })

async function givenCall(fields: object = {}) {
  const fixture = await givenCallFixture(app)
  const call = await fixture.call(fields)
  const secret = await secretOf(app, fixture)
  return {
    ...fixture,
    callId: call.id,
    tell: (content: object, id?: string) => report(app, secret, { call_id: call.id, ...content }, id ? { id } : {}),
    secret,
  }
}

describe('200: events change the call', () => {
  test('from ringing to its end, with recording, summary, transcript and extracted values', async () => {
    const { callId, tell, read } = await givenCall()

    expect((await tell({ status: 'ringing' })).body).toEqual({ received: 'applied' })
    expect(await read(callId)).toMatchObject({ status: 'ringing', outcome: '' })
    await tell({ status: 'in_progress', answered_by: 'human', answered_at: '2026-06-01T10:00:00.000Z' })
    expect(await read(callId)).toMatchObject({ status: 'in_progress', answered_by: 'human', answered_at: '2026-06-01T10:00:00.000Z' })
    const transcript = [
      { role: 'agent', text: 'Hello.', start_ms: 0, end_ms: 900 },
      { role: 'user', text: 'I am the CTO.', start_ms: 1000 },
    ]
    await tell({
      status: 'completed',
      outcome: 'goal_met',
      ended_at: '2026-06-01T10:01:05.000Z',
      ended_reason: 'agent_hung_up',
      recording_url: 'https://recordings.example/1.mp3',
      summary: 'Went well.',
      transcript,
      extracted: { job_title: 'CTO', nested: { not: 'plain' } },
    })

    expect(await read(callId)).toMatchObject({
      status: 'completed',
      outcome: 'goal_met',
      duration_seconds: 65,
      ended_at: '2026-06-01T10:01:05.000Z',
      ended_reason: 'agent_hung_up',
      recording_url: 'https://recordings.example/1.mp3',
      summary: 'Went well.',
      transcript: [
        { seq: 1, role: 'agent', text: 'Hello.', start_ms: 0, end_ms: 900 },
        { seq: 2, role: 'user', text: 'I am the CTO.', start_ms: 1000, end_ms: null },
      ],
      extracted: { job_title: 'CTO' },
      credits_charged: 0,
    })
  })

  test('a repeated event changes nothing, also when sent ten times at once', async () => {
    const { callId, tell, read } = await givenCall()
    const id = randomUUID()

    const answers = await Promise.all(Array.from({ length: 10 }, () => tell({ status: 'ringing' }, id)))
    const { version } = await read(callId)
    const again = await tell({ status: 'ringing' }, id)

    expect(answers.map(({ body }) => body.received).toSorted()).toContain('applied')
    expect(answers.filter(({ body }) => body.received === 'applied')).toHaveLength(1)
    expect(again.body).toEqual({ received: 'duplicate' })
    expect((await read(callId)).version).toBe(version)
    const { rows } = await app.services.database.pool.query('select count(*)::int as events from provider_events where call_id = $1', [
      callId,
    ])
    expect(rows).toEqual([{ events: 1 }])
  })

  test('late and reordered events never move the status backwards', async () => {
    const { callId, tell, read } = await givenCall()

    await tell({ status: 'completed', duration_seconds: 30, outcome: 'goal_met' })
    const ended = await read(callId)
    const late = [await tell({ status: 'in_progress' }), await tell({ status: 'ringing' }), await tell({ status: 'busy' })]

    expect(late.map(({ body }) => body.received)).toEqual(['ignored', 'ignored', 'ignored'])
    expect(await read(callId)).toEqual(ended)
    expect(ended).toMatchObject({ status: 'completed', outcome: 'goal_met', duration_seconds: 30 })
    expect(Date.parse(ended.ended_at) - Date.parse(ended.answered_at)).toBe(30_000)
  })

  test('events after the end fill in missing values, and correct those that only grow', async () => {
    const { callId, tell, read } = await givenCall()
    await tell({ status: 'completed', duration_seconds: 10 })
    expect(await read(callId)).toMatchObject({ outcome: 'unknown', summary: null })

    await tell({ outcome: 'goal_not_met', summary: 'No interest.', extracted: { budget: 5 }, transcript: [{ role: 'user', text: 'No.' }] })
    await tell({
      outcome: 'goal_met',
      summary: 'Other.',
      extracted: { budget: 6 },
      duration_seconds: 99,
      recording_url: 'https://r.example/x',
    })

    expect(await read(callId)).toMatchObject({
      outcome: 'goal_not_met',
      summary: 'No interest.',
      extracted: { budget: 5 },
      transcript: [{ seq: 1, text: 'No.' }],
      duration_seconds: 99,
      recording_url: 'https://r.example/x',
    })
  })

  test('an event that arrives before the answer of the dial sets the provider id', async () => {
    const fixture = await givenCallFixture(app)
    const secret = await secretOf(app, fixture)
    const { promise: hold, resolve: letGo } = Promise.withResolvers<void>()
    provider.answer = async ({ callId }) => {
      await report(app, secret, { call_id: callId, provider_call_id: providerIdOf(callId), status: 'ringing' })
      letGo()
      return { kind: 'accepted', providerCallId: providerIdOf(callId) }
    }

    const call = await fixture.call()
    await hold
    provider.answer = fakeProvider().answer

    expect(call).toMatchObject({ dispatch_state: 'dispatched', status: 'ringing', provider_call_id: providerIdOf(call.id) })
  })

  test('a call that ended before the answer of the dial is answered with its transcript', async () => {
    const fixture = await givenCallFixture(app, { extraction: { size: { type: 'string' } } })
    const secret = await secretOf(app, fixture)
    const transcript = [{ role: 'agent', text: 'Hello.' }]
    provider.answer = async ({ callId }) => {
      await report(app, secret, { call_id: callId, status: 'completed', transcript, extracted: { size: 'L' } })
      return { kind: 'accepted', providerCallId: providerIdOf(callId) }
    }

    const call = await fixture.call()
    provider.answer = fakeProvider().answer

    expect(call).toMatchObject({ status: 'completed', transcript: [{ text: 'Hello.' }], extracted: { size: 'L' } })
  })

  test('only values of the fields that the agent extracts are stored', async () => {
    const extraction = { budget: { type: 'integer' }, size: { type: 'string', enum: ['S', 'L'] }, sure: { type: 'boolean' } }
    const fixture = await givenCallFixture(app, { extraction })
    const secret = await secretOf(app, fixture)
    const { id } = await fixture.call()

    await report(app, secret, { call_id: id, status: 'completed', extracted: { budget: 1.5, size: 'L', sure: 'yes', other: 1 } })

    expect((await fixture.read(id)).extracted).toEqual({ size: 'L' })
  })

  test('values that mean the same in the type of their field are stored in it', async () => {
    const types = { seats: 'integer', rate: 'number', sure: 'boolean', late: 'boolean', code: 'string', phone: 'integer', none: 'number' }
    const extraction = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
    const fixture = await givenCallFixture(app, { extraction })
    const { id } = await fixture.call()
    const told = { seats: '12', rate: '-1.50', sure: 'True', late: 'false', code: 7, phone: '0049', none: 'n/a' }

    await report(app, await secretOf(app, fixture), { call_id: id, status: 'completed', extracted: told })

    expect((await fixture.read(id)).extracted).toEqual({ seats: 12, rate: -1.5, sure: true, late: false, code: '7' })
  })

  test('the outcome do_not_call sets do_not_call of the contact', async () => {
    const { key, callId, tell, read } = await givenCall()
    await tell({ status: 'completed', outcome: 'do_not_call', duration_seconds: 5 })

    const { contact_id } = await read(callId)
    const { body } = await app.rest('GET', `/api/crm/v1/contacts/${contact_id}`, { key })
    expect(body).toMatchObject({ do_not_call: true, last_contacted_at: expect.stringMatching(/Z$/) })
  })

  test('a conversation changes its contact: the version, last_contacted_at, an event, and the filter updated_since', async () => {
    const { key, callId, tell, read } = await givenCall()
    const { contact_id: id } = await read(callId)
    const path = `/api/crm/v1/contacts/${id}`
    const before = await app.rest('GET', path, { key })
    const { updated_at: madeAt } = before.body
    await tell({ status: 'in_progress', answered_by: 'human' })

    await tell({ status: 'completed', ended_at: '2026-06-01T10:01:00.000Z', duration_seconds: 60 })

    const headers = { 'if-none-match': before.headers.get('etag') ?? '' }
    const after = await app.rest('GET', path, { key, headers })
    const { ended_at } = await read(callId)
    expect(after).toMatchObject({ status: 200, body: { version: before.body.version + 1, last_contacted_at: ended_at } })
    const since = new Date(Date.parse(madeAt) + 1).toISOString()
    expect((await app.rest('GET', `/api/crm/v1/contacts?updated_since=${since}`, { key })).body.data).toEqual([after.body])
    const { data } = (await app.rest('GET', `${path}/timeline`, { key })).body
    expect(data.find(({ type }: Json) => type === 'contact.updated').changes).toEqual({ last_contacted_at: [null, ended_at] })
  })

  test('events are stored, and can be replayed by a mutation', async () => {
    const { key, callId, tell } = await givenCall()
    await tell({ status: 'ringing' })
    await tell({ status: 'queued' })
    const query = `{ call(id: "${callId}") { providerEvents { id state note callId eventKey } } }`
    const { body } = await app.graphql(query, {}, { key })
    const [ringing, queued] = body.data.call.providerEvents
    expect(ringing).toMatchObject({ state: 'APPLIED', note: null, callId })
    expect(queued).toMatchObject({ state: 'IGNORED', note: 'nothing new' })

    const replayed = await app.graphql(`mutation { replayProviderEvent(input: { id: "${ringing.id}" }) { state } }`, {}, { key })
    const foreign = await app.graphql(
      `mutation { replayProviderEvent(input: { id: "${ringing.id}" }) { state } }`,
      {},
      { key: (await app.given.apiKey()).key },
    )

    expect(replayed.body.data.replayProviderEvent.state).toBe('IGNORED')
    expect(foreign.body.errors[0].extensions.code).toBe('NOT_FOUND')
  })
})

describe('401', () => {
  const content = (call_id: string) => ({ call_id, status: 'completed' })

  test('without a signature, or with a wrong one, an old one, or one of another agent or body', async () => {
    const { callId, secret, read } = await givenCall()
    const other = await givenCall()
    const body = JSON.stringify(content(callId))

    const answers = [
      await app.rest('POST', '/api/voice/v1/providers/simulator/events', { body }),
      await report(app, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', content(callId)),
      await report(app, other.secret, content(callId)),
      await report(app, secret, content(callId), { at: new Date(Date.now() - 6 * 60_000) }),
      await report(app, secret, content(callId), { at: new Date(Date.now() + 6 * 60_000) }),
      await report(app, secret, content(callId), { headers: { 'webhook-signature': 'v1,AAAA' } }),
      await report(app, secret, content(callId), { provider: 'http' }),
      await report(app, secret, content(randomUUID())),
      await report(app, secret, 'not json'),
      await report(app, secret, content(callId), { provider: 'twilio' }),
    ]

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
    expect(await read(callId)).toMatchObject({ status: 'queued' })
  })

  test('an API key does not replace the signature', async () => {
    const { key, callId } = await givenCall()

    expect((await app.rest('POST', '/api/voice/v1/providers/simulator/events', { key, body: content(callId) })).status).toBe(401)
  })
})

describe('422', () => {
  test('reports every problem of a signed report with its path', async () => {
    const { tell } = await givenCall()

    const { status, body } = await tell({
      answered_by: 'parrot',
      duration_seconds: -1,
      recording_url: 'javascript:alert(1)',
      transcript: [{ role: 'user', text: 7 }],
      extracted: 'nothing',
    })

    expect(status).toBe(422)
    const detail = (field: string[], type: string, msg: string, input: unknown, ctx: object) => ({
      loc: ['body', ...field],
      type,
      msg,
      input,
      ctx,
    })
    const noAddress = 'an absolute http or https address is expected'
    const answerers = "'human', 'machine', 'ivr', 'fax' or 'unknown'"
    expect(body.detail).toEqual([
      detail(['answered_by'], 'enum', `Input should be ${answerers}`, 'parrot', { expected: answerers }),
      detail(['duration_seconds'], 'greater_than_equal', 'Input should be greater than or equal to 0', -1, { ge: 0 }),
      detail(['recording_url'], 'url_parsing', `Input should be a valid URL, ${noAddress}`, 'javascript:alert(1)', { error: noAddress }),
      detail(['transcript', '0', 'text'], 'string_type', 'Input should be a valid string', 7, {}),
      detail(['extracted'], 'dict_type', 'Input should be a valid dictionary', 'nothing', {}),
    ])
  })

  test.each([{ status: 'sleeping' }, { transcript: 'hello' }])('%j', async wrong => {
    const { tell } = await givenCall()

    const { status, body } = await tell(wrong)

    expect([status, body.detail.map(({ loc }: Json) => loc)]).toEqual([422, [['body', ...Object.keys(wrong)]]])
  })
})

describe('the signing secret', () => {
  test('differs per agent; after a rotation the previous one stays valid for a day', async () => {
    const { key, agent, secret, callId, tell } = await givenCall()

    const { body } = await app.rest('POST', `${agents}/${agent.id}/signing-secret/rotate`, { key })
    expect(body.secrets).toEqual([expect.stringMatching(/^whsec_/), secret])
    expect(body.secrets[0]).not.toBe(secret)
    const tooSoon = await app.rest('POST', `${agents}/${agent.id}/signing-secret/rotate`, { key })
    expect([tooSoon.status, tooSoon.body.code]).toEqual([409, 'conflict'])

    expect((await tell({ status: 'ringing' })).status).toBe(200)
    expect((await report(app, body.secrets[0], { call_id: callId, status: 'in_progress' })).status).toBe(200)
    app.setNow(new Date(Date.now() + 86_400_000))
    expect((await tell({ status: 'completed' })).status).toBe(401)
    app.setNow(null)
  })

  test('is stored in no table', async () => {
    const { secret } = await givenCall()
    const { rows } = await app.services.database.pool.query(
      `select to_jsonb(a)::text as row from voice_agents a union all select to_jsonb(e)::text from events e`,
    )

    expect(rows.filter(({ row }) => row.includes(secret.slice(6)))).toEqual([])
  })
})

test('what the provider sent is deleted after PROVIDER_EVENT_RETENTION_DAYS; the call keeps what it was told', async () => {
  const { callId, tell, read } = await givenCall()
  await tell({ status: 'completed', duration_seconds: 10, summary: 'Went well.' })
  const ended = await read(callId)
  const start = Date.now()
  const keptAfter = async (days: number) => {
    app.setNow(new Date(start + days * 86_400_000))
    await applyRetention(app.services)
    const { rows } = await app.services.database.pool.query('select from provider_events where call_id = $1', [callId])
    return rows.length
  }

  try {
    // Dropped with its month, or a month later where that is in the partition of a longer time.
    expect([await keptAfter(364), await keptAfter(397)]).toEqual([1, 0])
  } finally {
    app.setNow(null)
  }
  expect(await read(callId)).toEqual(ended)
})
