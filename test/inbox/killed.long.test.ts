// Workers of inboxes that are killed: another one goes on, and each assignment is told once, in its order.

import { type ChildProcess, spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { hookToken, serviceToken, startApp } from '../support/app.ts'
import { twoPeople } from './members.ts'

test('a killed worker loses no item, and makes none twice', async () => {
  const app = await startApp()
  const children: ChildProcess[] = []
  const startWorker = async () => {
    const secrets = { SVC_SERVICES_TOKEN: serviceToken, HOOKS_TOKEN: hookToken, IDENTITY_SECRET: 'test-identity-secret-0123456789abcdef' }
    const settings = { NODE_ENV: 'test', PORT: '0', ROLES: 'worker', LOG_LEVEL: 'silent', DATABASE_URL: app.database.url, ...secrets }
    const child = spawn(process.execPath, ['src/main.ts'], { env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    await new Promise<void>(resolve => child.stdout.once('data', () => resolve()))
    return child
  }
  try {
    const { ada, grace, orgId } = await twoPeople(app)
    let worker = await startWorker()
    let written = 0
    let isOver = false
    const writing = (async () => {
      for (; !isOver; written++) await ada.create({ firstName: String(written), ownerUserId: grace.userId })
    })()
    const told = () => app.services.database.prisma.inboxItem.count({ where: { orgId } })
    for (let kills = 0; kills < 3; kills++) {
      const before = await told()
      await expect.poll(told, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before)
      worker.kill('SIGKILL')
      worker = await startWorker()
    }
    isOver = true
    await writing
    await expect.poll(told, { timeout: 60_000 }).toBe(written)

    const { rows } = await app.services.database.pool.query(
      `select count(distinct subject_id)::int as subjects, (select count(*)::int from events where org_id = $1 and type = 'inbox_item.created') as events,
         array_agg(c.first_name order by i.id) as names
       from inbox_items i join contacts c on c.id = i.contact_id where i.org_id = $1`,
      [orgId],
    )
    expect(rows).toEqual([{ subjects: written, events: written, names: Array.from({ length: written }, (_, n) => String(n)) }])
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await app.close()
  }
}, 240_000)
