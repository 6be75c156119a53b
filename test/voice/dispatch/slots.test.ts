// Slots: how many calls are dialled at once, in which order, and the locks of a pass.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dispatchDue } from '../../../src/voice/dispatch/dispatch.ts'
import { query } from '../../support/database/database.ts'
import { agents, calls, number } from '../call-fixture.ts'
import { providerIdOf } from '../fake-provider.ts'
import { report, secretOf } from '../report.ts'
import { openDispatching } from './given.ts'

const { provider, app, later, ofDay, givenSlots, holdPasses, waitingPasses, stored, stateOf } = await openDispatching()

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
