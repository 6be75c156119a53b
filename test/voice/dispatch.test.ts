// How calls get out, and what becomes of those nobody answers for: slots, order, retries, lost answers, the watch.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialsSettled, dispatch, dispatchDue } from '../../src/voice/call-dispatch.ts'
import { reconcileCall, watchCalls } from '../../src/voice/call-watch.ts'
import type { Found } from '../../src/voice/telephony.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { agents, calls, givenDesk } from './desk.ts'
import { type FakeCompany, fakeCompany, found, providerIdOf } from './fake-company.ts'
import { report, secretOf } from './report.ts'

let app: TestApp
/** Waits hardly at all for a provider. */
let hasty: TestApp
const company: FakeCompany = fakeCompany()
const usual = { ...company }
beforeAll(async () => {
  const env = { VOICE_PRICE_PER_MINUTE: '6', CREDITS_NEW_USER_GRANT: '100000' }
  app = await startApp({ env, telephony: { simulator: company } })
  hasty = await startApp({ env: { ...env, VOICE_DISPATCH_WAIT_MS: '50' }, database: app.database, telephony: { simulator: company } })
})
afterAll(async () => {
  await hasty.close()
  await app.close()
})
beforeEach(() => {
  Object.assign(company, { ...usual, placed: [], hungUp: [], messages: [] })
  app.setNow(null)
})

const placedFor = (id: string) => company.placed.filter(order => order.callId === id)
const later = (seconds: number) => app.setNow(new Date(Date.now() + seconds * 1000))
const ofDay = (n: number) => `+4420794${String(n).padStart(5, '0')}`
const balance = async (userId: string) => {
  const { rows } = await app.services.database.pool.query(
    'select balance_micro::float / 1e6 as balance, reserved_micro::float / 1e6 as reserved from credit_accounts where user_id = $1',
    [userId],
  )
  // The account is opened with the first that is asked of it.
  return rows[0] ?? { balance: 100_000, reserved: 0 }
}
async function givenSlots(slots: number, at = app) {
  const desk = await givenDesk(at)
  await at.graphql(`mutation { updateVoiceSettings(input: { concurrency: ${slots} }) { concurrency } }`, {}, { key: desk.key })
  const secret = await secretOf(at, desk)
  const end = (call_id: string) => report(at, secret, { call_id, status: 'completed', duration_seconds: 10 })
  return { ...desk, secret, end }
}
const stateOf = async (desk: { read(id: string): Promise<{ dispatch_state: string }> }, id: string) => (await desk.read(id)).dispatch_state

