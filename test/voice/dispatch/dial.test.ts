// A dial: rejected, not sent, lost or canceled, and the money that it holds.

import { describe, expect, test } from 'vitest'
import { dialsSettled, dispatch } from '../../../src/voice/dispatch/dispatch.ts'
import { reconcileCall, runReaper } from '../../../src/voice/dispatch/reaper.ts'
import type { Dialled } from '../../../src/voice/providers/telephony.ts'
import { startApp } from '../../support/app.ts'
import { calls, givenCallFixture } from '../call-fixture.ts'
import { fakeProvider, providerIdOf } from '../fake-provider.ts'
import { report } from '../report.ts'
import { openDispatching } from './given.ts'

const { provider, usual, app, hasty, placedFor, later, ofDay, balance, givenSlots, stateOf } = await openDispatching()

describe('a dial', () => {
  test('that is rejected fails the call, releases its credits, and frees its slot', async () => {
    const fixture = await givenSlots(1)
    const before = await balance(fixture.userId)
    provider.answer = () => ({ kind: 'rejected', reason: 'no such number' })

    const call = await fixture.call()
    provider.answer = usual.answer

    expect(call).toMatchObject({
      ...{ dispatch_state: 'failed', status: 'failed', outcome: 'failed', ended_reason: 'provider_rejected' },
      ...{ provider_reason: 'no such number', credits_reserved: 60, credits_charged: 0, provider_call_id: '' },
    })
    expect(await balance(fixture.userId)).toEqual(before)
    expect(await fixture.call()).toMatchObject({ dispatch_state: 'dispatched' })
  })

  test('that was not sent is retried with growing delays, six times at most', async () => {
    const fixture = await givenSlots(1)
    provider.answer = () => ({ kind: 'unsent', reason: 'all lines are busy' })

    const { id } = await fixture.call()
    expect(await fixture.read(id)).toMatchObject({ dispatch_state: 'pending', provider_reason: 'all lines are busy' })
    let seconds = 0
    for (let round = 0; round < 10; round++) {
      later((seconds += 400))
      await dispatch(app.services, fixture.orgId)
      await dialsSettled(app.services, 20_000)
    }

    expect(placedFor(id)).toHaveLength(6)
    expect(await fixture.read(id)).toMatchObject({ dispatch_state: 'failed', status: 'failed', ended_reason: 'provider_unavailable' })
  })

  test('whose answer was lost is unconfirmed: it holds its slot, is looked up, and is never repeated', async () => {
    const fixture = await givenSlots(1)
    provider.answer = () => ({ kind: 'unknown', reason: 'timeout' })
    const lost = await fixture.call()
    provider.answer = usual.answer
    const next = await fixture.call()

    expect(lost).toMatchObject({ dispatch_state: 'unconfirmed', provider_call_id: '', provider_reason: 'timeout' })
    expect(next).toMatchObject({ dispatch_state: 'pending' })
    await reconcileCall(app.services, fixture.orgId, lost.id)
    expect(await fixture.read(lost.id)).toMatchObject({
      dispatch_state: 'dispatched',
      status: 'ringing',
      provider_call_id: providerIdOf(lost.id),
    })
    expect(placedFor(lost.id)).toHaveLength(1)
  })

  test('whose answer was lost and that the provider does not have is closed after two minutes, not repeated', async () => {
    const fixture = await givenSlots(1)
    const before = await balance(fixture.userId)
    provider.answer = () => ({ kind: 'unknown', reason: 'timeout' })
    const { id } = await fixture.call()
    provider.answer = usual.answer
    provider.known = () => ({ kind: 'absent' })

    await reconcileCall(app.services, fixture.orgId, id)
    later(60)
    await runReaper(app.services)
    expect(await stateOf(fixture, id)).toBe('unconfirmed')
    later(125)
    await runReaper(app.services)

    expect(await fixture.read(id)).toMatchObject({
      dispatch_state: 'failed',
      status: 'failed',
      ended_reason: 'dispatch_lost',
      credits_charged: 0,
    })
    expect(placedFor(id)).toHaveLength(1)
    expect(await balance(fixture.userId)).toEqual(before)
  })

  test('that was closed as lost and then rings is ended at the provider', async () => {
    const fixture = await givenSlots(1)
    provider.answer = () => ({ kind: 'unknown', reason: 'timeout' })
    const { id } = await fixture.call()
    provider.known = () => ({ kind: 'absent' })
    await reconcileCall(app.services, fixture.orgId, id)
    later(125)
    await runReaper(app.services)
    app.setNow(null)

    await report(app, fixture.secret, { call_id: id, provider_call_id: providerIdOf(id), status: 'ringing' })

    const { rows } = await app.services.database.pool.query(
      `select data from pgboss.job where name = 'call-act' and data ->> 'callId' = $1`,
      [id],
    )
    expect(rows).toEqual([{ data: { orgId: fixture.orgId, callId: id, act: 'hang_up' } }])
    expect(await fixture.read(id)).toMatchObject({ status: 'failed', provider_call_id: providerIdOf(id) })
  })

  test('whose process died is repeated if the provider has no such call and takes ids as idempotency keys', async () => {
    const fixture = await givenSlots(2, hasty)
    const { promise: never } = Promise.withResolvers<never>()
    const { promise: bothDialled, resolve: haveBoth } = Promise.withResolvers<void>()
    // The process of the first dies before the request, that of the second after it.
    provider.dial = order => {
      if (order.toNumber === ofDay(2)) {
        provider.placed.push(order)
        haveBoth()
      }
      return never
    }
    const before = await fixture.call({ to_number: ofDay(1) })
    const after = await fixture.call({ to_number: ofDay(2) })
    await bothDialled
    expect(await Promise.all([before.id, after.id].map(id => stateOf(fixture, id)))).toEqual(['dispatching', 'dispatching'])

    // A second process, because the first one still waits for its dials.
    provider.dial = usual.dial
    later(50)
    await runReaper(app.services)
    await dialsSettled(app.services, 20_000)

    expect(await fixture.read(before.id)).toMatchObject({ dispatch_state: 'dispatched', provider_call_id: providerIdOf(before.id) })
    expect(await fixture.read(after.id)).toMatchObject({
      dispatch_state: 'dispatched',
      status: 'ringing',
      provider_call_id: providerIdOf(after.id),
    })
    expect([placedFor(before.id), placedFor(after.id)].map(({ length }) => length)).toEqual([1, 1])
  })

  test('whose process died is repeated twice', async () => {
    const fixture = await givenSlots(1, hasty)
    const { promise: silence, resolve: answered } = Promise.withResolvers<Dialled>()
    let dials = 0
    provider.dial = () => {
      dials++
      return silence
    }
    const { id } = await fixture.call({ to_number: ofDay(3) })
    for (let deaths = 1; deaths <= 3; deaths++) {
      await expect.poll(() => dials).toBe(deaths)
      later(50 * deaths)
      await runReaper(app.services)
    }

    expect(await fixture.read(id)).toMatchObject({
      dispatch_state: 'failed',
      ended_reason: 'dispatch_lost',
      provider_reason: 'the process that worked on it ended 3 times',
    })
    expect(dials).toBe(3)
    // Otherwise the tests behind this one would wait for these dials.
    answered({ kind: 'unknown', reason: 'timeout' })
    await dialsSettled(app.services, 20_000)
  })

  test('whose process died is not repeated if the provider takes no idempotency key', async () => {
    const strict = fakeProvider({ dialsOnce: false })
    const other = await startApp({ env: { VOICE_DISPATCH_WAIT_MS: '50' }, telephony: { simulator: strict } })
    const fixture = await givenCallFixture(other)
    const { promise: never } = Promise.withResolvers<never>()
    strict.dial = () => never
    const { id } = await fixture.call()
    await expect.poll(() => stateOf(fixture, id)).toBe('dispatching')

    const second = await startApp({ database: other.database, telephony: { simulator: strict } })
    for (const seconds of [50, 90, 180]) {
      second.setNow(new Date(Date.now() + seconds * 1000))
      await runReaper(second.services)
    }

    expect(await fixture.read(id)).toMatchObject({ dispatch_state: 'failed', ended_reason: 'dispatch_lost' })
    expect(strict.placed).toEqual([])
    await second.close()
    await other.close()
  })
})

