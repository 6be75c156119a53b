// The simulator on the real queue: the outcome of each number, live updates, and that each call is dialled once.

import { describe, expect, test } from 'vitest'
import { receiveVerified } from '../../../src/voice/events/event.ts'
import type { Simulator } from '../../../src/voice/providers/simulator.ts'
import { steeringNumbers } from '../../../src/voice/providers/simulator-script.ts'
import type { Message } from '../../../src/voice/providers/telephony.ts'
import { openStream } from '../../graphql/stream.ts'
import { conforming } from '../../rest/conforming.ts'
import { type Json, startApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { type CallFixture, givenCallFixture } from '../call-fixture.ts'

// A short wait keeps the script `slow` short; requests may return before the call is dialled.
const started = await startApp({ env: { ROLES: 'web,api,session,worker', SIMULATOR_SPEED: '0', VOICE_DISPATCH_WAIT_MS: '300' } })
const app = await keepOpen({ ...started, rest: conforming(started) })

const ended = async (fixture: CallFixture, id: string) => {
  await expect.poll(async () => (await fixture.read(id)).outcome).not.toBe('')
  return fixture.read(id)
}
const dialsOf = async (id: string) =>
  (await app.services.database.pool.query('select dials from simulated_calls where call_id = $1', [id])).rows.map(({ dials }) => dials)

const numberOf = (script: string) => Object.entries(steeringNumbers).find(([, one]) => one === script)?.[0]

describe('a call', () => {
  test('rings, is answered, has a transcript and extracted values, and ends', async () => {
    const fixture = await givenCallFixture(app, {
      first_message: 'Hello from the test.',
      extraction: { company_name: { type: 'string', description: 'the company' }, seats: { type: 'integer' } },
    })
    const placed = await fixture.call()

    const call = await ended(fixture, placed.id)

    expect(call).toMatchObject({
      dispatch_state: 'dispatched',
      provider_call_id: expect.stringMatching(/^sim_/),
      status: 'completed',
      outcome: 'goal_met',
      answered_by: 'human',
      ended_reason: 'agent_hung_up',
      extracted: { company_name: 'Northwind Traders', seats: 12 },
      // Nothing is said, so nothing is recorded.
      recording_url: '',
    })
    expect(call.duration_seconds).toBe(call.transcript.length * 2)
    expect(call.transcript[0]).toEqual({ seq: 1, role: 'agent', text: 'Hello from the test.', start_ms: 0, end_ms: 1800 })
    // Each value is in a transcript line, its evidence.
    expect(call.transcript.map(({ text }: { text: string }) => text)).toContain('My company name is Northwind Traders.')
    expect(await dialsOf(placed.id)).toEqual([1])
  })

  test('that ends with extracted values queues a task for enrichment', async () => {
    const fixture = await givenCallFixture(app)
    const { id } = await fixture.call()
    await ended(fixture, id)

    const { rows } = await app.services.database.pool.query(
      `select data from pgboss.job where name = 'call-values' and data ->> 'callId' = $1`,
      [id],
    )
    expect(rows).toEqual([{ data: { orgId: fixture.orgId, callId: id } }])
  })

  test.each([
    ['busy', { status: 'busy', outcome: 'busy', answered_at: null, provider_reason: 'SIP 486' }],
    ['no_answer', { status: 'no_answer', outcome: 'no_answer' }],
    ['voicemail', { status: 'completed', outcome: 'voicemail', answered_by: 'machine', duration_seconds: 3 }],
    ['failed', { status: 'failed', outcome: 'failed', dispatch_state: 'dispatched' }],
    ['slow', { status: 'completed', outcome: 'goal_met', dispatch_state: 'dispatched' }],
    ['declined', { status: 'busy', outcome: 'declined' }],
    ['rejected', { status: 'failed', outcome: 'failed', dispatch_state: 'failed', ended_reason: 'provider_rejected' }],
    ['unavailable', { status: 'completed', outcome: 'goal_met' }],
    ['callback', { status: 'completed', outcome: 'callback_requested' }],
    ['wrong_number', { status: 'completed', outcome: 'wrong_number' }],
    ['do_not_call', { status: 'completed', outcome: 'do_not_call' }],
    ['transferred', { status: 'completed', outcome: 'transferred' }],
    ['disordered', { status: 'completed', outcome: 'goal_met' }],
    ['lost_answer', { status: 'completed', outcome: 'goal_met', dispatch_state: 'dispatched' }],
  ])('to the number for %s', async (script, end) => {
    const fixture = await givenCallFixture(app)
    const { id } = await fixture.call({ to_number: numberOf(script) })

    expect(await ended(fixture, id)).toMatchObject(end)
    expect(await dialsOf(id)).toEqual(script === 'rejected' ? [] : [1])
  })

  test('to the number `silent` stays in progress until it is canceled', async () => {
    const fixture = await givenCallFixture(app)
    const { id } = await fixture.call({ to_number: numberOf('silent') })
    await expect.poll(async () => (await fixture.read(id)).status).toBe('in_progress')

    await app.rest('POST', `/api/voice/v1/calls/${id}/cancel`, { key: fixture.key })

    expect(await ended(fixture, id)).toMatchObject({ status: 'completed', ended_reason: 'canceled' })
  })
})

test('callChanged delivers the changes of a call in order, and only to its organization', async () => {
  const fixture = await givenCallFixture(app)
  const stranger = await givenCallFixture(app)
  const query = 'subscription { callChanged { type changes { field after } call { id status } } }'
  const follow = (key: string) =>
    openStream(`${app.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
    })
  const seen = await follow(fixture.key)
  const unseen = await follow(stranger.key)

  const { id } = await fixture.call()
  const changes: Json[] = []
  while (changes.at(-1)?.type !== 'CALL_ENDED') changes.push((await seen.next()).data.data.callChanged)

  expect(changes[0]).toMatchObject({ type: 'CALL_CREATED', call: { id } })
  expect(changes.flatMap(({ changes }) => changes.flatMap(({ field, after }: Json) => (field === 'status' ? [after] : [])))).toEqual([
    'ringing',
    'in_progress',
    'completed',
  ])
  await unseen.silence(100)
  seen.leave()
  unseen.leave()
})

test('the stats count calls and their outcomes', async () => {
  const fixture = await givenCallFixture(app)
  const good = await fixture.call()
  await ended(fixture, good.id)
  const busy = await fixture.call({ to_number: numberOf('busy') })
  await ended(fixture, busy.id)
  const silent = await fixture.call({ to_number: numberOf('silent') })
  await expect.poll(async () => (await fixture.read(silent.id)).status).toBe('in_progress')

  const { body } = await app.rest('GET', '/api/crm/v1/stats', { key: fixture.key })

  const { duration_seconds } = await fixture.read(good.id)
  expect(body.calls).toMatchObject({
    total: 3,
    active: 1,
    by_status: { completed: 1, busy: 1, in_progress: 1, queued: 0 },
    by_outcome: { goal_met: 1, busy: 1, failed: 0 },
    answer_rate: 0.6667,
    avg_duration_seconds: duration_seconds / 2,
  })
  expect(body.calls.series.at(-1)).toEqual({ date: body.window.to, placed: 3, answered: 2 })
})

test('a simulated call whose process died reports its steps again, and none is applied twice', async () => {
  const quiet = await startApp({ env: { SIMULATOR_SPEED: '0' } })
  const fixture = await givenCallFixture(quiet)
  const { id } = await fixture.call()
  const simulator = quiet.services.telephony.simulator as Simulator
  const told: string[] = []
  const tell = (dies: boolean) => async (message: Message) => {
    if (dies && told.length === 2) throw new Error('killed')
    told.push(message.messageId ?? '')
    await receiveVerified(quiet.services, 'simulator', message)
  }

  await expect(simulator.play({ callId: id, step: 0 }, tell(true))).rejects.toThrow('killed')
  await simulator.play({ callId: id, step: 0 }, tell(false))
  await simulator.play({ callId: id, step: 0 }, tell(false))

  expect(told).toEqual(['step_0', 'step_1', 'step_0', 'step_1', 'step_2', 'step_3'])
  const { rows } = await quiet.services.database.pool.query<{ event_key: string; state: string }>(
    'select event_key, state from provider_events where call_id = $1 order by event_key',
    [id],
  )
  expect(rows.map(({ event_key, state }) => `${event_key} ${state}`)).toEqual(
    [0, 1, 2, 3].map(step => expect.stringMatching(new RegExp(`step_${step}.* applied`))),
  )
  expect(await fixture.read(id)).toMatchObject({ status: 'completed', outcome: 'goal_met' })
  await quiet.close()
})

test('a call at which three processes died ends with that reason, and frees its slot', async () => {
  const killed = await startApp({ env: { SIMULATOR_SPEED: '0' } })
  const fixture = await givenCallFixture(killed)
  await killed.graphql('mutation { updateVoiceSettings(input: { concurrency: 1 }) { concurrency } }', undefined, { key: fixture.key })
  const { id } = await fixture.call()
  const simulator = killed.services.telephony.simulator as Simulator
  const dies = async (message: Message) => {
    if (message.messageId === 'step_2') throw new Error('killed')
    await receiveVerified(killed.services, 'simulator', message)
  }
  await expect(simulator.play({ callId: id, step: 0 }, dies)).rejects.toThrow('killed')
  expect((await fixture.read(id)).status).toBe('in_progress')
  await killed.services.database.pool.query(
    `update pgboss.job set state = 'active', retry_count = 2, started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute'
     where name = 'simulated-call' and data ->> 'callId' = $1`,
    [id],
  )

  const next = await startApp({ env: { ROLES: 'worker', SIMULATOR_SPEED: '0' }, database: killed.database })

  await expect.poll(async () => (await fixture.read(id)).status).toBe('failed')
  expect(await fixture.read(id)).toMatchObject({ provider_reason: 'the process that worked on it ended 3 times', credits_reserved: 0 })
  const { id: later } = await fixture.call()
  await expect.poll(async () => (await fixture.read(later)).status).toBe('completed')
  await next.close()
  await killed.close()
})

test('a process continues the calls of a killed one as soon as it starts', async () => {
  const killed = await startApp({ env: { SIMULATOR_SPEED: '0' } })
  const fixture = await givenCallFixture(killed)
  const { id } = await fixture.call()
  const isThisCall = `name = 'simulated-call' and data ->> 'callId' = $1`
  const { pool } = killed.services.database
  await pool.query(
    `update pgboss.job set state = 'active', started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute'
     where ${isThisCall}`,
    [id],
  )

  const next = await startApp({ env: { ROLES: 'worker', SIMULATOR_SPEED: '0' }, database: killed.database })

  const state = async () => (await pool.query(`select state from pgboss.job where ${isThisCall}`, [id])).rows[0]?.state
  // Sooner than the queue's timer, whose first round comes after 5 s.
  await expect.poll(state, { timeout: 4000 }).not.toBe('active')
  await expect.poll(async () => (await fixture.read(id)).status).toBe('completed')
  await next.close()
  await killed.close()
})
