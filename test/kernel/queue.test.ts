// Queue items: of several organizations, in batches, and those whose worker was killed.

import { describe, expect, test, vi } from 'vitest'
import { importItem } from '../../src/contacts/imports/import.ts'
import { mailItem } from '../../src/identity/mail.ts'
import { declaredItems, type Handler, type QueueItem } from '../../src/kernel/queue/item.ts'
import { reconcileItem } from '../../src/voice/dispatch/queue.ts'
import { reaperItem } from '../../src/voice/dispatch/reaper.ts'
import { stepItem } from '../../src/voice/providers/simulator.ts'
import { startApp } from '../support/app.ts'
import { createTestDatabase, query } from '../support/database/database.ts'

const handler = <Payload extends object>(item: QueueItem<Payload>, work: Handler<Payload>['work']): Handler<Payload> => ({ item, work })

test('a round of call-watch whose worker was killed is not a dead item, an item that does not repeat is', async () => {
  const database = await createTestDatabase()
  const before = await startApp({ database })
  const begun = async <Payload extends object>(item: QueueItem<Payload>, payload: Payload) => {
    const id = await before.services.queue.enqueue(item, payload)
    // As after a worker was killed at the last attempt.
    await query(
      database.url,
      `update pgboss.job set state = 'active', retry_count = retry_limit, started_on = now() - interval '1 hour',
         heartbeat_on = now() - interval '1 hour' where id = $1`,
      [id],
    )
    return id
  }
  const watch = await begun(reaperItem, {})
  const mail = await begun(mailItem, { to: 'ada@example.com', subject: 'Hello', text: 'Hello' })
  await before.close()

  const app = await startApp({ database, env: { ROLES: 'worker' } })
  const states = () =>
    query<{ id: string; state: string }>(database.url, 'select id, state from pgboss.job where id = any($1)', [[watch, mail]])
  await vi.waitFor(async () => expect((await states()).map(({ state }) => state)).toEqual(['failed', 'failed']), 20_000)

  expect((await app.services.queue.dead()).map(({ name }) => name)).toEqual(['mail'])
  await app.close()
  await database.drop()
}, 40_000)

test('errors of an item are no deaths: it is tried as often as its kind allows', async () => {
  const database = await createTestDatabase()
  const app = await startApp({ database, env: { ROLES: 'api' } })
  const attempts: number[] = []
  await app.services.queue.work([
    handler(reconcileItem, async ({ attempt }) => {
      attempts.push(attempt)
      throw new Error('always')
    }),
  ])
  await app.services.queue.enqueue(reconcileItem, { orgId: 'a', callId: 'b' })
  const dead = async () => {
    await query(database.url, "update pgboss.job set start_after = now() where name = 'call-reconcile' and state = 'retry'")
    return (await app.services.queue.dead()).map(({ reason }) => (reason as { message?: string }).message)
  }

  await vi.waitFor(async () => expect(await dead()).toEqual(['always']), { timeout: 50_000, interval: 500 })

  expect(attempts).toEqual([1, 2, 3, 4])
  await app.close()
  await database.drop()
}, 60_000)

