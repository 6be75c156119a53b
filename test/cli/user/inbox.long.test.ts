// `rolocom inbox`: the items of the member who made the key.

import { afterAll, expect, test } from 'vitest'
import { twoPeople } from '../../inbox/members.ts'
import { startApp } from '../../support/app.ts'
import { newUser } from './rolocom.ts'

const app = await startApp({ env: { ROLES: 'web,api,session,worker' } })
const { ada, grace, orgId } = await twoPeople(app)
const { key } = await app.given.apiKey({ orgId, userId: grace.userId, scopes: ['inbox:manage'] })
const user = newUser({ ROLOCOM_URL: app.url, ROLOCOM_API_KEY: key })
afterAll(async () => {
  user.leave()
  await app.close()
})
const json = async (...words: string[]) => {
  const { out, err } = await user.run(['inbox', ...words])
  return out === '' ? err : JSON.parse(out)
}

test('lists, snoozes, reopens and finishes', async () => {
  for (const firstName of ['A', 'B']) await ada.create({ firstName, ownerUserId: grace.userId })
  const [newest] = await grace.receives(2)

  expect((await json('list')).map(({ kind }: { kind: string }) => kind)).toEqual(['assigned', 'assigned'])
  expect(await json('snooze', newest?.id, '--until', '2027-01-01T08:00:00Z')).toMatchObject({ state: 'snoozed' })
  expect(await json('list', '--state', 'snoozed')).toMatchObject([{ id: newest?.id }])
  expect(await json('reopen', newest?.id)).toMatchObject({ state: 'open', snoozed_until: null })
  expect(await json('done', newest?.id, '--dry-run')).toMatchObject({ dry_run: true })
  expect(await json('done', newest?.id)).toMatchObject({ state: 'done' })
  expect(await json('clear')).toEqual({ finished: 1 })
  expect(await json('list')).toEqual([])
})

test('shows and changes how the member learns of items', async () => {
  const changed = await json('preferences', '--kind', 'mentioned', '--mail', 'daily', '--toast', 'off', '--hour', '9')

  expect(changed).toMatchObject({ digest_hour: 9 })
  expect(changed.kinds).toContainEqual({ kind: 'mentioned', inbox: true, toast: false, browser: true, mail: 'daily' })
  expect(await json('preferences')).toEqual(changed)
})
