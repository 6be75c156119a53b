// The SQL of libraries is prepared where it can be: one text alone, with values or without.

import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { keepOpen } from '../support/open.ts'

const shared = await keepOpen(createTestDatabase({ empty: true }))
const database = await keepOpen(openDatabase({ url: shared.url, poolSize: 1 }))

const prepared = async () =>
  (await database.execute('select statement from pg_prepared_statements order by statement')).rows.map(
    row => (row as { statement: string }).statement,
  )

test('a text is prepared once, with values and without', async () => {
  for (const n of [1, 2]) expect((await database.execute('select $1::int as n', [n])).rows).toEqual([{ n }])
  for (const values of [undefined, []]) expect((await database.execute('select 3 as n', values)).rows).toEqual([{ n: 3 }])

  expect((await prepared()).filter(text => text.includes('as n'))).toEqual(['select $1::int as n', 'select 3 as n'])
})

test.each([undefined, []])('several statements in one text are executed in order, with the values %j', async values => {
  await database.execute('create temporary table made (n int); insert into made values (1); insert into made values (2)', values)

  expect((await database.execute('select count(*)::int as count from made')).rows).toEqual([{ count: 2 }])
  await database.execute('drop table made; select 1', values)
})
