// Workers of inboxes that are killed: another one goes on, and each assignment is told once, in its order.

import { expect, test } from 'vitest'
import { startApp } from '../support/app.ts'
import { startMailServer } from '../support/servers/mail.ts'
import { workersOf } from '../support/servers/workers.ts'
import { twoPeople } from './members.ts'

test('a killed worker loses no item, and makes none twice', async () => {
  const app = await startApp()
  const { children, startWorker } = workersOf(app)
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

test('a mail whose worker is killed before the mail server has it comes, and one that it may have does not come twice', async () => {
  const server = await startMailServer()
  const app = await startApp()
  const { children, startWorker } = workersOf(app, { SMTP_URL: server.url })
  try {
    const { ada, grace } = await twoPeople(app)
    await grace.data('mutation { updateInboxPreferences(input: { kinds: [ASSIGNED], mail: AT_ONCE }) { digestHour } }')
    const signedIn = Promise.withResolvers<void>()
    let asked = 0
    server.holds.signIn = () => {
      asked++
      return signedIn.promise
    }
    let worker = await startWorker()
    await ada.create({ firstName: 'Alan', ownerUserId: grace.userId })
    await expect.poll(() => asked, { timeout: 60_000 }).toBe(1)
    worker.kill('SIGKILL')
    delete server.holds.signIn
    signedIn.resolve()
    // The mail server takes it, and does not say so before this worker is killed too.
    server.holds.taken = () => new Promise(() => {})
    worker = await startWorker()
    await expect.poll(() => server.mails.length, { timeout: 90_000 }).toBe(1)
    worker.kill('SIGKILL')
    delete server.holds.taken
    await startWorker()
    const waiting = async () => {
      const { rows } = await app.services.database.pool.query(`select 1 from pgboss.job where name = 'mail' and state <> 'completed'`)
      return rows.length
    }
    await expect.poll(waiting, { timeout: 90_000 }).toBe(0)

    expect(server.mails.map(({ to }) => to)).toEqual([`${grace.userId}@example.com`])
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await app.close()
    await server.close()
  }
}, 300_000)
