// What providers told is partitioned by month, by the time that its id begins with. An event is stored once all the same, in whichever month it is
// repeated, and months past the retention are dropped.

import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { applyRetention } from '../../../src/server/queue/retention.ts'
import { storeEvents } from '../../../src/voice/events/event.sql.ts'
import { startApp } from '../../support/app.ts'
import { connected } from '../../support/database/database.ts'
import { openBefore, workWhile } from '../../support/database/migrating.ts'
import { givenCallFixture } from '../call-fixture.ts'
import { fakeProvider } from '../fake-provider.ts'
import { report, secretOf } from '../report.ts'

// Behind the first partition, which has this month and the next.
const month = (count: number, days = 0) => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 3 + count, 1 + days))
const nameOf = (month: Date) => `provider_events_${month.toISOString().slice(0, 7).replace('-', '_')}`
const idAt = (time: Date) => {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`
}
const eventAt = (time: Date, eventKey: string = randomUUID(), state = 'applied') => ({
  ...{ id: idAt(time), provider: 'simulator', event_key: eventKey, call_id: null, org_id: null, body: '{}', path: '/', content_type: 'x' },
  ...{ received_at: time, state, note: null, applied_at: time },
})

let [one, other]: pg.Client[] = []
const app = await startApp({ telephony: { simulator: fakeProvider() } })
;[one, other] = [await connected(app.database.url), await connected(app.database.url)]
for (const count of [0, 1, 2]) await one.query(`select add_partition('provider_events', 'month', $1)`, [month(count)])
afterAll(async () => {
  await one?.end()
  await other?.end()
  await app.close()
})
afterEach(() => app.setNow(null))

const store = async (client: pg.Client | undefined, ...events: object[]): Promise<string[]> =>
  ((await client?.query(storeEvents.text, [JSON.stringify(events)]))?.rows ?? []).map(({ event_key }) => event_key)
/** The partition and the state of each event, by its key. */
const placed = async (): Promise<Record<string, string>> => {
  const { rows = [] } = (await one?.query('select event_key, state, tableoid::regclass::text as name from provider_events')) ?? {}
  return Object.fromEntries(rows.map(({ event_key, state, name }) => [event_key, `${state} in ${name}`]))
}

describe('events of providers', () => {
  test('are a duplicate when they are repeated months later', async () => {
    const fixture = await givenCallFixture(app)
    const { id: callId } = await fixture.call({})
    const secret = await secretOf(app, fixture)
    const tell = () => report(app, secret, { call_id: callId, status: 'ringing' }, { id: 'told-once' })
    const first = await tell()
    await one?.query('update provider_events set id = $1 where call_id = $2', [idAt(month(0)), callId])
    const again = await tell()

    expect([first.body.received, again.body.received]).toEqual(['applied', 'duplicate'])
    const { rows } = (await one?.query('select tableoid::regclass::text as name from provider_events where call_id = $1', [callId])) ?? {}
    expect(rows).toEqual([{ name: nameOf(month(0)) }])
  })

  test('are one when two processes store them on both sides of the end of a month at once', async () => {
    const [last, first] = [eventAt(new Date(month(1).getTime() - 1), 'both'), eventAt(month(1), 'both')]
    await one?.query('begin')
    expect(await store(one, last, eventAt(month(0), 'own'))).toEqual(['both', 'own'])
    const stored = store(other, first, eventAt(month(1), 'new'))
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await vi.waitFor(async () => expect((await one?.query(waiting))?.rowCount).toBe(1))
    await one?.query('commit')

    expect(await stored).toEqual(['new'])
    expect(await placed()).toMatchObject({ both: `applied in ${nameOf(month(0))}`, new: `applied in ${nameOf(month(1))}` })
  })

  test('that could not be applied get the state of their repetition, and keep their place; a settled one keeps its state', async () => {
    await store(one, eventAt(month(0), 'late', 'failed'))

    expect(await store(one, eventAt(month(1), 'late', 'applied'))).toEqual(['late'])
    expect(await store(one, eventAt(month(1), 'late', 'ignored'))).toEqual([])
    expect(await placed()).toMatchObject({ late: `applied in ${nameOf(month(0))}` })
    await expect(store(one, eventAt(month(1), 'twice'), eventAt(month(1), 'twice'))).rejects.toThrow('given twice')
  })

  test('past their retention are dropped with their month', async () => {
    await one?.query('delete from provider_events')
    await store(one, eventAt(new Date(), 'old'), eventAt(month(0), 'dropped'), eventAt(month(1), 'kept'))

    // 365 days after the end of the first month, and so of the partition before it.
    app.setNow(month(1, 365))
    expect(await applyRetention(app.services)).toMatchObject({ providerEventsPartitions: 2, providerEvents: 0 })
    expect(Object.keys(await placed())).toEqual(['kept'])

    // Where there is no partition any more.
    await store(one, eventAt(new Date(), 'old'))
    expect(await applyRetention(app.services)).toMatchObject({ providerEventsPartitions: 0, providerEvents: 1 })
  })
})

test('the table of before becomes the first partition while events are stored, without being copied', async () => {
  const before = await openBefore('20261125150001')
  const [writer, reader] = [await connected(before.url), await connected(before.url)]
  await store(writer, ...Array.from({ length: 5_000 }, (_, n) => eventAt(new Date(), `old-${n}`)))
  const file = async (table: string) => (await reader.query('select pg_relation_filenode($1::regclass) as file', [table])).rows[0].file
  const fileBefore = await file('provider_events')

  const written: string[] = []
  const write = async () => void written.push(...(await store(writer, eventAt(new Date()), eventAt(new Date()))))
  const repeat = async () => expect(await store(reader, eventAt(new Date(), `old-${written.length % 5_000}`))).toEqual([])
  const migrating = before.migrate()
  await Promise.all([workWhile(migrating, write), workWhile(migrating, repeat)])

  expect(await migrating).toContain('20261125150003_provider_events_by_month')
  expect(await file('provider_events_first')).toBe(fileBefore)
  expect((await reader.query('select count(*)::int as count from provider_events')).rows).toEqual([{ count: 5_000 + written.length }])
  await writer.end()
  await reader.end()
  await before.close()
}, 60_000)
