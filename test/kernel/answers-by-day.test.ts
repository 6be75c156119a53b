// The answers to writes with an Idempotency-Key are partitioned by day. A key has one answer all the same, at midnight as at noon, and days past
// the 24 hours are dropped by partition.

import { afterEach, describe, expect, test } from 'vitest'
import { applyRetention } from '../../src/server/queue/retention.ts'
import { openApp, type TestApp } from '../support/app.ts'
import { connected } from '../support/database/database.ts'
import { openBefore, workWhile } from '../support/database/migrating.ts'
import { keepOpen } from '../support/open.ts'

const dayMs = 86_400_000
// Behind the first partition, which has the answers of a week.
const firstDay = Math.floor(Date.now() / dayMs) * dayMs + 10 * dayMs
/** The midnight that begins a day, or a time of that day. */
const day = (count: number, seconds = 0) => new Date(firstDay + count * dayMs + seconds * 1000)
const nameOf = (day: Date) => `idempotency_keys_${day.toISOString().slice(0, 10).replaceAll('-', '_')}`

const app = await openApp()
const second = await openApp({ database: app.database })
const client = await keepOpen(connected(app.database.url))
for (const count of [0, 1, 2, 3]) await client.query(`select add_partition('idempotency_keys', 'day', $1)`, [day(count)])
afterEach(() => {
  app.setNow(null)
  second.setNow(null)
})

// Contacts without an email, of which there may be any number: nothing but the key makes two requests one.
const mutation = 'mutation ($name: String) { createContact(input: { firstName: $name }) { id } }'
const create = (to: TestApp, key: string, name: string) => to.graphql(mutation, { name }, { key, headers: { 'Idempotency-Key': name } })
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true'
/** The partition of each stored answer, by its key. */
const placed = async (): Promise<Record<string, string>> => {
  const { rows } = await client.query('select key, tableoid::regclass::text as name from idempotency_keys')
  return Object.fromEntries(rows.map(({ key, name }) => [key, name]))
}
const contacts = (orgId: string) => app.services.database.prisma.contact.count({ where: { orgId } })

