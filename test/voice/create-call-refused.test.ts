// POST /api/voice/v1/calls: requests that are refused.

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { conforming } from '../rest/conforming.ts'
import { openApp, startApp } from '../support/app.ts'
import { agents, calls, givenCallFixture, number } from './call-fixture.ts'
import { fakeProvider } from './fake-provider.ts'

const provider = fakeProvider()
const app = await openApp({ telephony: { simulator: provider } })
const rest = conforming(app)

beforeEach(() => {
  provider.answer = fakeProvider().answer
})

const fixture = (fields: object = {}) => givenCallFixture({ rest, given: app.given }, fields)

describe('401, 402, 403, 409', () => {
  test('401 without a key', async () => {
    expect((await rest('POST', calls, { body: { agent_id: randomUUID(), to_number: number } })).status).toBe(401)
  })

  test('403 for a key with calls:read alone, and for guests', async () => {
    const { orgId } = await fixture()
    const { key } = await app.given.apiKey({ orgId, scopes: ['calls:read', 'agents:write'] })

    expect((await rest('POST', calls, { key, body: {} })).status).toBe(403)
    expect((await rest('POST', calls, { headers: { 'X-Guest-ID': 'guest' }, body: {} })).body.code).toBe('guest_read_only')
  })

  test('402 without credits for the longest possible call; otherwise they are held', async () => {
    const priced = await startApp({
      env: { VOICE_PRICE_PER_MINUTE: '10', CREDITS_NEW_USER_GRANT: '100' },
      telephony: { simulator: provider },
    })
    const { key, agent, call } = await givenCallFixture(priced)
    const before = provider.placed.length

    const { status, body } = await priced.rest('POST', calls, {
      key,
      body: { agent_id: agent.id, to_number: number, max_duration_seconds: 7200 },
    })
    const held = await call({ max_duration_seconds: 300 })

    expect([status, body]).toMatchObject([402, { code: 'insufficient_credits', required: 1200, available: 100, shortfall: 1100 }])
    expect(held).toMatchObject({ credits_reserved: 50, credits_charged: null })
    expect(provider.placed.length - before).toBe(1)
    const { rows } = await priced.services.database.pool.query('select count(*)::int as calls from calls')
    expect(rows).toEqual([{ calls: 1 }])
    await priced.close()
  })

  test.each([
    ['a draft', { draft: true }, null, 'draft'],
    ['a paused agent', {}, 'pause', 'paused'],
    ['an archived agent', {}, 'archive', 'archived'],
  ])('409 for %s', async (_name, fields, act, current) => {
    const { key, agent } = await fixture(fields)
    if (act) await rest('POST', `${agents}/${agent.id}/${act}`, { key })
    const before = provider.placed.length

    const { status, body } = await rest('POST', calls, { key, body: { agent_id: agent.id, to_number: number } })

    expect([status, body.code, body.status, body.current_status]).toEqual([409, 'agent_not_active', 409, current])
    expect(provider.placed.length).toBe(before)
  })
})

describe('422', () => {
  const detailsOf = async (key: string, body: unknown) => {
    const answer = await rest('POST', calls, { key, body })
    expect(answer.status).toBe(422)
    return answer.body.detail
  }

  test('for an unknown agent, and one of another organization', async () => {
    const { key } = await fixture()
    const { agent: foreign } = await fixture()

    for (const agent_id of [randomUUID(), foreign.id, 'no-uuid', ''])
      expect(await detailsOf(key, { agent_id, to_number: number })).toMatchObject([
        { loc: ['body', 'agent_id'], type: 'value_error', input: agent_id, ctx: { error: 'there is no voice agent with this id' } },
      ])
  })

  test('for a missing agent_id or to_number', async () => {
    const { key } = await fixture()

    expect(await detailsOf(key, {})).toEqual([
      { loc: ['body', 'agent_id'], msg: 'Field required', type: 'missing', input: {}, ctx: {} },
      { loc: ['body', 'to_number'], msg: 'Field required', type: 'missing', input: {}, ctx: {} },
    ])
  })

  test.each([
    '123',
    '+0123456789',
    '+1 555 0100',
    '0044207946',
    '+',
    '+123456',
    '+1234567890123456',
    '+44207946095a',
    '',
  ])('for to_number %j, which is not E.164', async to_number => {
    const { key, agent } = await fixture()

    expect(await detailsOf(key, { agent_id: agent.id, to_number })).toMatchObject([
      { loc: ['body', 'to_number'], type: 'string_pattern_mismatch', input: to_number, ctx: { pattern: '^\\+[1-9]\\d{6,14}$' } },
    ])
  })

  test.each([
    [{ max_duration_seconds: 29 }, ['max_duration_seconds'], 'greater_than_equal'],
    [{ max_duration_seconds: 7201 }, ['max_duration_seconds'], 'less_than_equal'],
    [{ max_duration_seconds: 60.5 }, ['max_duration_seconds'], 'int_from_float'],
    [{ ring_timeout_seconds: 4 }, ['ring_timeout_seconds'], 'greater_than_equal'],
    [{ ring_timeout_seconds: 121 }, ['ring_timeout_seconds'], 'less_than_equal'],
    [{ from_number: '5550100' }, ['from_number'], 'string_pattern_mismatch'],
    [{ contact_id: randomUUID() }, ['contact_id'], 'value_error'],
    [{ voicemail: { action: 'leave_message' } }, ['voicemail', 'message'], 'value_error'],
    [{ voicemail: { action: 'sing' } }, ['voicemail', 'action'], 'enum'],
    [{ schedule: { latest_at: '2020-01-01T00:00:00Z' } }, ['schedule', 'latest_at'], 'value_error'],
    [{ schedule: { earliest_at: 'tomorrow' } }, ['schedule', 'earliest_at'], 'datetime_parsing'],
    [{ variables: [] }, ['variables'], 'dict_type'],
    [{ variables: { long: 'x'.repeat(17_000) } }, ['variables'], 'value_error'],
    [{ record: 'yes' }, ['record'], 'bool_type'],
    [{ status: 'completed' }, ['status'], 'extra_forbidden'],
    [{ override_calling_hours: true }, ['override_calling_hours'], 'extra_forbidden'],
  ])('%j', async (fields, path, type) => {
    const { key, agent } = await fixture()

    expect(await detailsOf(key, { agent_id: agent.id, to_number: number, ...fields })).toMatchObject([{ loc: ['body', ...path], type }])
  })

  test('for a latest_at before earliest_at', async () => {
    const { key, agent } = await fixture()
    const [early, late] = [1, 2].map(hours => new Date(Date.now() + hours * 3_600_000).toISOString())

    expect(
      await detailsOf(key, { agent_id: agent.id, to_number: number, schedule: { earliest_at: late, latest_at: early } }),
    ).toMatchObject([{ loc: ['body', 'schedule', 'latest_at'], type: 'value_error' }])
  })
})
