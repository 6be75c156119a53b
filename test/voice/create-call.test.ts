// POST /api/voice/v1/calls

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { dialsSettled, dispatch } from '../../src/voice/dispatch/dispatch.ts'
import { conforming } from '../rest/conforming.ts'
import { openApp } from '../support/app.ts'
import { agents, calls, givenCallFixture, number } from './call-fixture.ts'
import { fakeProvider, providerIdOf } from './fake-provider.ts'

const provider = fakeProvider()
const app = await openApp({ telephony: { simulator: provider } })
/** Waits 50 ms for a provider. */
const hasty = await openApp({ env: { VOICE_DISPATCH_WAIT_MS: '50' }, database: app.database, telephony: { simulator: provider } })
const rest = conforming(app)

beforeEach(() => {
  provider.answer = fakeProvider().answer
})

const fixture = (fields: object = {}) => givenCallFixture({ rest, given: app.given }, fields)
// The clock stands still until all dials have ended.
const dispatchedLater = async (seconds: number, orgId: string) => {
  app.setNow(new Date(Date.now() + seconds * 1000))
  await dispatch(app.services, orgId)
  await dialsSettled(app.services, 20_000)
  app.setNow(null)
}
const placedFor = (id: string) => provider.placed.filter(order => order.callId === id)