describe(`POST ${calls}/{call_id}/cancel`, () => {
  const cancel = (fixture: { key: string }, id: string, headers = {}) =>
    app.rest('POST', `${calls}/${id}/cancel`, { key: fixture.key, headers })

  test('200: a waiting call is never dialled, and its credits are released', async () => {
    const fixture = await givenSlots(1)
    await fixture.call()
    const before = await balance(fixture.userId)
    const { id } = await fixture.call()
    expect((await balance(fixture.userId))?.reserved).toBe(before.reserved + 60)

    const { status, body } = await cancel(fixture, id)
    const again = await cancel(fixture, id)

    expect([status, body]).toMatchObject([
      200,
      { dispatch_state: 'canceled', status: 'canceled', outcome: 'unknown', ended_reason: 'canceled' },
    ])
    expect([again.status, again.body]).toEqual([200, body])
    expect(await balance(fixture.userId)).toEqual(before)
    expect(placedFor(id)).toEqual([])
  })

  test('200: a ringing call is ended at the provider', async () => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call()

    const { body } = await cancel(fixture, id)

    expect(body).toMatchObject({ dispatch_state: 'dispatched', status: 'canceled', ended_reason: 'canceled', credits_charged: 0 })
    expect(provider.hungUp).toEqual([id])
  })

  test('200: an answered call is ended, and charged by its duration', async () => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call()
    const answeredAt = new Date()
    await report(app, fixture.secret, { call_id: id, status: 'in_progress', answered_at: answeredAt })
    app.setNow(new Date(answeredAt.getTime() + 30_000))

    const { body } = await cancel(fixture, id, { 'Idempotency-Key': `cancel-${id}` })
    const replayed = await cancel(fixture, id, { 'Idempotency-Key': `cancel-${id}` })
    const again = await cancel(fixture, id)

    expect(again).toMatchObject({ status: 200, body })
    expect(body).toMatchObject({ status: 'completed', ended_reason: 'canceled', duration_seconds: 30, credits_charged: 3 })
    expect(replayed.body).toEqual(body)
  })

  test('200: a call that is being dialled is ended when the provider has accepted it', async () => {
    const fixture = await givenSlots(1, hasty)
    const { promise: hold, resolve: letGo } = Promise.withResolvers<void>()
    provider.answer = async ({ callId }) => {
      await hold
      return { kind: 'accepted', providerCallId: providerIdOf(callId) }
    }
    const { id } = await fixture.call()
    await expect.poll(() => stateOf(fixture, id)).toBe('dispatching')

    const { body } = await cancel(fixture, id)
    letGo()
    // Dials of dead processes never end.
    await expect.poll(() => stateOf(fixture, id)).toBe('dispatched')

    expect(body).toMatchObject({ dispatch_state: 'dispatching', status: 'queued' })
    const { rows } = await app.services.database.pool.query(
      `select data ->> 'act' as act from pgboss.job where name = 'call-act' and data ->> 'callId' = $1`,
      [id],
    )
    expect(rows).toEqual([{ act: 'hang_up' }])
  })

  test('the request to a provider that is unreachable is repeated', async () => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call()
    provider.canHangUp = false
    expect((await cancel(fixture, id)).body).toMatchObject({ status: 'queued' })

    provider.canHangUp = true
    later(50)
    await runReaper(app.services)

    expect(await fixture.read(id)).toMatchObject({ status: 'canceled' })
  })

  test('409 for a call that has ended, 404 for one of another organization', async () => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call()
    await fixture.end(id)

    expect((await cancel(fixture, id)).body).toMatchObject({ code: 'conflict', status: 409 })
    expect((await cancel(await givenCallFixture(app), id)).status).toBe(404)
  })
})

