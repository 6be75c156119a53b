// An archive whose worker is killed. Another worker finds its item after a minute.

import { expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { workersOf } from '../../support/servers/workers.ts'
import { archivesOf, create, latest, rowsOf } from './opened.ts'

test('a killed process ends with one archive, which is whole', async () => {
  const server = await startApp({ env: { ROLES: 'web,api,session' } })
  const { children, startWorker } = workersOf(server)
  const { asks, ready, opened } = archivesOf(server)
  try {
    const { session, orgId } = await server.given.session()
    const { prisma } = server.services.database
    const rows = 60_000
    await server.services.database.pool.query(
      `insert into contacts (id, org_id, email, source, created_by_type)
       select gen_random_uuid(), $1, 'many-' || n || '@example.com', 'api', 'user' from generate_series(1, ${rows}) n`,
      [orgId],
    )
    const worker = await startWorker()
    await asks(session, create)
    await expect.poll(() => prisma.upload.count({ where: { orgId } }), { timeout: 20_000, interval: 5 }).toBe(1)
    worker.kill('SIGKILL')
    expect((await asks(session, latest)).archive.status).toBe('RUNNING')
    await startWorker()

    await ready(session, 90_000)
    expect(rowsOf((await opened(session))['contacts.csv'])).toHaveLength(rows)
    expect([await prisma.archive.count({ where: { orgId } }), await prisma.upload.count({ where: { orgId } })]).toEqual([1, 1])
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await server.close()
  }
}, 150_000)
