// Concurrent movements: no balance becomes negative, and no credits are debited twice.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deductCredits } from '../../src/credits/ledger/transaction.ts'
import { grantCredits } from '../../src/credits/operator/operator.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { microOf } from '../../src/kernel/money.ts'
import { hookToken, openApp, serviceToken } from '../support/app.ts'
import { asking, asService } from './asking.ts'

const app = await openApp({ env: { CREDITS_NEW_USER_GRANT: '0' } })
const ask = asking(app)

/** A further server on the same database, in a process of its own. */
async function otherProcess() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../identity/paused-process.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      NODE_ENV: 'test',
      RATE_LIMIT: '0',
      ROLES: 'session',
      DATABASE_URL: app.database.url,
      DATABASE_POOL_SIZE: '8',
      SVC_SERVICES_TOKEN: serviceToken,
      HOOKS_TOKEN: hookToken,
      IDENTITY_SECRET: 'test-identity-secret-0123456789abcdef',
      CREDITS_NEW_USER_GRANT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return {
    url: String(line).trim(),
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function deductAt(url: string, userId: string, headers: Record<string, string> = {}): Promise<number> {
  const { status } = await fetch(`${url}/api/credits/deduct`, {
    method: 'POST',
    headers: { ...asService, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ user_id: userId, amount: 1 }),
  })
  return status
}

describe('200 deducts of 1 at once, of a balance of 100', () => {
  const count = (statuses: number[]) => [200, 402].map(status => statuses.filter(answered => answered === status).length)

  test.each([false, true])('with one process exactly 100 succeed (Idempotency-Keys: %s)', async isKeyed => {
    for (let round = 0; round < 3; round++) {
      const userId = await ask.userWith(100)
      const headers = (n: number): Record<string, string> => (isKeyed ? { 'idempotency-key': `one-${userId}-${n}` } : {})

      const statuses = await Promise.all(Array.from({ length: 200 }, (_, n) => deductAt(app.url, userId, headers(n))))

      expect(count(statuses)).toEqual([100, 100])
      expect(await ask.balance(userId)).toMatchObject({ balance: 0, available: 0 })
      expect(await ask.entries(userId, '?limit=200')).toHaveLength(101)
    }
  })

  test.each([false, true])('with two processes exactly 100 succeed (Idempotency-Keys: %s)', async isKeyed => {
    const other = await otherProcess()
    try {
      for (let round = 0; round < 3; round++) {
        const userId = await ask.userWith(100)
        const headers = (n: number): Record<string, string> => (isKeyed ? { 'idempotency-key': `two-${userId}-${n}` } : {})

        const statuses = await Promise.all(Array.from({ length: 200 }, (_, n) => deductAt(n % 2 ? app.url : other.url, userId, headers(n))))

        expect(count(statuses)).toEqual([100, 100])
        expect(await ask.balance(userId)).toMatchObject({ balance: 0, available: 0 })
      }
    } finally {
      await other.stop()
    }
  }, 120_000)
})

describe('deducts of many users at once, with keys', () => {
  test('do not deadlock, also while holds expire', async () => {
    const other = await otherProcess()
    try {
      const users = await Promise.all(Array.from({ length: 12 }, () => ask.userWith(200)))
      // The holds expire during the waves. The clock stands still while they are made.
      const start = new Date()
      app.setNow(start)
      const expiresAt = new Date(start.getTime() + 3000)
      await Promise.all(
        users.map(userId => app.services.money.reserve(ask.context, { userId, amountMicro: 100_000_000n, reference: 'work', expiresAt })),
      )
      app.setNow(null)

      const statuses: number[] = []
      for (let wave = 0; wave < 6; wave++)
        statuses.push(
          ...(await Promise.all(
            Array.from({ length: 120 }, (_, n) =>
              deductAt(n % 2 ? app.url : other.url, users[(n * 7 + wave) % users.length] ?? '', { 'idempotency-key': `many-${wave}-${n}` }),
            ),
          )),
        )

      expect(statuses.filter(status => status !== 200)).toEqual([])
      await sleep(Math.max(0, expiresAt.getTime() - Date.now()))
      for (const userId of users) expect(await ask.balance(userId)).toMatchObject({ balance: 140, reserved: 0 })
    } finally {
      await other.stop()
    }
  }, 120_000)
})

describe('concurrent grants, deducts and holds', () => {
  const amount = fc.constantFrom(0.5, 1, 2, 3.25)
  const action = fc.oneof(
    fc.record({ do: fc.constant('deduct' as const), amount }),
    fc.record({ do: fc.constant('grant' as const), amount }),
    fc.record({ do: fc.constant('work' as const), amount, share: fc.constantFrom(0, 0.5, 1), isCanceled: fc.boolean() }),
  )

  test('leave each of three users the granted amount less the debited one', async () => {
    const { money } = app.services
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), action), { minLength: 20, maxLength: 60 }), async actions => {
        const users = await Promise.all([5, 10, 0].map(start => ask.userWith(start)))
        const expected = [5, 10, 0].map(microOf)
        const add = (user: number, micro: bigint) => {
          expected[user] = (expected[user] ?? 0n) + micro
        }

        await Promise.all(
          actions.map(async ([user, one]) => {
            const userId = users[user] ?? ''
            const micro = microOf(one.amount)
            try {
              if (one.do === 'grant') {
                await grantCredits(ask.context, { userId, amount: one.amount })
                add(user, micro)
              } else if (one.do === 'deduct') {
                await deductCredits(ask.context, { userId, amount: one.amount })
                add(user, -micro)
              } else {
                const expiresAt = new Date(Date.now() + 60_000)
                const hold = await money.reserve(ask.context, { userId, amountMicro: micro, reference: 'work', expiresAt })
                if (hold && one.isCanceled) await money.release(ask.context, hold.holdId)
                else if (hold) {
                  const asked = BigInt(Math.round(Number(micro) * one.share))
                  // Twice, because the second one must change nothing.
                  const [first, second] = await Promise.all([
                    money.settle(ask.context, hold.holdId, asked),
                    money.settle(ask.context, hold.holdId, asked),
                  ])
                  expect(first).toEqual(second)
                  add(user, -first.chargedMicro)
                }
              }
            } catch (error) {
              if (!(error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS')) throw error
            }
          }),
        )

        for (const [user, userId] of users.entries()) {
          const { balance, reserved } = await ask.balance(userId)
          expect([microOf(balance), reserved]).toEqual([expected[user], 0])
        }
      }),
      { numRuns: 25 },
    )
  }, 120_000)
})
