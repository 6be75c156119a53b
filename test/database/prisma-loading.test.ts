// The Prisma client, which a transaction loads at first use.

import type pg from 'pg'
import { expect, test } from 'vitest'
import { adopt } from '../../src/database/prisma-transaction.ts'

test('a client that cannot be loaded is the error of the call, and of nothing else', async () => {
  const loading = Promise.reject(new Error('Cannot find module'))
  const { prisma, end } = adopt(loading, {} as pg.PoolClient, send => send())

  await expect(prisma.user.findMany()).rejects.toThrow('Cannot find module')
  // Vitest fails a run with an unhandled rejection.
  await end(false)
})