describe('answers', () => {
  test('are stored by day, and found on the day after', async () => {
    const { key, orgId } = await app.given.apiKey()
    const before = await create(app, key, 'now')
    app.setNow(day(1, -1))
    const first = await create(app, key, 'evening')
    app.setNow(day(1, 1))
    const [again, other] = [await create(app, key, 'evening'), await create(app, key, 'morning')]

    expect([before, first, other].map(({ body }) => body.errors)).toEqual([undefined, undefined, undefined])
    expect([isReplay(first), isReplay(again), isReplay(other)]).toEqual([false, true, false])
    expect(again.body).toEqual(first.body)
    expect(await contacts(orgId)).toBe(3)
    expect(await placed()).toMatchObject({ now: 'idempotency_keys_first', evening: nameOf(day(0)), morning: nameOf(day(1)) })
  })

  test('are one for each key when two processes get it on both sides of midnight at once, alone or among others', async () => {
    const { key, orgId } = await app.given.apiKey()
    app.setNow(day(1, -0.001))
    second.setNow(day(1))
    for (let round = 0; round < 10; round++) {
      const all = [app, second].flatMap((to, process) => [
        create(to, key, `both-${round}`),
        // With others, writes share a transaction.
        ...(round % 2 === 0 ? [1, 2, 3].map(n => create(to, key, `own-${round}-${process}-${n}`)) : []),
      ])
      const answers = await Promise.all(all)
      const refused = answers.flatMap(({ body }) => body.errors ?? [])
      expect(refused.map(({ extensions }) => extensions.code)).toEqual(refused.map(() => 'IDEMPOTENCY_IN_FLIGHT'))
      expect(isReplay(await create(app, key, `both-${round}`))).toBe(true)
    }
    expect(await contacts(orgId)).toBe(10 + 5 * 6)
    const { rows } = await client.query('select id from idempotency_keys group by id having count(*) > 1')
    expect(rows).toEqual([])
  })

  test('that have expired are replaced, while their day is still there', async () => {
    const { key } = await app.given.apiKey()
    app.setNow(day(1, 10))
    await create(app, key, 'daily')
    app.setNow(day(2, 11))
    const [next, again] = [await create(app, key, 'daily'), await create(app, key, 'daily')]

    expect([next.body.errors, isReplay(next), isReplay(again)]).toEqual([undefined, false, true])
    expect((await client.query(`select created_at from idempotency_keys where key = 'daily'`)).rows).toEqual([{ created_at: day(2, 11) }])
  })

  test('past their retention are dropped with their day, and deleted by row in the first partition', async () => {
    const { key } = await app.given.apiKey()
    await client.query('delete from idempotency_keys')
    await create(app, key, 'old')
    for (const count of [0, 1]) {
      app.setNow(day(count, 60))
      await create(app, key, `day-${count}`)
    }
    const days = async () => (await client.query(`select name from partitions_of('idempotency_keys')`)).rows.map(({ name }) => name)
    await client.query('alter table idempotency_keys detach partition idempotency_keys_first')
    await client.query(
      `alter table idempotency_keys attach partition idempotency_keys_first for values from (minvalue) to ('${day(0).toISOString()}')`,
    )

    // 24 hours after the end of the first day, less a minute: that day is still needed.
    app.setNow(day(2, -60))
    expect(await applyRetention(app.services)).toMatchObject({ idempotencyKeysPartitions: 1, idempotencyKeys: 0 })
    expect(Object.keys(await placed()).sort()).toEqual(['day-0', 'day-1'])

    app.setNow(day(2, 60))
    expect(await applyRetention(app.services)).toMatchObject({ idempotencyKeysPartitions: 1, idempotencyKeys: 0 })
    expect(Object.keys(await placed())).toEqual(['day-1'])
    expect(await days()).toEqual(expect.arrayContaining([nameOf(day(2)), nameOf(day(3))]))

    // Where there is no partition any more.
    app.setNow(day(1, 60))
    await client.query(`update idempotency_keys set created_at = '2020-01-01'`)
    app.setNow(day(2, 60))
    expect(await applyRetention(app.services)).toMatchObject({ idempotencyKeysPartitions: 0, idempotencyKeys: 1 })
  })
})

test('the table of before becomes the first partition while answers are stored and found, without being copied', async () => {
  const before = await openBefore('20261125140001')
  const [writer, reader] = [await connected(before.url), await connected(before.url)]
  const store = 'select from store_answers($1, $2, now(), null)'
  const answersOf = (ids: string[]) => [ids, JSON.stringify(ids.map(id => ({ id, fingerprint: id, answer: id, key: id })))]
  let count = 0
  const idOf = (number: number) => number.toString(16).padStart(16, '0').repeat(4)
  const idsOf = (length: number) => Array.from({ length }, () => idOf(++count))
  await writer.query(store, answersOf(idsOf(20_000)))
  const file = async (table: string) => (await reader.query('select pg_relation_filenode($1::regclass) as file', [table])).rows[0].file
  const fileBefore = await file('idempotency_keys')

  const refused: string[] = []
  const write = async () => void (await writer.query({ name: 'w', text: store, values: answersOf(idsOf(3)) }))
  const repeat = async () => {
    const id = idOf(Math.ceil(Math.random() * 20_000))
    await reader.query({ name: 'r', text: store, values: answersOf([id]) }).catch(error => refused.push(error.code))
  }
  const migrating = before.migrate()
  await Promise.all([workWhile(migrating, write), workWhile(migrating, repeat)])

  expect((await migrating)[2]).toBe('20261125140003_answers_by_day')
  expect(new Set(refused)).toEqual(new Set(['23505']))
  expect(await file('idempotency_keys_first')).toBe(fileBefore)
  expect((await reader.query('select count(*)::int as count from idempotency_keys')).rows).toEqual([{ count }])
  await writer.end()
  await reader.end()
  await before.close()
}, 60_000)
