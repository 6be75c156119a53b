// The reaper: it closes calls that nobody closed, and dials calls that are due.

import { describe, expect, test } from 'vitest'
import { dialsSettled } from '../../../src/voice/dispatch/dispatch.ts'
import { runReaper } from '../../../src/voice/dispatch/reaper.ts'
import type { Found } from '../../../src/voice/providers/telephony.ts'
import { type Json, startApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { agents } from '../call-fixture.ts'
import { type FakeProvider, fakeProvider, found } from '../fake-provider.ts'
import { report } from '../report.ts'
import { openDispatching } from './given.ts'

const { provider, usual, app, later, ofDay, givenSlots, stateOf } = await openDispatching()

describe('the reaper', () => {
  test('looks up a call that exceeds its duration, and takes its end from the provider', async () => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call({ max_duration_seconds: 60 })
    const answeredAt = new Date()
    await report(app, fixture.secret, { call_id: id, status: 'in_progress', answered_at: answeredAt })
    provider.known = ({ callId }) => found(callId, 'completed', { durationSeconds: 42, outcome: 'goal_met' })

    app.setNow(new Date(answeredAt.getTime() + 119_000))
    await runReaper(app.services)
    expect(await fixture.read(id)).toMatchObject({ status: 'in_progress' })
    app.setNow(new Date(answeredAt.getTime() + 121_000))
    await runReaper(app.services)

    expect(await fixture.read(id)).toMatchObject({ status: 'completed', outcome: 'goal_met', duration_seconds: 42, credits_charged: 4.2 })
  })

  test.each([
    ['does not know', () => ({ kind: 'absent' }) as const],
    ['cannot be asked about', () => ({ kind: 'unknown', reason: 'down' }) as const],
    ['still has', ({ callId }: { callId: string }) => found(callId, 'in_progress')],
  ])('closes a call that the provider %s, a minute after its maximum duration', async (_name, known) => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call({ max_duration_seconds: 60 })
    await report(app, fixture.secret, { call_id: id, status: 'in_progress' })
    provider.known = known as FakeProvider['known']

    later(125)
    await runReaper(app.services)

    expect(await fixture.read(id)).toMatchObject({
      dispatch_state: 'dispatched',
      status: 'failed',
      outcome: 'failed',
      ended_reason: 'provider_lost',
    })
    expect(provider.hungUp).toContain(id)
    app.setNow(null)
    expect(await fixture.call()).toMatchObject({ dispatch_state: 'dispatched' })
  })

  test('dials calls that are due, and closes expired ones', async () => {
    const fixture = await givenSlots(1)
    const schedule = { earliest_at: new Date(Date.now() + 60_000).toISOString(), latest_at: new Date(Date.now() + 120_000).toISOString() }
    const due = await fixture.call({ schedule: { earliest_at: schedule.earliest_at } })
    const missed = await fixture.call({ schedule })

    later(121)
    await runReaper(app.services)
    await dialsSettled(app.services, 20_000)

    expect(await fixture.read(missed.id)).toMatchObject({
      dispatch_state: 'failed',
      status: 'canceled',
      outcome: 'failed',
      ended_reason: 'expired',
    })
    expect(await stateOf(fixture, due.id)).toBe('dispatched')
  })

  test('a provider that does not answer does not delay calls of others', async () => {
    const fixture = await givenSlots(30)
    const { promise: silence, resolve: answered } = Promise.withResolvers<Found>()
    const looked: string[] = []
    const silent = {
      ...fakeProvider(),
      lookup({ callId }: { callId: string }) {
        looked.push(callId)
        return silence
      },
    }
    const reaping = await startApp({ database: app.database, telephony: { simulator: provider, twilio: silent } })
    const schedule = { earliest_at: new Date(Date.now() + 60_000).toISOString(), latest_at: new Date(Date.now() + 90_000).toISOString() }
    const expired = await fixture.call({ schedule })
    const overdue = await fixture.call({ max_duration_seconds: 30 })
    await report(app, fixture.secret, { call_id: overdue.id, status: 'in_progress' })
    provider.answer = () => ({ kind: 'unknown', reason: 'timeout' })
    const ids: string[] = []
    for (let n = 0; n < 10; n++) ids.push((await fixture.call({ to_number: ofDay(n) })).id)
    const [asked = '', recent = '', ...unasked] = ids
    const { pool } = app.services.database
    await pool.query(`update calls set provider = 'twilio', updated_at = now() + interval '1 minute' where id = $1`, [recent])
    await pool.query(`update calls set provider = 'twilio' where id = any($1::uuid[])`, [unasked])

    reaping.setNow(new Date(Date.now() + 125_000))
    const round = runReaper(reaping.services)

    const states = () => Promise.all([expired.id, overdue.id, asked].map(async id => (await fixture.read(id)).status))
    await expect.poll(states).toEqual(['canceled', 'failed', 'ringing'])
    // Eight at a time; the call that was changed last comes last.
    await expect.poll(() => looked.toSorted()).toEqual(unasked.toSorted())
    answered({ kind: 'unknown', reason: 'timeout' })
    await round
    expect(looked.slice(8)).toEqual([recent])
    await reaping.close()
  })

  test('applies stored events that were not applied, also after one that cannot be read any more', async () => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call()
    await report(app, fixture.secret, { call_id: id, ended_reason: 'none' }, { id: 'evt-1' })
    await report(app, fixture.secret, { call_id: id, status: 'ringing' }, { id: 'evt-2' })
    const { pool } = app.services.database
    await pool.query(`update provider_events set state = 'failed' where call_id = $1`, [id])
    await pool.query(`update provider_events set body = '{}' where call_id = $1 and event_key like '%evt-1'`, [id])
    await pool.query(`update calls set status = 'queued' where id = $1`, [id])

    later(35)
    await runReaper(app.services)

    expect(await fixture.read(id)).toMatchObject({ status: 'ringing' })
  })

  const reason = 'the process that worked on it ended 3 times'
  // As a process that died leaves what it had begun, once its lease has expired.
  const loseWorkers = () => query(app.database.url, "update work_begun set lease_until = now() - interval '1 second'")

  test.each([
    [
      'beyond its duration',
      async ({ report: tell, id }: { report: (message: Json) => Promise<unknown>; id: string }) =>
        tell({ call_id: id, status: 'in_progress' }),
    ],
    [
      'whose dial has no answer',
      async ({ id }: { id: string }) => query(app.database.url, "update calls set dispatch_state = 'unconfirmed' where id = $1", [id]),
    ],
  ] as const)('gives up a call %s when three processes died at the answer about it', async (_name, prepare) => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call({ max_duration_seconds: 60 })
    await prepare({ id, report: message => report(app, fixture.secret, message) })
    let asked = 0
    provider.lookup = () => {
      asked++
      return new Promise(() => {})
    }
    later(125)

    for (let deaths = 1; deaths <= 3; deaths++) {
      void runReaper(app.services)
      await expect.poll(() => asked).toBe(deaths)
      // A second process leaves alone what the first one is at.
      await runReaper(app.services)
      expect([asked, (await fixture.read(id)).ended_reason]).toEqual([deaths, null])
      await loseWorkers()
    }
    await runReaper(app.services)

    expect(asked).toBe(3)
    expect(await fixture.read(id)).toMatchObject({ status: 'failed', ended_reason: 'provider_lost', provider_reason: reason })
  })

  test('gives up a stored event when three processes died at it, and applies those behind it', async () => {
    const fixture = await givenSlots(1)
    const { id } = await fixture.call()
    await report(app, fixture.secret, { call_id: id, ended_reason: 'none' }, { id: 'evt-3' })
    await report(app, fixture.secret, { call_id: id, status: 'ringing' }, { id: 'evt-4' })
    const { pool } = app.services.database
    await pool.query(`update provider_events set state = 'failed' where call_id = $1`, [id])
    await pool.query(`update calls set status = 'queued' where id = $1`, [id])
    let read = 0
    provider.read = message => {
      if (message.body.includes('none')) read++
      return usual.read(message)
    }
    const [event] = await query<{ id: string }>(
      app.database.url,
      `select id from provider_events where call_id = $1 and event_key like '%evt-3'`,
      [id],
    )
    // Three processes have begun it and died.
    await query(
      app.database.url,
      `insert into work_begun (id, token, lease_until, workers_lost) values ($1, gen_random_uuid(), now() - interval '1 second', 2)`,
      [event?.id],
    )
    later(35)

    await runReaper(app.services)
    await runReaper(app.services)

    const events = await query(app.database.url, `select event_key, state, note from provider_events where call_id = $1 order by id`, [id])
    expect(events).toMatchObject([{ state: 'failed', note: reason }, { state: 'applied' }])
    expect(read).toBe(0)
    expect(await fixture.read(id)).toMatchObject({ status: 'ringing' })
  })
})