describe('slots', () => {
  test('as many calls as slots are out; the next wait in order, and start as slots come free', async () => {
    const desk = await givenSlots(2)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await desk.call({ to_number: ofDay(n) })).id)
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids
    const states = async () => Promise.all(ids.map(id => stateOf(desk, id)))

    expect(await states()).toEqual(['dispatched', 'dispatched', 'pending', 'pending', 'pending'])
    await desk.end(second)
    await expect.poll(states).toEqual(['dispatched', 'dispatched', 'dispatched', 'pending', 'pending'])
    await Promise.all([desk.end(first), desk.end(third)])
    await expect.poll(states).toEqual(['dispatched', 'dispatched', 'dispatched', 'dispatched', 'dispatched'])
    expect(company.placed.map(({ callId }) => callId).filter(id => ids.includes(id))).toEqual([first, second, third, fourth, fifth])
  })

  test('forty at once never have more out than slots, and all get out in the end, once each', async () => {
    const desk = await givenSlots(3)
    let out = 0
    let most = 0
    company.answer = async ({ callId }) => {
      most = Math.max(most, ++out)
      await new Promise(resolve => setTimeout(resolve, 5))
      return { kind: 'accepted', providerCallId: providerIdOf(callId) }
    }

    const placed = await Promise.all(Array.from({ length: 40 }, (_, n) => desk.call({ to_number: ofDay(n) })))
    const ended = new Set<string>()
    while (ended.size < 40) {
      for (const { callId } of company.placed.filter(order => !ended.has(order.callId))) {
        if ((await stateOf(desk, callId)) !== 'dispatched') continue
        ended.add(callId)
        out--
        await desk.end(callId)
      }
      await new Promise(resolve => setTimeout(resolve, 5))
    }

    expect(most).toBe(3)
    expect(company.placed.map(({ callId }) => callId).toSorted()).toEqual(placed.map(({ id }) => id).toSorted())
  })

  test('other organizations have slots of their own', async () => {
    const full = await givenSlots(1)
    const other = await givenSlots(1)
    await full.call()

    expect(await full.call()).toMatchObject({ dispatch_state: 'pending' })
    expect(await other.call()).toMatchObject({ dispatch_state: 'dispatched' })
  })

  test('a scheduled call whose time comes while all are taken is pending from then on', async () => {
    const desk = await givenSlots(1)
    const first = await desk.call()
    const { id } = await desk.call({ schedule: { earliest_at: new Date(Date.now() + 60_000).toISOString() } })
    await dispatchDue(app.services, desk.orgId, id)
    expect(await stateOf(desk, id)).toBe('scheduled')

    later(61)
    await dispatchDue(app.services, desk.orgId, id)
    expect(await stateOf(desk, id)).toBe('pending')
    await desk.end(first.id)

    await expect.poll(() => stateOf(desk, id)).toBe('dispatched')
  })

  test('more slots are given out at once', async () => {
    const desk = await givenSlots(1)
    await desk.call()
    const { id } = await desk.call()

    await app.graphql('mutation { updateVoiceSettings(input: { concurrency: 2 }) { concurrency } }', {}, { key: desk.key })

    await expect.poll(() => stateOf(desk, id)).toBe('dispatched')
  })

  test('calls of a paused agent keep their place and let others pass; an archived one has none', async () => {
    const desk = await givenSlots(1)
    const { body: second } = await app.rest('POST', agents, { key: desk.key, body: { name: 'Second' } })
    const { id: first } = await desk.call()
    const paused = await desk.call()
    const other = await desk.call({ agent_id: second.id })
    await app.rest('POST', `${agents}/${desk.agent.id}/pause`, { key: desk.key })

    await desk.end(first)
    await expect.poll(() => stateOf(desk, other.id)).toBe('dispatched')
    expect(await stateOf(desk, paused.id)).toBe('pending')
    const secondSecret = await secretOf(app, { ...desk, agent: second })
    expect((await report(app, secondSecret, { call_id: other.id, status: 'busy' })).status).toBe(200)
    expect(await app.rest('POST', `${agents}/${desk.agent.id}/resume`, { key: desk.key })).toMatchObject({
      status: 200,
      body: { status: 'active' },
    })
    await expect.poll(() => stateOf(desk, paused.id)).toBe('dispatched')

    const waiting = await desk.call()
    await app.rest('POST', `${agents}/${desk.agent.id}/archive`, { key: desk.key })
    expect(await desk.read(waiting.id)).toMatchObject({ dispatch_state: 'canceled', status: 'canceled', ended_reason: 'agent_archived' })
  })
})

describe('updateVoiceSettings', () => {
  test('two changes of different settings at one moment both stay', async () => {
    const desk = await givenSlots(1)
    const { pool } = app.services.database
    const other = await pool.connect()
    await other.query('begin')
    await other.query(`update voice_settings set calling_from = '08:00', calling_until = '20:00' where org_id = $1`, [desk.orgId])

    const answer = app.graphql(
      'mutation { updateVoiceSettings(input: { concurrency: 2 }) { concurrency callingHours { from until } } }',
      {},
      { key: desk.key },
    )
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
    await other.query('commit')
    other.release()

    expect((await answer).body.data).toEqual({
      updateVoiceSettings: { concurrency: 2, callingHours: { from: '08:00', until: '20:00' } },
    })
  })
})

