// Deliveries are partitioned by week, by the time that their ids begin with: each is in its own, none is refused, and those past their
// retention are dropped by partition, except where one is not sent yet.

import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { applyRetention } from '../../src/server/queue/retention.ts'
import { promote } from '../../src/webhooks/deliveries/delivery.sql.ts'
import { claimDue, giveBack } from '../../src/webhooks/sending/claim.sql.ts'
import { openApp } from '../support/app.ts'
import { connected } from '../support/database/database.ts'
import { openBefore, workWhile } from '../support/database/migrating.ts'
import { keepOpen } from '../support/open.ts'

const dayMs = 86_400_000
const endpointId = randomUUID()
// A Monday, some weeks behind the first partition.
const monday = (() => {
  const time = new Date(Date.now() + 40 * dayMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - ((time.getUTCDay() + 6) % 7))
})()
const week = (count: number, days = 0) => new Date(monday + (7 * count + days) * dayMs)
const nameOf = (week: Date) => `webhook_deliveries_${week.toISOString().slice(0, 10).replaceAll('-', '_')}`
let ids = 0
/** An id of that time. */
const idAt = (time: Date) => {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${(++ids).toString(16).padStart(12, '0')}`
}
const insert = `insert into webhook_deliveries (id, org_id, endpoint_id, message_id, type, entity, entity_id, event, state, due_at, created_at)
  select id, '${endpointId}', '${endpointId}', gen_random_uuid(), 'contact.created', 'contact', $3, '{}', $2, now(), $4
  from unnest($1::uuid[]) id`

const app = await openApp()
const client = await keepOpen(connected(app.database.url))
await client.query(
  `insert into webhook_endpoints (id, org_id, url, maker_user_id, since, created_by_type) values ($1, $1, 'http://x', 'u', '1:1:', 'user')`,
  [endpointId],
)
beforeEach(async () => {
  app.setNow(null)
  await client.query('delete from webhook_deliveries')
})

const add = async (time: Date, state = 'delivered', entity = 'x') => {
  const id = idAt(time)
  await client.query(insert, [[id], state, entity, time])
  return id
}
const addWeek = async (time: Date): Promise<boolean> =>
  (await client.query(`select add_partition('webhook_deliveries', 'week', $1) as added`, [time])).rows[0].added
const weeks = async (): Promise<string[]> =>
  (await client.query(`select name from partitions_of('webhook_deliveries') order by 1`)).rows.map(({ name }) => name)
/** The partition of each delivery. */
const placed = async (): Promise<Record<string, string>> => {
  const { rows } = await client.query('select id, tableoid::regclass::text as name from webhook_deliveries')
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]))
}

describe('deliveries', () => {
  test('are in the partition of their week; one of any other time is accepted, and moved when its week gets a partition', async () => {
    await addWeek(week(0, 3))
    const [first, monday, sunday] = [await add(new Date()), await add(week(0)), await add(new Date(week(1).getTime() - 1))]
    const [next, random] = [await add(week(1)), randomUUID().replace(/^./, 'f')]
    await client.query(insert, [[random], 'delivered', 'x', new Date()])
    const known = { [first]: 'webhook_deliveries_first', [monday]: nameOf(week(0)), [sunday]: nameOf(week(0)) }
    expect(await placed()).toEqual({ ...known, [next]: 'webhook_deliveries_default', [random]: 'webhook_deliveries_default' })

    expect([await addWeek(week(1)), await addWeek(week(1))]).toEqual([true, true])

    expect(await placed()).toEqual({ ...known, [next]: nameOf(week(1)), [random]: 'webhook_deliveries_default' })
  })

  test('past their retention are dropped with their week; an open one keeps its week, whose others are deleted a week later', async () => {
    for (const count of [2, 3, 4]) await addWeek(week(count))
    const [, open, beside, last] = [await add(week(2)), await add(week(3), 'pending'), await add(week(3)), await add(week(4))]

    app.setNow(week(4, 29))
    const done = await applyRetention(app.services)
    expect(done).toMatchObject({ webhookDeliveries: 0 })
    expect(await weeks()).not.toContain(nameOf(week(2)))
    expect(Object.keys(await placed()).sort()).toEqual([open, beside, last])
    expect(await weeks()).toEqual(expect.arrayContaining([nameOf(week(4, 28)), nameOf(week(4, 35))]))

    app.setNow(week(4, 31))
    expect(await applyRetention(app.services)).toMatchObject({ webhookDeliveriesPartitions: 0, webhookDeliveries: 1 })
    expect(Object.keys(await placed()).sort()).toEqual([open, last])

    await client.query(`update webhook_deliveries set state = 'delivered' where id = $1`, [open])
    expect(await applyRetention(app.services)).toMatchObject({ webhookDeliveriesPartitions: 1, webhookDeliveries: 0 })
    expect(Object.keys(await placed())).toEqual([last])
  })

  test('of several weeks are claimed in the order of their object', async () => {
    await addWeek(week(10))
    const [old, young] = [await add(new Date(), 'pending', 'one'), await add(week(10), 'waiting', 'one')]
    const claim = async () => {
      const claimed = await app.services.database.query(claimDue, [
        new Date(Date.now() + 1000).toISOString(),
        '[]',
        50,
        32,
        randomUUID(),
        64,
      ])
      return claimed.map(({ id }) => id)
    }
    expect(await claim()).toEqual([old])
    await client.query(`update webhook_deliveries set state = 'delivered' where id = $1`, [old])
    await app.services.database.query(promote, [[endpointId], ['one']])
    expect(await claim()).toEqual([young])
  })

  test('are looked for in one week by their id, by a plan that is kept', async () => {
    await addWeek(week(20))
    const id = await add(week(20))
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare kept as ${giveBack.text}`)
    const { rows } = await client.query(`explain (format json) execute kept ('${id}', '${id}')`)
    await client.query('reset plan_cache_mode')
    expect(rows[0]['QUERY PLAN'][0].Plan.Plans[0]).toMatchObject({ 'Node Type': 'Append', 'Subplans Removed': (await weeks()).length - 1 })
  })
})

