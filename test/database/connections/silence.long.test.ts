import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/client.ts'
import { createListener } from '../../../src/database/notifications/listener.ts'
import { shortRead, statement } from '../../../src/database/statement.ts'
import { integer, rows, text, timestamptz } from '../../../src/database/table.ts'
import { startApp } from '../../support/app.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { startWire } from '../../support/wire.ts'

const unavailable = { code: 'UNAVAILABLE' }
const one = rows({ one: integer })
const ping = statement('test_ping', 'select 1 as one', one)
const pingShort = shortRead('test_ping_short', 'select 1 as one', one)

describe('connections on which PostgreSQL no longer answers', async () => {
  const scratch = await keepOpen(createTestDatabase({ empty: true }))
  const wire = await keepOpen(startWire(scratch.url))
  const database = await keepOpen(openDatabase({ url: wire.url, poolSize: 4 }))

  test('fail their statements and are closed, together with idle ones', async () => {
    const rest = statement('test_rest', 'select pg_sleep(0.2)')
    await Promise.all([1, 2, 3, 4].map(() => database.query(rest)))
    await database.query(pingShort)
    wire.freeze()

    const begun = performance.now()
    const outcomes = await Promise.allSettled([
      database.query(ping),
      database.query(pingShort),
      database.transaction(async tx => tx.query(ping)),
      database.prisma.$queryRaw`select 1`,
    ])

    expect(outcomes).toEqual(Array(4).fill({ status: 'rejected', reason: expect.objectContaining(unavailable) }))
    expect(performance.now() - begun).toBeGreaterThan(4_000)
    expect(await Promise.all([database.query(ping), database.query(pingShort), database.query(ping)])).toEqual([
      [{ one: 1 }],
      [{ one: 1 }],
      [{ one: 1 }],
    ])
  })

  test('are distinguished from those whose statement PostgreSQL still executes', async () => {
    expect(await database.query(statement('test_slow', "select 'done' as slow from pg_sleep(6)", rows({ slow: text })))).toEqual([
      { slow: 'done' },
    ])
  })

  test('fail a transaction whose COMMIT was not answered, with an unknown outcome', async () => {
    await query(scratch.url, 'create table frozen (id int)')
    const answered = database.transaction(async tx => {
      await tx.query(statement('test_insert', 'insert into frozen values (1)'))
      wire.freeze()
    })

    await expect(answered).rejects.toMatchObject(unavailable)
  })
})

describe('a session', () => {
  test('has UTC as its time zone whatever the database says, and its timeouts', async () => {
    const scratch = await createTestDatabase({ empty: true })
    await query(scratch.url, `alter database "${new URL(scratch.url).pathname.slice(1)}" set timezone to 'Asia/Karachi'`)
    const database = openDatabase({ url: scratch.url, poolSize: 2 })
    const settings = statement(
      'test_settings',
      `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as longest, timestamptz '2026-01-01T00:00Z' as new_year`,
      rows({ zone: text, longest: text, newYear: timestamptz }),
    )

    const found = await database.query(settings)

    await database.close()
    await scratch.drop()
    expect(found).toEqual([{ zone: 'UTC', longest: '10s', newYear: '2026-01-01T00:00:00.000Z' }])
  })
})

describe('a listener without notifications, as behind a pooler that shares sessions', () => {
  test('is never trusted, and logs once which setting helps', async () => {
    const scratch = await createTestDatabase()
    const wire = await startWire(scratch.url, { losesNotifications: true })
    const database = openDatabase({ url: wire.url, poolSize: 2 })
    const lines: string[] = []
    const listener = await createListener(database, pino({ level: 'warn' }, { write: line => void lines.push(line) }))

    expect([listener.isTrusted(), listener.isConnected()]).toEqual([false, true])
    await new Promise(resolve => setTimeout(resolve, 6_500))
    expect([listener.isTrusted(), listener.isConnected()]).toEqual([false, true])
    expect(lines.filter(line => line.includes('DATABASE_DIRECT_URL'))).toHaveLength(1)

    await listener.stop()
    await database.close()
    await wire.stop()
    await scratch.drop()
  })

  test('lets no revoked key in, because credentials are read at each request', async () => {
    const scratch = await createTestDatabase()
    const wire = await startWire(scratch.url, { losesNotifications: true })
    const app = await startApp({ database: { url: wire.url, drop: async () => {} } })
    const { key } = await app.given.apiKey()
    const asked = () => app.rest('GET', '/api/crm/v1/contacts', { key })
    for (let i = 0; i < 3; i++) expect((await asked()).status).toBe(200)

    await query(scratch.url, 'update api_keys set revoked_at = now()')

    expect((await asked()).status).toBe(401)
    await app.close()
    await wire.stop()
    await scratch.drop()
  })
})