describe('201', () => {
  test('the provider has accepted the call, and the answer has every documented property', async () => {
    const { key, agent, orgId } = await fixture({ phone_number: '+15550100001', instructions: 'Be brief.' })

    const { status, body, headers } = await rest('POST', calls, { key, body: { agent_id: agent.id, to_number: number } })

    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${calls}/${body.id}`)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      agent_id: agent.id,
      contact_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      direction: 'outbound',
      dispatch_state: 'dispatched',
      status: 'queued',
      outcome: '',
      from_number: '+15550100001',
      to_number: number,
      provider_call_id: providerIdOf(body.id),
      recording_url: '',
      transcript: [],
      extracted: {},
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      org_id: orgId,
      agent_version: 1,
      provider: 'simulator',
      answered_by: null,
      answered_at: null,
      ended_at: null,
      duration_seconds: null,
      ended_reason: null,
      provider_reason: null,
      summary: null,
      variables: {},
      metadata: {},
      schedule: { earliest_at: null, latest_at: null },
      max_duration_seconds: 600,
      ring_timeout_seconds: 30,
      record: true,
      voicemail: { action: 'hang_up', message: null },
      credits_reserved: 0,
      credits_charged: null,
      version: 3,
      is_trial: false,
      deal_id: null,
    })
    expect(Object.keys(body).slice(0, 15)).toEqual([
      ...['id', 'agent_id', 'contact_id', 'direction', 'dispatch_state', 'status', 'outcome', 'from_number', 'to_number'],
      ...['provider_call_id', 'recording_url', 'transcript', 'extracted', 'created_at', 'updated_at'],
    ])
  })

  test('every option of the input reaches the provider, with the id of the call', async () => {
    const { call, agent } = await fixture({ instructions: 'Be brief.', first_message: 'Hello.', phone_number: '+15550100002' })
    const asked = {
      variables: { first_name: 'Ada', tickets: [1, 2] },
      metadata: { campaign: 'spring' },
      max_duration_seconds: 60,
      ring_timeout_seconds: 15,
      record: false,
      voicemail: { action: 'leave_message', message: 'Please call back.' },
    }

    const { id, contact_id } = await call(asked)

    expect(placedFor(id)).toMatchObject([
      {
        callId: id,
        contactId: contact_id,
        toNumber: number,
        fromNumber: '+15550100002',
        variables: asked.variables,
        metadata: asked.metadata,
        maxDurationSeconds: 60,
        ringTimeoutSeconds: 15,
        record: false,
        voicemail: asked.voicemail,
        agent: { id: agent.id, version: 1, instructions: 'Be brief.', firstMessage: 'Hello.' },
      },
    ])
  })

  test('the mutation answers the variables that it was given', async () => {
    const { key, agent } = await fixture()
    const input = { voiceAgentId: agent.id, toNumber: number, variables: { first_name: 'Ada' } }
    const document = `mutation ($input: CreateCallInput!) {
      createCall(input: $input) { dispatchState variables extracted transcript { text } }
    }`

    const { body } = await app.graphql(document, { input }, { key })

    expect(body.data.createCall).toEqual({ dispatchState: 'DISPATCHED', variables: input.variables, extracted: {}, transcript: [] })
  })

  test('with a provider slower than VOICE_DISPATCH_WAIT_MS the answer is pending, and the dial goes on', async () => {
    const { call, read } = await givenCallFixture(hasty)
    const { promise: hold, resolve: letGo } = Promise.withResolvers<void>()
    provider.answer = async ({ callId }) => {
      await hold
      return { kind: 'accepted', providerCallId: providerIdOf(callId) }
    }

    const slow = await call()
    await expect.poll(async () => (await read(slow.id)).dispatch_state).toBe('dispatching')
    letGo()

    expect(slow).toMatchObject({ dispatch_state: 'pending', provider_call_id: '', status: 'queued' })
    await expect.poll(async () => (await read(slow.id)).dispatch_state).toBe('dispatched')
    expect(placedFor(slow.id)).toHaveLength(1)
  })

  test('the contact with the number is linked; without one, concurrent calls create one together', async () => {
    const { key, call } = await fixture()
    const { body: known } = await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com', phone: number } })

    const linked = await call()
    const made = await Promise.all([1, 2, 3].map(() => call({ to_number: '+442079460959' })))

    expect(linked.contact_id).toBe(known.id)
    const ids = new Set(made.map(({ contact_id }) => contact_id))
    expect(ids.size).toBe(1)
    const { body: contact } = await rest('GET', `/api/crm/v1/contacts/${[...ids][0]}`, { key })
    expect(contact).toMatchObject({ phone: '+442079460959', source: 'voice', email: null })
  })

  test('of calls that are requested at once some are refused, and the others placed', async () => {
    const { key, agent } = await fixture()
    const paused = (await rest('POST', agents, { key, body: { name: 'Paused' } })).body
    await rest('POST', `${agents}/${paused.id}/pause`, { key })
    const bodies = [
      { agent_id: agent.id, to_number: '+15550100101' },
      { agent_id: randomUUID(), to_number: '+15550100102' },
      { agent_id: agent.id, to_number: '+15550100103', contact_id: randomUUID() },
      { agent_id: paused.id, to_number: '+15550100104' },
      { agent_id: agent.id, to_number: '+15550100105', variables: { name: 'a\u0000b' } },
      { agent_id: agent.id, to_number: '+15550100106' },
    ]

    const answers = await Promise.all(bodies.map(body => rest('POST', calls, { key, body })))

    expect(answers.map(({ status }) => status)).toEqual([201, 422, 422, 409, 422, 201])
    const { data } = (await rest('GET', calls, { key })).body
    expect(data.map((call: { to_number: string }) => call.to_number).toSorted()).toEqual(['+15550100101', '+15550100106'])
  })

  test('the contact of contact_id is linked, also if it has another number', async () => {
    const { key, call } = await fixture()
    const { body: contact } = await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com' } })

    expect(await call({ contact_id: contact.id })).toMatchObject({ contact_id: contact.id })
  })

  test('a call with earliest_at is scheduled, and dialled at that time', async () => {
    const { call, read } = await fixture()
    const earliest = new Date(Date.now() + 60_000).toISOString()

    const { id, ...scheduled } = await call({ schedule: { earliest_at: earliest } })

    expect(scheduled).toMatchObject({
      dispatch_state: 'scheduled',
      provider_call_id: '',
      schedule: { earliest_at: earliest, latest_at: null },
    })
    expect(placedFor(id)).toEqual([])
    await dispatchedLater(61, scheduled.org_id)
    expect(await read(id)).toMatchObject({ dispatch_state: 'dispatched' })
    expect(placedFor(id)).toHaveLength(1)
  })

  test('the timeline of the contact has the call', async () => {
    const { key, call } = await fixture()
    const { id, contact_id } = await call()

    const { body } = await rest('GET', `/api/crm/v1/contacts/${contact_id}/timeline`, { key })

    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['call.created', 'contact.created'])
    expect(body.data[0]).toMatchObject({
      actor: { type: 'api_key' },
      door: 'rest',
      operation: 'CreateCall',
      changes: { to_number: number },
    })
    expect(id).toBeTruthy()
  })
})

describe('a blocked call is never dialled', () => {
  const blocked = { dispatch_state: 'blocked', status: 'canceled', outcome: 'do_not_call', provider_call_id: '' }

  test('for the number of a contact with do_not_call, also for another contact_id, and after that contact is deleted', async () => {
    const { key, call } = await fixture()
    const { body: shy } = await rest('POST', '/api/crm/v1/contacts', {
      key,
      body: { email: 'shy@example.com', phone: number, do_not_call: true },
    })
    const { body: other } = await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'other@example.com' } })

    const first = await call()
    const second = await call({ contact_id: other.id })
    await rest('DELETE', `/api/crm/v1/contacts/${shy.id}`, { key })
    const third = await call()

    for (const one of [first, second, third]) expect(one).toMatchObject({ ...blocked, ended_reason: 'do_not_call' })
    expect([first, second, third].flatMap(({ id }) => placedFor(id))).toEqual([])
    expect(first.contact_id).toBe(shy.id)
  })

  test("for a number on the organization's deny list, and not for other organizations", async () => {
    const { key, call } = await fixture()
    const other = await fixture()
    const { body } = await app.graphql(
      `mutation { denyNumber(input: { phone: "${number}", reason: "asked us" }) { phone reason } }`,
      {},
      { key },
    )
    expect(body.data.denyNumber).toEqual({ phone: number, reason: 'asked us' })

    expect(await call()).toMatchObject({ ...blocked, ended_reason: 'denied_number', contact_id: '' })
    expect(await other.call()).toMatchObject({ dispatch_state: 'dispatched' })
    await app.graphql(`mutation { allowNumber(input: { phone: "${number}" }) { id } }`, {}, { key })
    expect(await call()).toMatchObject({ dispatch_state: 'dispatched' })
  })

  test('for a contact whose do_not_call was set while the call was waiting', async () => {
    const { key, call, read, orgId } = await fixture()
    const { body: contact } = await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'a@example.com', phone: number } })
    const { id } = await call({ schedule: { earliest_at: new Date(Date.now() + 60_000).toISOString() } })
    await rest('PATCH', `/api/crm/v1/contacts/${contact.id}`, { key, body: { do_not_call: true } })

    await dispatchedLater(61, orgId)

    expect(await read(id)).toMatchObject({ ...blocked, ended_reason: 'do_not_call' })
    expect(placedFor(id)).toEqual([])
  })
})

describe('calling hours', () => {
  const settings = (key: string, input: string) =>
    app.graphql(`mutation { updateVoiceSettings(input: ${input}) { concurrency } }`, {}, { key })

  test("outside of them, in the contact's time zone, the call is scheduled for the next opening", async () => {
    const { key, call } = await fixture()
    await settings(key, '{ callingHours: { from: "09:00", until: "17:00", days: [1, 2, 3, 4, 5] } }')
    await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'a@example.com', phone: number, timezone: 'Asia/Tokyo' } })
    // A Friday, 09:30 in London: 18:30 in Tokyo.
    app.setNow(new Date('2026-06-05T08:30:00.000Z'))

    const evening = await call()
    const morning = await call({ to_number: '+442079460000' })
    app.setNow(null)

    expect(evening).toMatchObject({ dispatch_state: 'scheduled', provider_call_id: '' })
    // Contacts without a time zone have the default one, UTC: 08:30 is too early by half an hour.
    expect(morning).toMatchObject({ dispatch_state: 'scheduled' })
    const { rows } = await app.services.database.pool.query('select dispatch_after from calls where id = any($1::uuid[]) order by id', [
      [evening.id, morning.id],
    ])
    expect(rows.map(row => row.dispatch_after.toISOString())).toEqual(['2026-06-08T00:00:00.000Z', '2026-06-05T09:00:00.000Z'])
  })

  test('a call whose next opening is after its latest_at is blocked', async () => {
    const { key, call } = await fixture()
    await settings(key, '{ callingHours: { from: "09:00", until: "10:00" } }')
    app.setNow(new Date('2026-06-05T11:00:00.000Z'))

    const late = await call({ schedule: { latest_at: '2026-06-05T20:00:00Z' } })
    app.setNow(null)

    expect(late).toMatchObject({ dispatch_state: 'blocked', status: 'canceled', outcome: 'failed', ended_reason: 'calling_hours' })
  })
})

describe('Idempotency-Key', () => {
  test('a retry has the first answer, and places no second call', async () => {
    const { key, agent } = await fixture()
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { agent_id: agent.id, to_number: number }

    const first = await rest('POST', calls, { key, body, headers })
    const second = await rest('POST', calls, { key, body, headers })

    expect(first.body).toMatchObject({ dispatch_state: 'dispatched', provider_call_id: providerIdOf(first.body.id) })
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(placedFor(first.body.id)).toHaveLength(1)
  })

  test('of twenty concurrent requests with one key one places a call; the others get its answer or 409', async () => {
    const { key, agent } = await fixture()
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { agent_id: agent.id, to_number: number }
    provider.answer = async ({ callId }) => {
      await new Promise(resolve => setTimeout(resolve, 100))
      return { kind: 'accepted', providerCallId: providerIdOf(callId) }
    }
    const before = provider.placed.length

    const answers = await Promise.all(Array.from({ length: 20 }, () => rest('POST', calls, { key, body, headers })))
    const last = await rest('POST', calls, { key, body, headers })

    const created = answers.filter(({ status }) => status === 201)
    expect(new Set([...created, last].map(answer => JSON.stringify(answer.body))).size).toBe(1)
    expect(
      answers.filter(({ status }) => status !== 201).every(({ status, body }) => status === 409 && body.code === 'idempotency_in_flight'),
    ).toBe(true)
    expect(provider.placed.length - before).toBe(1)
    expect(last.body.dispatch_state).toBe('dispatched')
  })

  test('422 for another input, which is not dialled', async () => {
    const { key, agent } = await fixture()
    const headers = { 'Idempotency-Key': randomUUID() }
    await rest('POST', calls, { key, body: { agent_id: agent.id, to_number: number }, headers })
    const before = provider.placed.length

    const { status, body } = await rest('POST', calls, { key, body: { agent_id: agent.id, to_number: '+442079460000' }, headers })

    expect([status, body.detail[0].loc]).toEqual([422, ['header', 'Idempotency-Key']])
    expect(provider.placed.length).toBe(before)
  })

  test('a retry gets the pending answer of a request whose provider was slow', async () => {
    const { key, agent } = await givenCallFixture(hasty)
    const headers = { 'Idempotency-Key': randomUUID() }
    const { promise: never } = Promise.withResolvers<never>()
    provider.answer = () => never
    const body = { agent_id: agent.id, to_number: number }
    const first = await hasty.rest('POST', calls, { key, body, headers })
    expect(first.body.dispatch_state).toBe('pending')

    const again = await hasty.rest('POST', calls, { key, body, headers })

    expect([again.status, again.body]).toEqual([201, first.body])
  })
})