test('the table of before becomes the first partition while deliveries are added and sent, without being copied', async () => {
  const before = await openBefore('20261123130000')
  const [writer, sender] = [await connected(before.url), await connected(before.url)]
  await writer.query(insert, [Array.from({ length: 20_000 }, () => idAt(new Date())), 'delivered', 'x', new Date()])
  const file = async (table: string) => (await sender.query('select pg_relation_filenode($1::regclass) as file', [table])).rows[0].file
  const fileBefore = await file('webhook_deliveries')

  const [written, sent]: [string[], string[]] = [[], []]
  const write = async () => {
    const id = idAt(new Date())
    await writer.query({ name: 'w', text: insert, values: [[id], 'pending', 'y', new Date()] })
    written.push(id)
  }
  const send = async () => {
    const text = `update webhook_deliveries set state = 'delivered' where id in (
      select id from webhook_deliveries where state = 'pending' order by position limit 2 for update skip locked) returning id`
    sent.push(...(await sender.query({ name: 's', text })).rows.map(({ id }) => id))
  }
  await write()
  await send()
  const migrating = before.migrate()
  await Promise.all([workWhile(migrating, write), workWhile(migrating, send)])
  for (let had = -1; had < sent.length; ) {
    had = sent.length
    await send()
  }

  expect((await migrating)[2]).toBe('20261123130002_deliveries_by_week')
  expect(sent.toSorted()).toEqual(written.toSorted())
  expect(await file('webhook_deliveries_first')).toBe(fileBefore)
  const counts = 'select count(*)::int as count, count(distinct position)::int as positions from webhook_deliveries'
  expect((await sender.query(counts)).rows).toEqual([{ count: 20_000 + written.length, positions: 20_000 + written.length }])
  // What the first partition had is the whole table's now.
  await writer.query('drop table webhook_deliveries_first')
  await write()
  expect((await sender.query('select position::int, tableoid::regclass::text as name from webhook_deliveries')).rows).toEqual([
    { position: 20_000 + written.length, name: 'webhook_deliveries_default' },
  ])
  await writer.end()
  await sender.end()
  await before.close()
}, 60_000)
