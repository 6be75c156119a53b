// Files of another system whose import is killed.

import { test } from 'vitest'
import { importKilled } from './killed.ts'

test('three linked files, killed once: every row is one record, linked, and again nothing changes', async () => {
  await importKilled({ companies: 300, contacts: 1500, deals: 300 }, ['deals'], 60_000)
}, 120_000)