describe('an item whose process dies', () => {
  // Repeating items are not reported: their next round does their work.
  const reported = () => declaredItems().filter(({ cron }) => !cron)

  /** Queues an item of each kind, whose worker dies as often as its retries allow, `deaths` times at most. */
  async function died(deaths: number) {
    const database = await createTestDatabase()
    const app = await startApp({ database, env: { ROLES: 'api' } })
    const { queue } = app.services
    for (const item of declaredItems()) await queue.enqueue(item, {} as never)
    const open = () =>
      query<{ name: string; state: string }>(
        database.url,
        "select name, state from pgboss.job where state in ('created', 'retry', 'active') and name <> 'dead'",
      )
    for (let n = 0; n < deaths; n++) {
      // As a worker leaves it that has claimed it and died.
      await query(
        database.url,
        `update pgboss.job set state = 'active', started_on = now() - interval '1 second', heartbeat_on = now() - interval '1 hour',
           retry_count = retry_count + case when started_on is null then 0 else 1 end where state in ('created', 'retry')`,
      )
      await vi.waitFor(async () => {
        await query(database.url, 'update pgboss.queue set monitor_on = null')
        await queue.work([])
        expect((await open()).filter(({ state }) => state === 'active')).toEqual([])
      }, 20_000)
    }
    await query(database.url, 'update pgboss.job set start_after = now()')
    const ran = new Set<string>()
    const given = new Set<string>()
    await queue.work(
      declaredItems().map(item => ({
        item,
        work: async () => ran.add(item.name),
        giveUp: async (_payload: unknown, reason: string) => void given.add(`${item.name}: ${reason}`),
      })),
    )
    await vi.waitFor(async () => expect(await open()).toEqual([]), 25_000)
    const dead = (await queue.dead()).map(({ name, reason }) => [name, (reason as { message?: string })?.message])
    await app.close()
    await database.drop()
    return { ran: [...ran].toSorted(), given: [...given].toSorted(), dead: dead.toSorted() }
  }

  test('once or twice runs again, whatever kind it is', async () => {
    const { ran, dead } = await died(2)

    expect(ran).toEqual(
      declaredItems()
        .filter(({ retryLimit }) => retryLimit >= 2)
        .map(({ name }) => name)
        .toSorted(),
    )
    expect(dead).toEqual([])
  }, 60_000)

  test('three times is given up, whatever kind it is and however often its own errors would be retried', async () => {
    const { ran, given, dead } = await died(3)

    const reason = 'the process that worked on it ended 3 times'
    expect(ran).toEqual([])
    expect(given).toEqual(
      reported()
        .map(({ name }) => `${name}: ${reason}`)
        .toSorted(),
    )
    expect(dead).toEqual(
      reported()
        .map(({ name }) => [name, reason])
        .toSorted(),
    )
  }, 60_000)
})

test('a start sets the queues whose settings differ, and writes no other', async () => {
  const database = await createTestDatabase()
  const startAndStop = async () => (await startApp({ database, env: { ROLES: 'api' } })).close()
  const queues = () =>
    query<{ name: string }>(database.url, 'select name, retry_limit, dead_letter, xmin::text as version from pgboss.queue order by name')
  await startAndStop()
  const before = await queues()
  await query(database.url, "update pgboss.queue set retry_limit = 99, dead_letter = null where name = 'mail'")

  await startAndStop()

  expect(await queues()).toEqual(before.map(queue => (queue.name === 'mail' ? { ...queue, version: expect.any(String) } : queue)))
  await database.drop()
}, 40_000)

test('many items of one organization leave room for an item of another', async () => {
  const app = await startApp({ env: { ROLES: 'api' } })
  const { queue } = app.services
  const begun: string[] = []
  const release = Promise.withResolvers<void>()
  await queue.work([
    handler(importItem, async ({ payload: { orgId } }) => {
      begun.push(orgId)
      if (orgId === 'flooding') await release.promise
    }),
  ])

  for (let n = 0; n < 4; n++) await queue.enqueue(importItem, { orgId: 'flooding', importId: `${n}` })
  await vi.waitFor(() => expect(begun).toEqual(['flooding']), 20_000)
  await queue.enqueue(importItem, { orgId: 'other', importId: 'a' })
  await vi.waitFor(() => expect(begun).toEqual(['flooding', 'other']), 20_000)
  release.resolve()

  await vi.waitFor(() => expect(begun).toEqual(['flooding', 'other', 'flooding', 'flooding', 'flooding']), 20_000)
  await app.close()
}, 70_000)

test('of items that are claimed together, the one that fails is tried again and the others are not', async () => {
  const app = await startApp({ env: { ROLES: 'api' } })
  const { queue } = app.services
  const ran: string[] = []
  const ids: string[] = []
  // Queued before a worker listens, so that it claims all of them.
  for (const callId of ['a', 'b', 'c']) ids.push(await queue.enqueue(stepItem, { orgId: 'one', callId, step: 0 }))

  await queue.work([
    handler(stepItem, async ({ payload: { callId }, attempt }) => {
      ran.push(`${callId} ${attempt}`)
      // With what a service outside may have said, of which PostgreSQL refuses both.
      if (callId === 'b' && attempt === 1) throw new Error('not yet: \0 \ud83e', { cause: { '\0': ['\udd16'] } })
    }),
  ])

  const states = () => query<{ state: string }>(app.database.url, 'select state from pgboss.job where id = any($1)', [ids])
  await vi.waitFor(async () => expect((await states()).map(({ state }) => state)).toEqual(Array(3).fill('completed')), 20_000)
  expect(ran.sort()).toEqual(['a 1', 'b 1', 'b 2', 'c 1'])
  await app.close()
}, 40_000)
