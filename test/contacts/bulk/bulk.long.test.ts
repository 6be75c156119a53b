// Bulk changes of a process that is killed.

import { expect, test } from 'vitest'
import { type Json, startApp } from '../../support/app.ts'
import { workersOf } from '../../support/servers/workers.ts'

test('a killed process: another one goes on, and every contact is changed once', async () => {
  const server = await startApp()
  const { session, orgId } = await server.given.session()
  const { children, startWorker } = workersOf(server)
  const ask = async (text: string): Promise<Json> => (await server.graphql(text, {}, { session })).body.data
  try {
    await server.services.database.pool.query(
      `insert into contacts (id, org_id, email, full_name, lifecycle_stage, source, search_text, created_by_type, created_at, updated_at)
       select gen_random_uuid(), $1, 'c' || n || '@example.com', 'C ' || n, 'lead', 'api', '', 'system', now() - interval '1 hour', now() from generate_series(1, 20000) n`,
      [orgId],
    )
    const first = await startWorker()
    const { updateContactsInBulk: change } = await ask(
      'mutation { updateContactsInBulk(input: { filter: {}, addTags: ["x"] }) { id total } }',
    )
    const read = async () => (await ask(`{ contactBulkChange(id: "${change.id}") { status changedCount } }`)).contactBulkChange
    await expect.poll(async () => (await read()).changedCount, { timeout: 60_000, interval: 10 }).toBeGreaterThan(1000)

    first.kill('SIGKILL')
    const interrupted = await read()
    await startWorker()

    expect(change.total).toBe(20_000)
    expect(interrupted.status).toBe('RUNNING')
    await expect.poll(async () => (await read()).status, { timeout: 120_000, interval: 200 }).toBe('COMPLETED')
    expect(await read()).toEqual({ status: 'COMPLETED', changedCount: 20_000 })
    const { rows } = await server.services.database.pool.query(
      `select min(version) as least, max(version) as most,
         (select count(*)::int from events where org_id = $1 and type = 'contact.updated') as events,
         (select count(*)::int from contact_bulk_reversals where change_id = $2) as reversals
       from contacts where org_id = $1 and tags = '{x}'`,
      [orgId, change.id],
    )
    expect(rows).toEqual([{ least: 2, most: 2, events: 20_000, reversals: 20_000 }])
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await server.close()
  }
}, 240_000)