describe('a dial', () => {
  test('that is refused fails the call, gives its credits back, and frees its slot', async () => {
    const desk = await givenSlots(1)
    const before = await balance(desk.userId)
    company.answer = () => ({ kind: 'rejected', reason: 'no such number' })

    const call = await desk.call()
    company.answer = usual.answer

    expect(call).toMatchObject({
      ...{ dispatch_state: 'failed', status: 'failed', outcome: 'failed', ended_reason: 'provider_rejected' },
      ...{ provider_reason: 'no such number', credits_reserved: 60, credits_charged: 0, provider_call_id: '' },
    })
    expect(await balance(desk.userId)).toEqual(before)
    expect(await desk.call()).toMatchObject({ dispatch_state: 'dispatched' })
  })

  test('that did not get through is tried again, later and later, and at last given up', async () => {
    const desk = await givenSlots(1)
    company.answer = () => ({ kind: 'unsent', reason: 'all lines are busy' })

    const { id } = await desk.call()
    expect(await desk.read(id)).toMatchObject({ dispatch_state: 'pending', provider_reason: 'all lines are busy' })
    let seconds = 0
    for (let round = 0; round < 10; round++) {
      later((seconds += 400))
      await dispatch(app.services, desk.orgId)
      await dialsSettled(app.services, 20_000)
    }

    expect(placedFor(id)).toHaveLength(6)
    expect(await desk.read(id)).toMatchObject({ dispatch_state: 'failed', status: 'failed', ended_reason: 'provider_unavailable' })
  })

  test('whose answer was lost is unconfirmed: it holds its slot, is looked up, and is never repeated', async () => {
    const desk = await givenSlots(1)
    company.answer = () => ({ kind: 'unknown', reason: 'timeout' })
    const lost = await desk.call()
    company.answer = usual.answer
    const next = await desk.call()

    expect(lost).toMatchObject({ dispatch_state: 'unconfirmed', provider_call_id: '', provider_reason: 'timeout' })
    expect(next).toMatchObject({ dispatch_state: 'pending' })
    await reconcileCall(app.services, desk.orgId, lost.id)
    expect(await desk.read(lost.id)).toMatchObject({
      dispatch_state: 'dispatched',
      status: 'ringing',
      provider_call_id: providerIdOf(lost.id),
    })
    expect(placedFor(lost.id)).toHaveLength(1)
  })

  test('whose answer was lost and that the provider does not know is given up after two minutes, not repeated', async () => {
    const desk = await givenSlots(1)
    const before = await balance(desk.userId)
    company.answer = () => ({ kind: 'unknown', reason: 'timeout' })
    const { id } = await desk.call()
    company.answer = usual.answer
    company.known = () => ({ kind: 'absent' })

    await reconcileCall(app.services, desk.orgId, id)
    later(60)
    await watchCalls(app.services)
    expect(await stateOf(desk, id)).toBe('unconfirmed')
    later(125)
    await watchCalls(app.services)

    expect(await desk.read(id)).toMatchObject({
      dispatch_state: 'failed',
      status: 'failed',
      ended_reason: 'dispatch_lost',
      credits_charged: 0,
    })
    expect(placedFor(id)).toHaveLength(1)
    expect(await balance(desk.userId)).toEqual(before)
  })

  test('that was given up as lost and then rings all the same is ended at the provider', async () => {
    const desk = await givenSlots(1)
    company.answer = () => ({ kind: 'unknown', reason: 'timeout' })
    const { id } = await desk.call()
    company.known = () => ({ kind: 'absent' })
    await reconcileCall(app.services, desk.orgId, id)
    later(125)
    await watchCalls(app.services)
    app.setNow(null)

    await report(app, desk.secret, { call_id: id, provider_call_id: providerIdOf(id), status: 'ringing' })

    const { rows } = await app.services.database.pool.query(
      `select data from pgboss.job where name = 'call-act' and data ->> 'callId' = $1`,
      [id],
    )
    expect(rows).toEqual([{ data: { orgId: desk.orgId, callId: id, act: 'hang_up' } }])
    expect(await desk.read(id)).toMatchObject({ status: 'failed', provider_call_id: providerIdOf(id) })
  })

  test('whose process died before it began is begun again, where the provider keeps the id apart; once it rang it is not', async () => {
    const desk = await givenSlots(2, hasty)
    const { promise: never } = Promise.withResolvers<never>()
    const { promise: bothDialled, resolve: haveBoth } = Promise.withResolvers<void>()
    // The first dies before the request, the second after it.
    company.dial = order => {
      if (order.toNumber === ofDay(2)) {
        company.placed.push(order)
        haveBoth()
      }
      return never
    }
    const before = await desk.call({ to_number: ofDay(1) })
    const after = await desk.call({ to_number: ofDay(2) })
    await bothDialled
    expect(await Promise.all([before.id, after.id].map(id => stateOf(desk, id)))).toEqual(['dispatching', 'dispatching'])

    // Another process: that one still waits for its dials.
    company.dial = usual.dial
    later(50)
    await watchCalls(app.services)
    await dialsSettled(app.services, 20_000)

    expect(await desk.read(before.id)).toMatchObject({ dispatch_state: 'dispatched', provider_call_id: providerIdOf(before.id) })
    expect(await desk.read(after.id)).toMatchObject({
      dispatch_state: 'dispatched',
      status: 'ringing',
      provider_call_id: providerIdOf(after.id),
    })
    expect([placedFor(before.id), placedFor(after.id)].map(({ length }) => length)).toEqual([1, 1])
  })

  test('whose process died is not begun again where the provider takes no id', async () => {
    const strict = fakeCompany({ dialsOnce: false })
    const other = await startApp({ env: { VOICE_DISPATCH_WAIT_MS: '50' }, telephony: { simulator: strict } })
    const desk = await givenDesk(other)
    const { promise: never } = Promise.withResolvers<never>()
    strict.dial = () => never
    const { id } = await desk.call()
    await expect.poll(() => stateOf(desk, id)).toBe('dispatching')

    const second = await startApp({ database: other.database, telephony: { simulator: strict } })
    for (const seconds of [50, 90, 180]) {
      second.setNow(new Date(Date.now() + seconds * 1000))
      await watchCalls(second.services)
    }

    expect(await desk.read(id)).toMatchObject({ dispatch_state: 'failed', ended_reason: 'dispatch_lost' })
    expect(strict.placed).toEqual([])
    await second.close()
    await other.close()
  })
})

