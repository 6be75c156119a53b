// Dispatch: slots, order, retries, lost answers, and the reaper.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialsSettled, dispatch, dispatchDue } from '../../src/voice/dispatch/dispatch.ts'
import { reconcileCall, runReaper } from '../../src/voice/dispatch/reaper.ts'
import type { Dialled, Found } from '../../src/voice/providers/telephony.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { query } from '../support/database.ts'
import { agents, calls, givenCallFixture, number } from './call-fixture.ts'
import { type FakeProvider, fakeProvider, found, providerIdOf } from './fake-provider.ts'
import { report, secretOf } from './report.ts'

type Report = (message: Record<string, unknown>) => Promise<unknown>
let app: TestApp
/** Waits 50 ms for a provider. */
let hasty: TestApp
const provider: FakeProvider = fakeProvider()
const usual = { ...provider }
beforeAll(async () => {
  const env = { VOICE_PRICE_PER_MINUTE: '6', CREDITS_NEW_USER_GRANT: '100000' }
  app = await startApp({ env, telephony: { simulator: provider } })
  hasty = await startApp({ env: { ...env, VOICE_DISPATCH_WAIT_MS: '50' }, database: app.database, telephony: { simulator: provider } })
})
afterAll(async () => {
  await hasty.close()
  await app.close()
})
beforeEach(() => {
  Object.assign(provider, { ...usual, placed: [], hungUp: [], messages: [] })
  app.setNow(null)
})

const placedFor = (id: string) => provider.placed.filter(order => order.callId === id)
const later = (seconds: number) => app.setNow(new Date(Date.now() + seconds * 1000))
const ofDay = (n: number) => `+4420794${String(n).padStart(5, '0')}`
const balance = async (userId: string) => {
  const { rows } = await app.services.database.pool.query(
    'select balance_micro::float / 1e6 as balance, reserved_micro::float / 1e6 as reserved from credit_accounts where user_id = $1',
    [userId],
  )
  // The first request opens the account.
  return rows[0] ?? { balance: 100_000, reserved: 0 }
}
async function givenSlots(slots: number, at = app) {
  const fixture = await givenCallFixture(at)
  await at.graphql(`mutation { updateVoiceSettings(input: { concurrency: ${slots} }) { concurrency } }`, {}, { key: fixture.key })
  const secret = await secretOf(at, fixture)
  const end = (call_id: string) => report(at, secret, { call_id, status: 'completed', duration_seconds: 10 })
  return { ...fixture, secret, end }
}
// A pass waits for this lock before it claims calls.
const passLock = `hashtextextended('voice turn ' || $1, 0)`
/** Locks out an organization's passes, after those that hold or await the lock. Resolves with how they are let in again. */
async function holdPasses(orgId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  await client.query(`select pg_advisory_lock(${passLock})`, [orgId])
  return () => client.end()
}
const waitingPasses = async (orgId: string): Promise<number> => {
  const waiting = `select from pg_locks where locktype = 'advisory' and objsubid = 1 and not granted
    and (classid::bigint << 32 | objid::bigint) = ${passLock}`
  return (await query(app.database.url, waiting, [orgId])).length
}
const stored = async (orgId: string): Promise<number> =>
  (await query(app.database.url, 'select from calls where org_id = $1', [orgId])).length
const stateOf = async (fixture: { read(id: string): Promise<{ dispatch_state: string }> }, id: string) =>
  (await fixture.read(id)).dispatch_state

