// Large files of another system whose import is killed.

import { test } from 'vitest'
import { importKilled } from './killed.ts'

const minute = 60_000

test(
  'three linked files of 100,000 rows, killed twice: every row is one record, linked, and again nothing changes',
  async () => {
    await importKilled({ companies: 20_000, contacts: 50_000, deals: 30_000 }, ['contacts', 'deals'], 30 * minute)
  },
  60 * minute,
)