describe('the watch', () => {
  test('asks for a call that should be over; one the provider has ended ends so', async () => {
    const desk = await givenSlots(1)
    const { id } = await desk.call({ max_duration_seconds: 60 })
    const answeredAt = new Date()
    await report(app, desk.secret, { call_id: id, status: 'in_progress', answered_at: answeredAt })
    company.known = ({ callId }) => found(callId, 'completed', { durationSeconds: 42, outcome: 'goal_met' })

    app.setNow(new Date(answeredAt.getTime() + 119_000))
    await watchCalls(app.services)
    expect(await desk.read(id)).toMatchObject({ status: 'in_progress' })
    app.setNow(new Date(answeredAt.getTime() + 121_000))
    await watchCalls(app.services)

    expect(await desk.read(id)).toMatchObject({ status: 'completed', outcome: 'goal_met', duration_seconds: 42, credits_charged: 4.2 })
  })

  test.each([
    ['does not know', () => ({ kind: 'absent' }) as const],
    ['cannot be asked about', () => ({ kind: 'unknown', reason: 'down' }) as const],
    ['still has', ({ callId }: { callId: string }) => found(callId, 'in_progress')],
  ])('ends a call as lost that the provider %s, a minute after its longest duration', async (_name, known) => {
    const desk = await givenSlots(1)
    const { id } = await desk.call({ max_duration_seconds: 60 })
    await report(app, desk.secret, { call_id: id, status: 'in_progress' })
    company.known = known as FakeCompany['known']

    later(125)
    await watchCalls(app.services)

    expect(await desk.read(id)).toMatchObject({
      dispatch_state: 'dispatched',
      status: 'failed',
      outcome: 'failed',
      ended_reason: 'provider_lost',
    })
    expect(company.hungUp).toContain(id)
    app.setNow(null)
    expect(await desk.call()).toMatchObject({ dispatch_state: 'dispatched' })
  })

  test('dials what waited for its time, and gives up what waited too long', async () => {
    const desk = await givenSlots(1)
    const schedule = { earliest_at: new Date(Date.now() + 60_000).toISOString(), latest_at: new Date(Date.now() + 120_000).toISOString() }
    const due = await desk.call({ schedule: { earliest_at: schedule.earliest_at } })
    const missed = await desk.call({ schedule })

    later(121)
    await watchCalls(app.services)
    await dialsSettled(app.services, 20_000)

    expect(await desk.read(missed.id)).toMatchObject({
      dispatch_state: 'failed',
      status: 'canceled',
      outcome: 'failed',
      ended_reason: 'expired',
    })
    expect(await stateOf(desk, due.id)).toBe('dispatched')
  })

  test('a company that does not answer keeps no calls of others from being looked at', async () => {
    const desk = await givenSlots(30)
    const { promise: silence, resolve: answered } = Promise.withResolvers<Found>()
    const looked: string[] = []
    const silent = {
      ...fakeCompany(),
      lookup({ callId }: { callId: string }) {
        looked.push(callId)
        return silence
      },
    }
    const watching = await startApp({ database: app.database, telephony: { simulator: company, twilio: silent } })
    const schedule = { earliest_at: new Date(Date.now() + 60_000).toISOString(), latest_at: new Date(Date.now() + 90_000).toISOString() }
    const expired = await desk.call({ schedule })
    const overdue = await desk.call({ max_duration_seconds: 30 })
    await report(app, desk.secret, { call_id: overdue.id, status: 'in_progress' })
    company.answer = () => ({ kind: 'unknown', reason: 'timeout' })
    const ids: string[] = []
    for (let n = 0; n < 10; n++) ids.push((await desk.call({ to_number: ofDay(n) })).id)
    const [asked = '', recent = '', ...unasked] = ids
    const { pool } = app.services.database
    await pool.query(`update calls set provider = 'twilio', updated_at = now() + interval '1 minute' where id = $1`, [recent])
    await pool.query(`update calls set provider = 'twilio' where id = any($1::uuid[])`, [unasked])

    watching.setNow(new Date(Date.now() + 125_000))
    const round = watchCalls(watching.services)

    const states = () => Promise.all([expired.id, overdue.id, asked].map(async id => (await desk.read(id)).status))
    await expect.poll(states).toEqual(['canceled', 'failed', 'ringing'])
    // Eight at once, and the one that was looked at last waits for its turn.
    await expect.poll(() => looked.toSorted()).toEqual(unasked.toSorted())
    answered({ kind: 'unknown', reason: 'timeout' })
    await round
    expect(looked.slice(8)).toEqual([recent])
    await watching.close()
  })

  test('applies events that were kept and not applied', async () => {
    const desk = await givenSlots(1)
    const { id } = await desk.call()
    await report(app, desk.secret, { call_id: id, status: 'ringing' }, { id: 'evt-1' })
    const { pool } = app.services.database
    await pool.query(`update provider_events set state = 'failed' where call_id = $1`, [id])
    await pool.query(`update calls set status = 'queued' where id = $1`, [id])

    later(35)
    await watchCalls(app.services)

    expect(await desk.read(id)).toMatchObject({ status: 'ringing' })
  })
})