describe('slots', () => {
  test('at most `concurrency` calls are dialled; further ones wait in order and start when slots become free', async () => {
    const fixture = await givenSlots(2)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await fixture.call({ to_number: ofDay(n) })).id)
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids
    const states = async () => Promise.all(ids.map(id => stateOf(fixture, id)))

    expect(await states()).toEqual(['dispatched', 'dispatched', 'pending', 'pending', 'pending'])
    await fixture.end(second)
    await expect.poll(states).toEqual(['dispatched', 'dispatched', 'dispatched', 'pending', 'pending'])
    await Promise.all([fixture.end(first), fixture.end(third)])
    await expect.poll(states).toEqual(['dispatched', 'dispatched', 'dispatched', 'dispatched', 'dispatched'])
    expect(provider.placed.map(({ callId }) => callId).filter(id => ids.includes(id))).toEqual([first, second, third, fourth, fifth])
  })

  test('of forty concurrent calls never more than `concurrency` are dialled, and each is dialled once', async () => {
    const fixture = await givenSlots(3)
    let out = 0
    let most = 0
    provider.answer = async ({ callId }) => {
      most = Math.max(most, ++out)
      await new Promise(resolve => setTimeout(resolve, 5))
      return { kind: 'accepted', providerCallId: providerIdOf(callId) }
    }

    const placed = await Promise.all(Array.from({ length: 40 }, (_, n) => fixture.call({ to_number: ofDay(n) })))
    const ended = new Set<string>()
    while (ended.size < 40) {
      for (const { callId } of provider.placed.filter(order => !ended.has(order.callId))) {
        if ((await stateOf(fixture, callId)) !== 'dispatched') continue
        ended.add(callId)
        out--
        await fixture.end(callId)
      }
      await new Promise(resolve => setTimeout(resolve, 5))
    }

    expect(most).toBe(3)
    expect(provider.placed.map(({ callId }) => callId).toSorted()).toEqual(placed.map(({ id }) => id).toSorted())
  })

  test('a call is answered when its dial ends, also while the next pass has to wait', async () => {
    const fixture = await givenSlots(2)
    const release = await holdPasses(fixture.orgId)
    const dialled = [0, 1].map(n => fixture.call({ to_number: ofDay(n), variables: { n } }))
    await expect.poll(() => waitingPasses(fixture.orgId)).toBe(1)
    const again = holdPasses(fixture.orgId)
    await expect.poll(() => waitingPasses(fixture.orgId)).toBe(2)
    const last = fixture.call({ to_number: ofDay(2) })
    await expect.poll(() => stored(fixture.orgId)).toBe(3)

    await release()

    expect(await Promise.all(dialled)).toMatchObject([{ dispatch_state: 'dispatched' }, { dispatch_state: 'dispatched' }])
    await (await again)()
    expect(await last).toMatchObject({ dispatch_state: 'pending' })
  })

  test('a call that the policy refuses before its dial is answered as refused', async () => {
    const fixture = await givenSlots(1)
    const release = await holdPasses(fixture.orgId)
    const call = fixture.call()
    await expect.poll(() => waitingPasses(fixture.orgId)).toBe(1)
    await query(app.database.url, 'update contacts set do_not_call = true where org_id = $1', [fixture.orgId])

    await release()

    expect(await call).toMatchObject({ dispatch_state: 'blocked', status: 'canceled', outcome: 'do_not_call' })
    expect(provider.placed).toEqual([])
  })

  test('each organization has its own slots', async () => {
    const full = await givenSlots(1)
    const other = await givenSlots(1)
    await full.call()

    expect(await full.call()).toMatchObject({ dispatch_state: 'pending' })
    expect(await other.call()).toMatchObject({ dispatch_state: 'dispatched' })
  })

  test('a scheduled call whose time comes while no slot is free becomes pending', async () => {
    const fixture = await givenSlots(1)
    const first = await fixture.call()
    const { id } = await fixture.call({ schedule: { earliest_at: new Date(Date.now() + 60_000).toISOString() } })
    await dispatchDue(app.services, fixture.orgId, id)
    expect(await stateOf(fixture, id)).toBe('scheduled')

    later(61)
    await dispatchDue(app.services, fixture.orgId, id)
    expect(await stateOf(fixture, id)).toBe('pending')
    await fixture.end(first.id)

    await expect.poll(() => stateOf(fixture, id)).toBe('dispatched')
  })

  test('additional slots are used at once', async () => {
    const fixture = await givenSlots(1)
    await fixture.call()
    const { id } = await fixture.call()

    await app.graphql('mutation { updateVoiceSettings(input: { concurrency: 2 }) { concurrency } }', {}, { key: fixture.key })

    await expect.poll(() => stateOf(fixture, id)).toBe('dispatched')
  })

  test('calls of a paused agent keep their place without blocking others; archiving the agent cancels them', async () => {
    const fixture = await givenSlots(1)
    const { body: second } = await app.rest('POST', agents, { key: fixture.key, body: { name: 'Second' } })
    const { id: first } = await fixture.call()
    const paused = await fixture.call()
    const other = await fixture.call({ agent_id: second.id })
    await app.rest('POST', `${agents}/${fixture.agent.id}/pause`, { key: fixture.key })

    await fixture.end(first)
    await expect.poll(() => stateOf(fixture, other.id)).toBe('dispatched')
    expect(await stateOf(fixture, paused.id)).toBe('pending')
    const secondSecret = await secretOf(app, { ...fixture, agent: second })
    expect((await report(app, secondSecret, { call_id: other.id, status: 'busy' })).status).toBe(200)
    expect(await app.rest('POST', `${agents}/${fixture.agent.id}/resume`, { key: fixture.key })).toMatchObject({
      status: 200,
      body: { status: 'active' },
    })
    await expect.poll(() => stateOf(fixture, paused.id)).toBe('dispatched')

    const waiting = await fixture.call()
    await app.rest('POST', `${agents}/${fixture.agent.id}/archive`, { key: fixture.key })
    expect(await fixture.read(waiting.id)).toMatchObject({ dispatch_state: 'canceled', status: 'canceled', ended_reason: 'agent_archived' })
  })
})

