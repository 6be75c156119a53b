// The time zone of contacts without one, until somebody sets it: of the country of the organization.

import { expect, test } from 'vitest'
import { clientWith } from '../../contacts/client.ts'
import { openApp } from '../../support/app.ts'
import { agents, calls } from '../call-fixture.ts'

// Monday, 8:30 in Berlin, 7:30 in London.
const morning = new Date('2026-11-30T07:30:00Z')
const app = await openApp()

async function givenOwner() {
  const { session, orgId } = await app.given.session()
  const { data } = clientWith(app, { session, orgId })
  return {
    session,
    orgId,
    data,
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