describe('waitingWork', () => {
  const waitingOf = async (key: string) =>
    (await app.graphql('{ waitingWork { isWorkerAlive callsDueSince } }', {}, { key })).body.data.waitingWork
  const nothing = { isWorkerAlive: false, callsDueSince: null }

  test('tells since when the first call of the organization is due, and of no other organization', async () => {
    const fixture = await givenSlots(1)
    const other = await givenSlots(1)
    await fixture.call({ to_number: ofDay(1) })

    expect(await waitingOf(fixture.key)).toEqual(nothing)
    const asked = new Date()
    app.setNow(asked)
    await fixture.call({ to_number: ofDay(2) })
    later(30)
    await fixture.call({ to_number: ofDay(3) })
    later(90)
    expect(await waitingOf(fixture.key)).toEqual({ isWorkerAlive: false, callsDueSince: asked.toISOString() })
    expect(await waitingOf(other.key)).toEqual(nothing)
  })

  test('a call is due when its time has come, and not while its agent is paused', async () => {
    const { key, agent, call } = await givenSlots(1)
    const earliest_at = new Date(Date.now() + 3_600_000).toISOString()
    await call({ to_number: ofDay(1), schedule: { earliest_at } })

    expect(await waitingOf(key)).toEqual(nothing)
    later(3601)
    expect(await waitingOf(key)).toEqual({ isWorkerAlive: false, callsDueSince: earliest_at })
    await app.rest('POST', `${agents}/${agent.id}/pause`, { key })
    expect(await waitingOf(key)).toEqual(nothing)
  })

  test('a process with the role worker is alive from its start to its end', async () => {
    const { key } = await givenSlots(1)
    const worker = await startApp({ env: { ROLES: 'worker' }, database: app.database, telephony: { simulator: provider } })

    expect(await waitingOf(key)).toEqual({ isWorkerAlive: true, callsDueSince: null })
    await worker.close()
    await expect.poll(() => waitingOf(key)).toEqual(nothing)
  })
})
