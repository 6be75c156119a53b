// Stands in for the tests on an outside PostgreSQL where there is none.

import { test } from 'vitest'
import { outsidePostgres } from './outside.ts'

test('the tests that depend on the database run on an outside PostgreSQL', async ({ skip }) => {
  const found = await outsidePostgres()
  if ('lacking' in found) skip(found.lacking)
})