describe(`POST ${calls}/{call_id}/cancel`, () => {
  const cancel = (desk: { key: string }, id: string, headers = {}) => app.rest('POST', `${calls}/${id}/cancel`, { key: desk.key, headers })

  test('200: a call that waits is never dialled, and its credits come back', async () => {
    const desk = await givenSlots(1)
    await desk.call()
    const before = await balance(desk.userId)
    const { id } = await desk.call()
    expect((await balance(desk.userId))?.reserved).toBe(before.reserved + 60)

    const { status, body } = await cancel(desk, id)
    const again = await cancel(desk, id)

    expect([status, body]).toMatchObject([
      200,
      { dispatch_state: 'canceled', status: 'canceled', outcome: 'unknown', ended_reason: 'canceled' },
    ])
    expect([again.status, again.body]).toEqual([200, body])
    expect(await balance(desk.userId)).toEqual(before)
    expect(placedFor(id)).toEqual([])
  })

  test('200: a call that rings is ended at the provider', async () => {
    const desk = await givenSlots(1)
    const { id } = await desk.call()

    const { body } = await cancel(desk, id)

    expect(body).toMatchObject({ dispatch_state: 'dispatched', status: 'canceled', ended_reason: 'canceled', credits_charged: 0 })
    expect(company.hungUp).toEqual([id])
  })

  test('200: a call under way is ended, and paid for as far as it went', async () => {
    const desk = await givenSlots(1)
    const { id } = await desk.call()
    const answeredAt = new Date()
    await report(app, desk.secret, { call_id: id, status: 'in_progress', answered_at: answeredAt })
    app.setNow(new Date(answeredAt.getTime() + 30_000))

    const { body } = await cancel(desk, id, { 'Idempotency-Key': `cancel-${id}` })
    const replayed = await cancel(desk, id, { 'Idempotency-Key': `cancel-${id}` })
    const again = await cancel(desk, id)

    expect(again).toMatchObject({ status: 200, body })
    expect(body).toMatchObject({ status: 'completed', ended_reason: 'canceled', duration_seconds: 30, credits_charged: 3 })
    expect(replayed.body).toEqual(body)
  })

  test('200: a call that is being dialled is ended as soon as the provider has it', async () => {
    const desk = await givenSlots(1, hasty)
    const { promise: hold, resolve: letGo } = Promise.withResolvers<void>()
    company.answer = async ({ callId }) => {
      await hold
      return { kind: 'accepted', providerCallId: providerIdOf(callId) }
    }
    const { id } = await desk.call()
    await expect.poll(() => stateOf(desk, id)).toBe('dispatching')

    const { body } = await cancel(desk, id)
    letGo()
    // Beside it there are the dials of dead processes, which never end.
    await expect.poll(() => stateOf(desk, id)).toBe('dispatched')

    expect(body).toMatchObject({ dispatch_state: 'dispatching', status: 'queued' })
    const { rows } = await app.services.database.pool.query(
      `select data ->> 'act' as act from pgboss.job where name = 'call-act' and data ->> 'callId' = $1`,
      [id],
    )
    expect(rows).toEqual([{ act: 'hang_up' }])
  })

  test('a provider that cannot be asked is asked again', async () => {
    const desk = await givenSlots(1)
    const { id } = await desk.call()
    company.canHangUp = false
    expect((await cancel(desk, id)).body).toMatchObject({ status: 'queued' })

    company.canHangUp = true
    later(50)
    await watchCalls(app.services)

    expect(await desk.read(id)).toMatchObject({ status: 'canceled' })
  })

  test('409 for a call that is over, 404 for one of another organization', async () => {
    const desk = await givenSlots(1)
    const { id } = await desk.call()
    await desk.end(id)

    expect((await cancel(desk, id)).body).toMatchObject({ code: 'conflict', status: 409 })
    expect((await cancel(await givenDesk(app), id)).status).toBe(404)
  })
})

