// The events are partitioned by month: each in its own, none refused, and those past their retention dropped by partition.

import { beforeEach, describe, expect, test } from 'vitest'
import { kernelRetention } from '../../src/kernel/retention.sql.ts'
import { applyRetention } from '../../src/server/queue/retention.ts'
import { type Json, openApp } from '../support/app.ts'
import { connected } from '../support/database/database.ts'
import { openBefore, workWhile } from '../support/database/migrating.ts'
import { keepOpen } from '../support/open.ts'

const insertAt = `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, created_at)
  select gen_random_uuid(), gen_random_uuid(), 'contact.created', 'contact', 'x', 'system', 'rest', 'test', 'test', at::timestamptz from unnest($1::text[]) at`
const nameOf = (month: Date) => `events_${month.toISOString().slice(0, 7).replace('-', '_')}`
const monthIn = (count: number, from = new Date()) => new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, 1))

const app = await openApp()
const client = await keepOpen(connected(app.database.url))
for (const ahead of [2, 3, 4]) await client.query(`select add_partition('events', 'month', $1)`, [monthIn(ahead)])
beforeEach(async () => {
  app.setNow(null)
  await client.query('delete from events')
})

const partitions = async (): Promise<string[]> =>
  (await client.query(`select name from partitions_of('events') order by 1`)).rows.map(row => row.name)
/** The events by partition: their times. */
const placed = async (): Promise<Record<string, string[]>> => {
  const { rows } = await client.query(
    `select tableoid::regclass::text as name, array_agg(to_json(created_at at time zone 'UTC')#>>'{}' order by created_at) as times from events group by 1`,
  )
  return Object.fromEntries(rows.map(({ name, times }) => [name, times]))
}

describe('events', () => {
  test('are in the partition of their month; one of any other time is accepted', async () => {
    const [next, later] = [monthIn(2), monthIn(3)]
    await client.query(insertAt, [
      ['1970-01-01', new Date().toISOString(), next.toISOString(), new Date(later.getTime() - 1).toISOString(), '2999-01-01'],
    ])

    const found = await placed()
    expect(Object.keys(found).sort()).toEqual([nameOf(next), 'events_default', 'events_first'])
    expect([found.events_first?.length, found[nameOf(next)]?.length, found.events_default]).toEqual([2, 2, ['2999-01-01T00:00:00']])
  })

  test('past their retention are dropped with their partition, and no others', async () => {
    const before = await partitions()
    await client.query(insertAt, [[new Date().toISOString(), monthIn(2).toISOString(), monthIn(3).toISOString()]])

    // The month of the second event, after the first partition, ends 365 days before.
    app.setNow(new Date(monthIn(3).getTime() + 365 * 86_400_000))
    const done = await applyRetention(app.services)

    expect(done).toMatchObject({ eventsPartitions: 2, pastEvents: 0 })
    expect(Object.values(await placed())).toEqual([[monthIn(3).toISOString().slice(0, 19)]])
    const now = monthIn(0, app.services.now())
    expect(await partitions()).toEqual(
      [
        ...before.filter(name => name !== 'events_first' && name !== nameOf(monthIn(2))),
        ...[0, 1].map(n => nameOf(monthIn(n, now))),
      ].sort(),
    )

    // Where there is no partition any more.
    await client.query(insertAt, [[new Date().toISOString()]])
    expect(await applyRetention(app.services)).toMatchObject({ eventsPartitions: 0, pastEvents: 1 })
  })

  test('of a month that has no partition yet are moved to it when it is added', async () => {
    const month = monthIn(100)
    const times = [month, new Date(monthIn(101).getTime() - 1), monthIn(101)].map(time => time.toISOString())
    await client.query(insertAt, [times])
    expect(Object.keys(await placed())).toEqual(['events_default'])

    await client.query(`select add_partition('events', 'month', $1)`, [times[1]])

    expect(await placed()).toEqual({
      [nameOf(month)]: times.slice(0, 2).map(time => time.replace(/(\.000)?Z/, '')),
      events_default: times.slice(2).map(time => time.replace(/(\.000)?Z/, '')),
    })
  })

  test('that are being read are not waited for: the partition is added and dropped later', async () => {
    const month = monthIn(200)
    const add = async () => (await client.query(`select add_partition('events', 'month', $1) as added`, [month])).rows[0].added
    const dropBefore = (time: Date) =>
      client.query(`select drop_past_partition('events', $1) as dropped`, [time]).then(({ rows }) => rows[0].dropped)
    const reader = await connected(app.database.url)
    await reader.query('begin')
    await reader.query('select count(*) from events')

    expect([await add(), await dropBefore(monthIn(4))]).toEqual([false, null])
    expect((await client.query('select count(*)::int as count from events')).rows).toEqual([{ count: 0 }])
    await reader.query('commit')
    await reader.end()

    expect([await add(), await add()]).toEqual([true, true])
    const oldest = (await partitions()).filter(name => /\d$/.test(name))[0]
    expect(await dropBefore(monthIn(201))).toBe(oldest)
  })

  test('of later months are not looked at by the statement that deletes past ones', async () => {
    const { text } = kernelRetention.pastEvents.statement
    const { rows } = await client.query(`explain (format json) ${text}`, [monthIn(300).toISOString()])
    await client.query(`select add_partition('events', 'month', $1), add_partition('events', 'month', $2)`, [monthIn(300), monthIn(301)])
    const later = await client.query(`explain (format json) ${text}`, [monthIn(300).toISOString()])
    const tablesOf = (plan: Json): string[] => [plan['Relation Name'], ...(plan.Plans ?? []).flatMap(tablesOf)].filter(Boolean)

    expect(new Set(tablesOf(later.rows[0]['QUERY PLAN'][0].Plan))).toEqual(new Set(tablesOf(rows[0]['QUERY PLAN'][0].Plan)))
    expect(tablesOf(later.rows[0]['QUERY PLAN'][0].Plan)).not.toContain(nameOf(monthIn(300)))
  })
})