describe('locks', () => {
  const waiting = (count: number) =>
    expect
      .poll(
        async () =>
          (
            await app.services.database.pool.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rowCount,
        { timeout: 10_000 },
      )
      .toBe(count)
  const begin = async (text: string, values: unknown[]) => {
    const connection = await app.services.database.pool.connect()
    // So that this transaction is not the one that PostgreSQL ends for a deadlock.
    await connection.query(`begin; set local deadlock_timeout = '1min'`)
    await connection.query(text, values)
    return connection
  }
  const lockAccount = 'select from credit_accounts where user_id = $1 for update'

  test('a call is placed while another one to the same contact ends, without a deadlock', async () => {
    const fixture = await givenSlots(2)
    const { id, contact_id } = await fixture.call()
    const other = await begin(lockAccount, [fixture.userId])
    const deadlocks = async () =>
      (await app.services.database.pool.query('select deadlocks::int from pg_stat_database where datname = current_database()')).rows

    const before = await deadlocks()
    // Waits for the account, before it changes the contact.
    const ended = fixture.end(id)
    await waiting(1)
    // Has locked the contact, and waits for the account behind the other one.
    const placed = fixture.call()
    await waiting(2)
    await other.query('commit')
    other.release()

    expect((await ended).status).toBe(200)
    expect(await placed).toMatchObject({ contact_id, dispatch_state: 'dispatched' })
    expect(await deadlocks()).toEqual(before)
  })

  test.each([
    false,
    true,
  ])('a call that PostgreSQL stops for a deadlock is placed once all the same (Idempotency-Key: %s)', async isKeyed => {
    const fixture = await givenSlots(2)
    const { contact_id } = await fixture.call()
    const other = await begin(lockAccount, [fixture.userId])
    const before = provider.placed.length

    const placed = app.rest('POST', calls, {
      key: fixture.key,
      body: { agent_id: fixture.agent.id, to_number: number },
      ...(isKeyed && { headers: { 'Idempotency-Key': randomUUID() } }),
    })
    await waiting(1)
    // Waits for the contact, which the call holds, until that is stopped.
    await other.query('select from contacts where id = $1 for update', [contact_id])
    await other.query('commit')
    other.release()

    expect(await placed).toMatchObject({ status: 201, body: { contact_id, dispatch_state: 'dispatched' } })
    expect(provider.placed.length - before).toBe(1)
  })
})

describe('updateVoiceSettings', () => {
  test('two concurrent changes of different settings are both stored', async () => {
    const fixture = await givenSlots(1)
    const { pool } = app.services.database
    const other = await pool.connect()
    await other.query('begin')
    await other.query(`update voice_settings set calling_from = '08:00', calling_until = '20:00' where org_id = $1`, [fixture.orgId])

    const answer = app.graphql(
      'mutation { updateVoiceSettings(input: { concurrency: 2 }) { concurrency callingHours { from until } } }',
      {},
      { key: fixture.key },
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
    ['beyond its duration', async ({ report: tell, id }: { report: Report; id: string }) => tell({ call_id: id, status: 'in_progress' })],
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
