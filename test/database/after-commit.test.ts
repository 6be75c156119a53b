// Work after a commit: once for each function, only after the commit, and not after a rollback.

import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/client.ts'
import { statement } from '../../src/database/statement.ts'
import { createTestDatabase, query } from '../support/database/database.ts'
import { keepOpen } from '../support/open.ts'

const created = await keepOpen(createTestDatabase({ empty: true }))
await query(created.url, 'create table things (n int)')
const database = await keepOpen(openDatabase({ url: created.url }))

const insert = statement('', 'insert into things values (1)')
const seenByOthers = async () => (await query(created.url, 'select from things')).length

test('runs the same function once, others each, and all of them before the transaction resolves', async () => {
  const before = await seenByOthers()
  const ran: string[] = []
  const announce = async () => void ran.push(`announced, ${(await seenByOthers()) - before} committed`)

  await database.transaction(async tx => {
    await tx.query(insert)
    for (let time = 0; time < 3; time++) await tx.afterCommit(announce)
    for (const name of ['a', 'b']) await tx.afterCommit(() => ran.push(name))
    expect(ran).toEqual([])
  })

  expect(ran).toEqual(['announced, 1 committed', 'a', 'b'])
})

test('runs the function again for the next transaction', async () => {
  let times = 0
  const announce = () => times++
  for (let transaction = 0; transaction < 2; transaction++) await database.transaction(tx => tx.afterCommit(announce))

  expect(times).toBe(2)
})

test('runs nothing after a rollback', async () => {
  const ran: string[] = []
  const failed = database.transaction(async tx => {
    await tx.query(insert)
    await tx.afterCommit(() => ran.push('announced'))
    throw new Error('undone')
  })

  await expect(failed).rejects.toThrow('undone')
  expect(ran).toEqual([])
})