test(
  'the table of before becomes the first partition while it is written and read, without being copied',
  { timeout: 60_000 },
  async () => {
    const before = await openBefore('20261123050000')
    const [writer, reader] = [await connected(before.url), await connected(before.url)]
    await writer.query(`${insertAt} cross join generate_series(1, 20000)`, [['2026-01-01']])
    const file = async (table: string) => (await reader.query('select pg_relation_filenode($1::regclass) as file', [table])).rows[0].file
    const fileBefore = await file('events')

    // Both have prepared their statements before.
    let [written, least] = [20_000, 0]
    const write = async () => {
      written += (await writer.query({ name: 'w', text: insertAt, values: [[new Date().toISOString()]] })).rowCount ?? 0
    }
    const read = async () => {
      const { count } = (await reader.query({ name: 'r', text: 'select count(*)::int as count from events' })).rows[0]
      expect(count).toBeGreaterThanOrEqual(least)
      least = count
    }
    await write()
    await read()
    const migrating = before.migrate()
    await Promise.all([workWhile(migrating, write), workWhile(migrating, read)])

    expect((await migrating)[2]).toBe('20261123050002_events_by_month')
    expect((await reader.query('select count(*)::int as count, count(distinct sequence)::int as sequences from events')).rows).toEqual([
      { count: written, sequences: written },
    ])
    expect(await file('events_first')).toBe(fileBefore)
    // What the first partition had is the whole table's now.
    await writer.query('drop table events_first')
    await writer.query(insertAt, [[new Date().toISOString()]])
    expect((await reader.query('select sequence::int, tableoid::regclass::text as name from events')).rows).toEqual([
      { sequence: written + 1, name: 'events_default' },
    ])
    await writer.end()
    await reader.end()
    await before.close()
  },
)
