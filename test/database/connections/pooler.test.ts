// Prepared statements behind a pooler in transaction mode: named where the pooler keeps them, else without a name.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/client.ts'
import { shortRead, statement } from '../../../src/database/statement.ts'
import { integer, rows, text } from '../../../src/database/table.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { type Pooler, startPooler } from '../../support/database/pooler.ts'

const n = rows({ n: integer })
const insert = statement('test_pooled_insert', 'insert into things (n) values ($1) returning n', n)
const read = shortRead('test_pooled_read', 'select n from things where n = $1', n)
const prepared = shortRead('test_pooled_names', 'select name from pg_prepared_statements order by name', rows({ name: text }))

const numbers = Array.from({ length: 60 }, (_, index) => index)

let scratch: TestDatabase
let pooler: Pooler
let database: Database
async function open(options: { keepsStatements: boolean }) {
  pooler = await startPooler(scratch.url, options)
  database = openDatabase({ url: pooler.url, poolSize: 8 })
}
beforeEach(async () => {
  scratch = await createTestDatabase({ empty: true })
  await query(scratch.url, 'create table things (n int primary key)')
})
afterEach(async () => {
  await database.close()
  await pooler.stop()
  await scratch.drop()
})

/** Inserts in transactions and reads, on all connections at once, and by Prisma. */
async function use(): Promise<void> {
  const inserted = numbers.map(number =>
    database.transaction(async tx => {
      await tx.query(insert, [number])
      return tx.query(read, [number])
    }),
  )
  expect(await Promise.all(inserted)).toEqual(numbers.map(number => [{ n: number }]))
  const wanted = numbers.map(number => [{ n: number }])
  expect(await Promise.all(numbers.map(number => database.query(read, [number])))).toEqual(wanted)
  expect(await database.prisma.$queryRaw`select n from things where n = ${7}`).toEqual([{ n: 7 }])
}

const names = async () => (await Promise.all(numbers.map(() => database.query(prepared)))).flat().map(({ name }) => name)

describe('a pooler that keeps prepared statements', () => {
  test('gets them by name, and executes them in whichever session', async () => {
    await open({ keepsStatements: true })
    await use()

    const found = await names()
    expect(found.filter(name => !name.startsWith('POOLER_'))).toEqual([])
    expect(found.length).toBeGreaterThan(0)
  })

  test('and no longer does: statements are refused until each connection has been replaced', async () => {
    await open({ keepsStatements: true })
    await use()

    pooler.keepsStatements = false
    const outcomes = []
    for (let i = 0; i < 20; i++) outcomes.push(...(await Promise.allSettled(numbers.slice(0, 8).map(one => database.query(read, [one])))))

    const reasons = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(reasons.length).toBeGreaterThan(0)
    expect(reasons).toEqual(reasons.map(() => expect.objectContaining({ code: 'UNAVAILABLE' })))
    expect(await database.query(read, [3])).toEqual([{ n: 3 }])
  })
})

describe('a pooler that does not keep prepared statements', () => {
  test('gets statements without a name, and executes them in whichever session', async () => {
    await open({ keepsStatements: false })
    const other = openDatabase({ url: pooler.url, poolSize: 2 })
    await use()
    expect(await Promise.all(numbers.map(number => other.query(read, [number])))).toEqual(numbers.map(number => [{ n: number }]))
    await other.close()

    expect(await names()).toEqual([])
  })

  test('has the effects of a transaction once, and none of one that failed', async () => {
    await open({ keepsStatements: false })
    const add = statement('test_pooled_add', 'insert into things (n) values ($1)')
    const done = numbers.map(number =>
      database.transaction(async tx => {
        await tx.query(add, [number])
        if (number % 2 === 1) throw new Error('rolled back')
      }),
    )
    const outcomes = await Promise.allSettled(done)
    expect(outcomes.map(({ status }) => status)).toEqual(numbers.map(number => (number % 2 === 1 ? 'rejected' : 'fulfilled')))
    const { rows } = await database.execute('select n from things order by n')
    expect(rows).toEqual(numbers.filter(number => number % 2 === 0).map(n => ({ n })))
  })

  test('answers after a migration that changed columns', async () => {
    await open({ keepsStatements: false })
    await use()

    await query(scratch.url, 'alter table things alter n type bigint')
    const more = numbers.map(number => number + 60)
    const inserted = await Promise.all(more.map(number => database.transaction(tx => tx.query(insert, [number]))))
    expect(inserted).toEqual(more.map(n => [{ n }]))
    expect(await Promise.all(numbers.map(number => database.query(read, [number])))).toEqual(numbers.map(number => [{ n: number }]))
  })
})