describe('money', () => {
  test('the longest call is held, the actual one charged by the second, the rest given back', async () => {
    const desk = await givenSlots(1)
    const before = await balance(desk.userId)
    const { id, credits_reserved } = await desk.call({ max_duration_seconds: 120 })
    expect(credits_reserved).toBe(12)
    expect(await balance(desk.userId)).toEqual({ balance: before.balance, reserved: before.reserved + 12 })

    await desk.end(id)

    expect(await desk.read(id)).toMatchObject({ credits_reserved: 12, credits_charged: 1 })
    expect(await balance(desk.userId)).toEqual({ balance: before.balance - 1, reserved: before.reserved })
  })

  test('a call that nobody answered costs nothing', async () => {
    const desk = await givenSlots(1)
    const before = await balance(desk.userId)
    const { id } = await desk.call()

    await report(app, desk.secret, { call_id: id, status: 'no_answer' })

    expect(await desk.read(id)).toMatchObject({ outcome: 'no_answer', credits_charged: 0 })
    expect(await balance(desk.userId)).toEqual(before)
  })

  test('a call longer than it may be costs no more than was held', async () => {
    const desk = await givenSlots(1)
    const { id } = await desk.call({ max_duration_seconds: 30 })

    await report(app, desk.secret, { call_id: id, status: 'completed', duration_seconds: 3600 })

    expect(await desk.read(id)).toMatchObject({ duration_seconds: 3600, credits_charged: 3 })
  })
})

test('an answering machine is hung up on, spoken to, or talked with, as was asked', async () => {
  const desk = await givenSlots(3)
  const voicemails = [{ action: 'hang_up' }, { action: 'leave_message', message: 'Call back.' }, { action: 'continue' }]
  const placed = await Promise.all(voicemails.map((voicemail, n) => desk.call({ voicemail, to_number: ofDay(n) })))

  for (const { id } of placed) await report(app, desk.secret, { call_id: id, status: 'in_progress', answered_by: 'machine' })

  const { rows } = await app.services.database.pool.query(
    `select data ->> 'callId' as id, data ->> 'act' as act from pgboss.job where name = 'call-act' and data ->> 'callId' = any($1::text[])`,
    [placed.map(({ id }) => id)],
  )
  expect(placed.map(({ id }) => rows.find(row => row.id === id)?.act)).toEqual(['hang_up', 'leave_message', undefined])
})
