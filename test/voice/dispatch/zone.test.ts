// The time zone of contacts without one, until somebody sets it: of the country of the organization.

import { describe, expect, test } from 'vitest'
import { clientWith } from '../../contacts/client.ts'
import { openApp } from '../../support/app.ts'
import { agents, calls } from '../call-fixture.ts'

// Monday, 8:30 in Berlin, 7:30 in London.
const morning = new Date('2026-11-30T07:30:00Z')
const app = await openApp()

async function givenOwner() {
  const { session, orgId } = await app.given.session()
  const { data, ask } = clientWith(app, { session, orgId })
  return {
    session,
    orgId,
    data,
    ask,
    country: (code: string) => data(`mutation { setOrganizationCountry(input: { country: "${code}" }) { id } }`),
    zone: async () => (await data('{ voiceSettings { defaultTimezone } }')).voiceSettings.defaultTimezone,
    set: (input: string) => data(`mutation { updateVoiceSettings(input: ${input}) { defaultTimezone } }`),
  }
}

test('it follows the country while there is one time in it, until settings are made', async () => {
  const { country, zone, set } = await givenOwner()
  const before = await zone()
  await country('DE')
  const german = await zone()
  await country('US')
  const american = await zone()
  await country('JP')
  const { updateVoiceSettings: made } = await set('{ concurrency: 3 }')
  await country('DE')

  expect([before, german, american, made.defaultTimezone, await zone()]).toEqual([
    'UTC',
    'Europe/Berlin',
    'UTC',
    'Asia/Tokyo',
    'Asia/Tokyo',
  ])
  expect((await set('{ defaultTimezone: "UTC" }')).updateVoiceSettings.defaultTimezone).toBe('UTC')
  expect(await zone()).toBe('UTC')
})

test('calling hours count in it', async () => {
  const { country, set, session, orgId } = await givenOwner()
  await country('DE')
  await set('{ callingHours: { from: "08:00", until: "18:00" } }')
  const caller = { session, headers: { 'X-Org-Id': orgId } }
  const { body: agent } = await app.rest('POST', agents, { ...caller, body: { name: 'Desk' } })
  await expect.poll(async () => (await app.rest('GET', `${agents}/${agent.id}`, caller)).body.status).toBe('active')
  app.setNow(morning)
  const { body } = await app.rest('POST', calls, { ...caller, body: { agent_id: agent.id, to_number: '+442079460958' } })

  expect(body.dispatch_state).not.toBe('scheduled')
})

describe('a call outside of calling hours', () => {
  const day = new Date('2026-11-30T12:00:00Z')
  const held = async (order: Record<string, unknown> = {}) => {
    const { set, data, ask, session, orgId } = await givenOwner()
    const caller = { session, headers: { 'X-Org-Id': orgId } }
    const { body: agent } = await app.rest('POST', agents, { ...caller, body: { name: 'Desk' } })
    await expect.poll(async () => (await app.rest('GET', `${agents}/${agent.id}`, caller)).body.status).toBe('active')
    await set('{ callingHours: { from: "14:00", until: "18:00" }, defaultTimezone: "Europe/Berlin" }')
    app.setNow(day)
    const { body } = await app.rest('POST', calls, { ...caller, body: { agent_id: agent.id, to_number: '+442079460958', ...order } })
    const read = async () => (await data(`{ call(id: "${body.id}") { dispatchState wait { until reason timezone } } }`)).call
    return { set, read, ask, agentId: agent.id }
  }

  test('says until when it waits, why, and in which zone', async () => {
    const { read } = await held()

    expect(await read()).toEqual({
      dispatchState: 'SCHEDULED',
      wait: { until: '2026-11-30T13:00:00.000Z', reason: 'CALLING_HOURS', timezone: 'Europe/Berlin' },
    })
  })

  test('waits for its own time without a word of hours where these are open then', async () => {
    const { read } = await held({ schedule: { earliest_at: '2026-11-30T15:00:00Z' } })

    expect(await read()).toEqual({
      dispatchState: 'SCHEDULED',
      wait: { until: '2026-11-30T15:00:00.000Z', reason: 'SCHEDULE', timezone: 'Europe/Berlin' },
    })
  })

  test('is decided again when the hours change: it rings at once, or waits for the new ones', async () => {
    const { read, set } = await held()
    await set('{ callingHours: { from: "16:00", until: "18:00" } }')
    await expect.poll(async () => (await read()).wait?.until).toBe('2026-11-30T15:00:00.000Z')

    await set('{ callingHours: null }')
    await expect.poll(async () => (await read()).dispatchState).toBe('DISPATCHED')
    expect((await read()).wait).toBeNull()
  })

  test('is tried with the zone of its hours', async () => {
    const { ask, agentId } = await held()
    const { extensions } = await ask(
      `mutation { createCall(dryRun: true, input: { voiceAgentId: "${agentId}", toNumber: "+442079460958" }) { id } }`,
    )

    expect(extensions.dryRun.policy).toEqual({
      ...{ isAllowed: true, at: '2026-11-30T13:00:00.000Z', reason: 'calling_hours', timezone: 'Europe/Berlin' },
    })
  })
})
