// How a member learns of inbox items: read and changed through every door, and what it changes.

import { describe, expect, test } from 'vitest'
import { problemsOf } from '../contacts/client.ts'
import { call, connect } from '../mcp/client.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { settled, twoPeople } from './members.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const rest = conforming(app)
const fields = 'kinds { kind inbox toast browser mail } digestHour timezone mailAddress isMailSetUp'
const read = `{ inboxPreferences { ${fields} } }`
const change = `mutation ($input: UpdateInboxPreferencesInput!) { updateInboxPreferences(input: $input) { ${fields} } }`
const kindOf = ({ kinds }: Json, kind: string) => kinds.find((one: Json) => one.kind === kind)

describe('updateInboxPreferences', () => {
  test('changes the given ways of the given kinds alone, of the caller alone', async () => {
    const { ada, grace } = await twoPeople(app)
    const before = (await grace.data(read)).inboxPreferences
    await grace.data(change, { input: { kinds: ['MENTIONED', 'CALL_ENDED'], mail: 'DAILY', toast: false } })
    await grace.data(change, { input: { kinds: ['CALL_ENDED'], mail: 'AT_ONCE', digestHour: 17 } })
    const after = (await grace.data(read)).inboxPreferences

    expect(before).toMatchObject({ digestHour: 8, timezone: 'UTC', mailAddress: `${grace.userId}@example.com`, isMailSetUp: false })
    expect(before.kinds).toHaveLength(9)
    expect(kindOf(before, 'MENTIONED')).toEqual({ kind: 'MENTIONED', inbox: true, toast: true, browser: true, mail: 'OFF' })
    expect(kindOf(before, 'REMINDER_DUE')).toMatchObject({ mail: 'AT_ONCE' })
    expect(after.digestHour).toBe(17)
    expect(kindOf(after, 'MENTIONED')).toEqual({ kind: 'MENTIONED', inbox: true, toast: false, browser: true, mail: 'DAILY' })
    expect(kindOf(after, 'CALL_ENDED')).toMatchObject({ toast: false, mail: 'AT_ONCE' })
    expect(kindOf(after, 'REMINDER_DUE')).toEqual(kindOf(before, 'REMINDER_DUE'))
    expect((await ada.data(read)).inboxPreferences.kinds).toEqual(before.kinds)
  })

  test('without kinds changes all', async () => {
    const { grace } = await twoPeople(app)
    const { updateInboxPreferences } = await grace.data(change, { input: { mail: 'OFF' } })

    expect(new Set(updateInboxPreferences.kinds.map(({ mail }: Json) => mail))).toEqual(new Set(['OFF']))
  })

  test('refuses an hour that no day has', async () => {
    const { grace } = await twoPeople(app)

    expect(problemsOf(await grace.error(change, { input: { digestHour: 24 } }))).toEqual([
      'digestHour: Value error, it is an hour of the day, from 0 to 23',
    ])
  })

  test('an item of a kind that is off in the list is done from the beginning, and is told all the same', async () => {
    const { ada, grace } = await twoPeople(app)
    await grace.data(change, { input: { kinds: ['ASSIGNED'], inbox: false } })
    await ada.create({ firstName: 'Alan', ownerUserId: grace.userId })
    await expect.poll(async () => (await grace.inbox('DONE')).length).toBe(1)

    expect(await grace.inbox()).toEqual([])
    await grace.data(change, { input: { kinds: ['ASSIGNED'], inbox: true } })
    await settled(ada, grace)
  })

  test('the time zone is the chosen one, else of a country with one time', async () => {
    const { ada, grace } = await twoPeople(app)
    const zone = async () => (await grace.data(read)).inboxPreferences.timezone
    await ada.data('mutation { setOrganizationCountry(input: { country: "DE" }) { id } }')
    const ofCountry = await zone()
    await ada.data('mutation { setOrganizationCountry(input: { country: "US" }) { id } }')
    const ofManyTimes = await zone()
    await grace.data('mutation { updatePreferences(input: { timezone: "Asia/Tokyo" }) { timezone } }')

    expect([ofCountry, ofManyTimes, await zone()]).toEqual(['Europe/Berlin', 'UTC', 'Asia/Tokyo'])
  })
})

describe('the other doors', () => {
  test('REST reads and changes', async () => {
    const { grace } = await twoPeople(app)
    const { session } = grace
    const at = '/api/crm/v1/inbox-preferences'
    const changed = await rest('PATCH', at, { session, body: { kinds: ['mentioned'], mail: 'daily', digest_hour: 7 } })

    expect(changed.body).toMatchObject({ digest_hour: 7, is_mail_set_up: false })
    expect(kindOf(changed.body, 'mentioned')).toEqual({ kind: 'mentioned', inbox: true, toast: true, browser: true, mail: 'daily' })
    expect((await rest('GET', at, { session })).body).toEqual(changed.body)
  })

  test('/mcp reads and changes', async () => {
    const { grace, orgId } = await twoPeople(app)
    const { key } = await app.given.apiKey({ orgId, userId: grace.userId, scopes: ['inbox:manage'] })
    const agent = await connect(app, key)
    const changed = await call(agent, 'update_inbox_preferences', { kinds: ['mentioned'], browser: false })

    expect(kindOf(changed, 'mentioned')).toMatchObject({ browser: false })
    expect(await call(agent, 'read_inbox_preferences')).toEqual(changed)
  })
})
