// Calls whose process died after they were stored and before they were dialled.

import { expect, test } from 'vitest'
import { startApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { givenCallFixture } from './call-fixture.ts'
import { fakeProvider } from './fake-provider.ts'

test('a call that has waited for ten seconds is dialled by a worker, one whose time has not come is not', async () => {
  const provider = fakeProvider()
  const app = await startApp({ env: { ROLES: 'api,session,worker' }, telephony: { simulator: provider } })
  const fixture = await givenCallFixture(app)
  const tomorrow = { earliest_at: new Date(Date.now() + 86_400_000).toISOString() }
  const left = await fixture.call({ schedule: tomorrow })
  const later = await fixture.call({ to_number: '+442079460000', schedule: tomorrow })

  await query(
    app.database.url,
    "update calls set dispatch_state = 'pending', dispatch_after = now() - interval '11 s', earliest_at = null where id = $1",
    [left.id],
  )

  await expect.poll(() => provider.placed.map(({ callId }) => callId), { timeout: 12_000 }).toEqual([left.id])
  expect((await fixture.read(later.id)).dispatch_state).toBe('scheduled')
  await app.close()
}, 30_000)
