// A database restored into another cluster: subscriptions deliver later events once, and no earlier ones.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { renumberRestored } from '../../../src/database/migrations/restored.ts'
import { openStream } from '../../graphql/stream.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'

const apps: TestApp[] = []
let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  await database.drop()
})

const started = async () => {
  const app = await startApp({ database })
  apps.push(app)
  return app
}
const create = (app: TestApp, key: string, email: string) => app.rest('POST', '/api/crm/v1/contacts', { body: { email }, key })
const follow = (app: TestApp, key: string) =>
  openStream(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: 'subscription { contactChanged { type contact { email } } }' }),
  })

// As after restoring a dump of a cluster that was a million transactions ahead.
const restoreFromElsewhere = async () => {
  await query(database.url, 'update events set transaction_id = transaction_id + 1000000')
  await query(database.url, `update database_cluster set system_identifier = '1'`)
}

describe('renumberRestored', () => {
  test('lets subscriptions deliver the events after a restore, and no earlier ones', async () => {
    const before = await started()
    const { key } = await before.given.apiKey()
    for (let n = 0; n < 3; n++) await create(before, key, `before-${n}@example.com`)
    await apps.pop()?.close()
    await renumberRestored(database.url)
    await restoreFromElsewhere()

    expect(await renumberRestored(database.url)).toBeGreaterThanOrEqual(3)
    const app = await started()
    const stream = await follow(app, key)
    await stream.silence(1500)
    await create(app, key, 'after@example.com')

    expect((await stream.next()).data).toEqual({
      data: { contactChanged: { type: 'CONTACT_CREATED', contact: { email: 'after@example.com' } } },
    })
    await stream.silence(1500)
    stream.leave()
  })

  test('does nothing the second time, nor in the cluster that the database was created in', async () => {
    expect(await renumberRestored(database.url)).toEqual(0)
    const app = await started()
    const { key } = await app.given.apiKey()
    await create(app, key, 'ada@example.com')

    expect(await Promise.all([1, 2, 3].map(() => renumberRestored(database.url)))).toEqual([null, null, null])
  })

  test('detects transaction ids ahead of the cluster when its identifier is the same', async () => {
    const app = await started()
    const { key } = await app.given.apiKey()
    await renumberRestored(database.url)
    await create(app, key, 'ada@example.com')
    await query(database.url, 'update events set transaction_id = transaction_id + 1000000')

    expect(await renumberRestored(database.url)).toBeGreaterThanOrEqual(1)
    expect(await query(database.url, 'select max(transaction_id)::int as highest from events')).toEqual([{ highest: 0 }])
  })
})
