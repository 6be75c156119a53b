// Short reads on shared connections: each gets its own answer, even if others fail.

import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../../../src/database/client.ts'
import { shareConnections } from '../../../src/database/connections/shared-connections.ts'
import type { Rows } from '../../../src/database/selection.ts'
import { shortRead, statement } from '../../../src/database/statement.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'

const shared = await keepOpen(createTestDatabase({ empty: true }))
await query(shared.url, 'create table things (n int primary key)')
const database = await keepOpen(openDatabase({ url: shared.url, poolSize: 8 }))

const first: Rows<number> = { described: [{ name: 'n', type: 'integer' }], row: ([n]) => Number(n) }
const echo = shortRead('test_echo', 'select $1::int as n', first)
const inverse = shortRead('test_inverse', 'select 1000 / $1::int as n', first)
const sleep = shortRead('test_sleep', 'select pg_backend_pid() as n from pg_sleep($1::float8)', first)
const things = shortRead('test_things', 'select n from things where n = $1', first)

// Cells of all lengths: in ASCII and not, null, and longer than what the socket delivers at once.
const cells = shortRead(
  'test_cells',
  `select n::text, repeat('x', n % 70), repeat('é', n % 70), case when n % 2 = 0 then '' end, case when n = 200 then repeat('é', 100000) end
   from generate_series(1, $1::int) n`,
  { described: ['n', 'ascii', 'accents', 'empty', 'long'].map(name => ({ name, type: 'text' })), row: of => [...of] as (string | null)[] },
)
const cellsOf = (n: number) => [
  String(n),
  'x'.repeat(n % 70),
  'é'.repeat(n % 70),
  n % 2 === 0 ? '' : null,
  n === 200 ? 'é'.repeat(100_000) : null,
]

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const backends = async () => {
  const rows = await query<{ pid: number }>(
    shared.url,
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'rolocom'`,
  )
  return rows.map(({ pid }) => pid)
}

describe('short reads', () => {
  // Opens the shared connections.
  beforeEach(() => Promise.all(numbers(8).map(n => database.query(echo, [n]))))

  test('each get their own answer', async () => {
    const answers = await Promise.all(numbers(200).map(n => database.query(echo, [n])))

    expect(answers).toEqual(numbers(200).map(n => [n]))
  })

  test('have the rows that PostgreSQL sends, wherever the socket cuts them', async () => {
    const counts = [0, 1, 5, 199, 210, 400, 1000]
    const answers = await Promise.all(counts.map(count => database.query(cells, [count])))

    expect(answers).toEqual(counts.map(count => numbers(count).map(cellsOf)))
  })

  test('share a quarter of the pool while they are few', async () => {
    const pids = await Promise.all(numbers(6).map(() => database.query(sleep, [0.01])))

    expect(new Set(pids.flat()).size).toBe(2)
  })

  test('use the pool when many slow ones are running', async () => {
    const slow = numbers(16).map(() => database.query(sleep, [0.05]))
    const order: string[] = []
    const last = Promise.all(slow).then(() => order.push('slow'))
    await database.query(echo, [1]).then(() => order.push('quick'))
    await last

    expect(order).toEqual(['quick', 'slow'])
  })

  test('fail alone', async () => {
    const answers = await Promise.allSettled(numbers(12).map(n => database.query(inverse, [n % 3])))

    expect(answers.map(({ status }) => status)).toEqual(numbers(12).map(n => (n % 3 === 0 ? 'rejected' : 'fulfilled')))
  })

  test('in a transaction see its writes, others do not', async () => {
    const beside = await database.transaction(async tx => {
      await tx.query(statement('', 'insert into things values (7)'))
      expect(await tx.query(things, [7])).toEqual([7])
      return await database.query(things, [7])
    })

    expect(beside).toEqual([])
    expect(await database.query(things, [7])).toEqual([7])
  })

  test.each(numbers(10))('fail when their connection breaks, and later ones use another (%i)', async () => {
    const underWay = Promise.allSettled(numbers(4).map(() => database.query(sleep, [5])))
    // With the timeout, each backend has ended when this resolves; the turns of the event loop let the client read that.
    for (const pid of await backends()) await query(shared.url, 'select pg_terminate_backend($1, 5000)', [pid])
    for (let turn = 0; turn < 3; turn++) await setImmediate()

    expect(await underWay).toEqual(numbers(4).map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'UNAVAILABLE' }) })))
    expect(await database.query(echo, [1])).toEqual([1])
    // The pool no longer counts the broken connections.
    await Promise.all(numbers(8).map(() => database.transaction(tx => tx.query(echo, [1]))))
  })
})

test('a small pool shares nothing', async () => {
  const small = openDatabase({ url: shared.url, poolSize: 2 })

  expect(await Promise.all(numbers(20).map(n => small.query(echo, [n])))).toEqual(numbers(20).map(n => [n]))

  await small.close()
})

test('close() ends all connections', async () => {
  const before = new Set(await backends())
  const closed = openDatabase({ url: shared.url, poolSize: 8 })
  await Promise.all(numbers(50).map(n => closed.query(echo, [n])))

  await closed.close()

  // PostgreSQL ends a backend a moment after its connection. One of a connection that is left open would stay.
  await vi.waitFor(async () => expect((await backends()).filter(pid => !before.has(pid))).toEqual([]), 20_000)
})

test('the pool removes a connection that breaks after its release', async () => {
  const pool = new pg.Pool({ connectionString: shared.url })
  const lost = new Promise(resolve => pool.once('error', resolve))
  const connections = shareConnections(pool, 1)
  await vi.waitFor(() => expect(connections.free()).toBeDefined(), 20_000)
  connections.close()
  const { rows } = await pool.query('select pg_backend_pid() as pid')

  await query(shared.url, 'select pg_terminate_backend($1)', [rows[0].pid])

  expect(await lost).toMatchObject({ code: '57P01' })
  await pool.end()
})