describe('money', () => {
  test('the price of the longest call is held, the actual duration charged by the second, the rest released', async () => {
    const fixture = await givenSlots(1)
    const before = await balance(fixture.userId)
    const { id, credits_reserved } = await fixture.call({ max_duration_seconds: 120 })
    expect(credits_reserved).toBe(12)
    expect(await balance(fixture.userId)).toEqual({ balance: before.balance, reserved: before.reserved + 12 })

    await fixture.end(id)

    expect(await fixture.read(id)).toMatchObject({ credits_reserved: 12, credits_charged: 1 })
    expect(await balance(fixture.userId)).toEqual({ balance: before.balance - 1, reserved: before.reserved })
  })

  test('calls that end at the same moment are each charged once', async () => {
    const fixture = await givenSlots(4)
    const calls = await Promise.all([1, 2, 3, 4].map(n => fixture.call({ to_number: ofDay(n) })))

    await Promise.all([...calls, ...calls].map(({ id }) => fixture.end(id)))

    expect(await Promise.all(calls.map(async ({ id }) => (await fixture.read(id)).credits_charged))).toEqual([1, 1, 1, 1])
    expect(await balance(fixture.userId)).toEqual({ balance: 99_996, reserved: 0 })
  })

  test('an unanswered call costs nothing', async () => {
    const fixture = await givenSlots(1)
    const before = await balance(fixture.userId)
    const { id } = await fixture.call()

    await report(app, fixture.secret, { call_id: id, status: 'no_answer' })

    expect(await fixture.read(id)).toMatchObject({ outcome: 'no_answer', credits_charged: 0 })
    expect(await balance(fixture.userId)).toEqual(before)
  })

  test('a call longer than its maximum is charged no more than was held', async () => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call({ max_duration_seconds: 30 })

    await report(app, fixture.secret, { call_id: id, status: 'completed', duration_seconds: 3600 })

    expect(await fixture.read(id)).toMatchObject({ duration_seconds: 3600, credits_charged: 3 })
  })
})

test('voicemail.action decides whether an answering machine is hung up on, left a message, or talked with', async () => {
  const fixture = await givenSlots(3)
  const voicemails = [{ action: 'hang_up' }, { action: 'leave_message', message: 'Call back.' }, { action: 'continue' }]
  const placed = await Promise.all(voicemails.map((voicemail, n) => fixture.call({ voicemail, to_number: ofDay(n) })))

  for (const { id } of placed) await report(app, fixture.secret, { call_id: id, status: 'in_progress', answered_by: 'machine' })

  const { rows } = await app.services.database.pool.query(
    `select data ->> 'callId' as id, data ->> 'act' as act from pgboss.job where name = 'call-act' and data ->> 'callId' = any($1::text[])`,
    [placed.map(({ id }) => id)],
  )
  expect(placed.map(({ id }) => rows.find(row => row.id === id)?.act)).toEqual(['hang_up', 'leave_message', undefined])
})
