// The ledger compared with a model in memory, for random sequences of steps.

import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../src/credits/accounts/balance.ts'
import { auditCredits } from '../../src/credits/ledger/audit.ts'
import { deductCredits } from '../../src/credits/ledger/transaction.ts'
import { grantCredits, voidCreditGrant } from '../../src/credits/operator/operator.ts'
import { type Context, createContext } from '../../src/kernel/context.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { creditsOf } from '../../src/kernel/money.ts'
import { openApp } from '../support/app.ts'
import { createModel } from './model.ts'

const app = await openApp({ env: { CREDITS_NEW_USER_GRANT: '0' } })
const context: Context = createContext(app.services, {
  principal: { kind: 'service', userId: null, email: null, name: null, orgIds: [] },
  requestId: 'model',
  door: 'system',
  operation: 'model',
})

// Few values, so that ties and exact fits are common.
const micro = fc.oneof(fc.constantFrom(1, 100_000, 1_000_000, 5_000_000, 10_000_000), fc.integer({ min: 1, max: 20_000_000 }))
const minutes = fc.integer({ min: 1, max: 4 })
const grant = fc.record({
  do: fc.constant('grant' as const),
  micro,
  category: fc.constantFrom('paid' as const, 'promotional' as const),
  priority: fc.constantFrom(0, 50, 50, 100),
  beginsIn: fc.option(minutes, { freq: 3 }),
  lasts: fc.option(minutes),
})
const step = fc.oneof(
  grant,
  fc.record({ do: fc.constant('deduct' as const), micro }),
  fc.record({ do: fc.constant('reserve' as const), micro, lasts: minutes }),
  fc.record({ do: fc.constant('settle' as const), which: fc.nat(), share: fc.constantFrom(0, 0.3, 0.7, 1) }),
  fc.record({ do: fc.constant('release' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('void' as const), which: fc.nat() }),
  // To the moment at which a grant or hold begins or ends, or to just before it.
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(0, 1, 1, 2), isEarly: fc.boolean() }),
)
const steps = fc
  .tuple(fc.array(grant, { minLength: 2, maxLength: 5 }), fc.array(step, { minLength: 20, maxLength: 40 }))
  .map(([first, then]) => [...first, ...then])
const minute = 60_000
const wholeMinute = (time: number, later: number) => (Math.floor(time / minute) + later) * minute

// The rules throw where the model returns `insufficient`.
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done' as const,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS') return 'insufficient' as const
      throw error
    },
  )

const at = Date.parse('2030-01-01T00:00:00.000Z')

describe('the ledger', () => {
  test('has the same balances as its model after any sequence of steps', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async steps => {
        const { money, database } = app.services
        const userId = `model-${uuid()}`
        await database.prisma.user.create({ data: { id: userId } })
        const model = createModel()
        const grantIds: string[] = []
        const holdIds: string[] = []
        let now = at
        const moveTo = (time: number) => {
          now = time
          app.setNow(new Date(now))
          model.advance(now)
        }
        moveTo(at)

        for (const [number, one] of steps.entries()) {
          // Each step has a time of its own, so that grants are debited in the order in which they were made.
          if (one.do !== 'wait') moveTo(now + 1)
          switch (one.do) {
            case 'wait':
              moveTo(Math.max(now, wholeMinute(now, one.minutes) - Number(one.isEarly)))
              break
            case 'grant': {
              const { category, priority } = one
              const effectiveAt = one.beginsIn === null ? now : wholeMinute(now, one.beginsIn)
              const expiresAt = one.lasts === null ? null : wholeMinute(effectiveAt, one.lasts)
              const { grant } = await grantCredits(context, {
                userId,
                amount: creditsOf(one.micro),
                category,
                priority,
                effectiveAt: new Date(effectiveAt),
                expiresAt: expiresAt === null ? null : new Date(expiresAt),
              })
              grantIds.push(grant.id)
              model.grant({ amount: one.micro, category, priority, effectiveAt, expiresAt })
              break
            }
            case 'deduct': {
              const outcome = await outcomeOf(deductCredits(context, { userId, amount: creditsOf(one.micro) }))
              expect(outcome).toBe(model.deduct(one.micro))
              break
            }
            case 'reserve': {
              const expiresAt = wholeMinute(now, one.lasts)
              const reservation = { userId, amountMicro: BigInt(one.micro), reference: `work:${number}`, expiresAt: new Date(expiresAt) }
              const outcome = await outcomeOf(
                money.reserve(context, reservation).then(hold => {
                  if (hold) holdIds.push(hold.holdId)
                }),
              )
              expect(outcome).toBe(model.reserve(one.micro, expiresAt))
              break
            }
            case 'settle':
            case 'release': {
              const index = one.which % Math.max(holdIds.length, 1)
              const [holdId, hold] = [holdIds[index], model.holds[index]]
              if (!holdId || !hold) break
              if (one.do === 'release') {
                await money.release(context, holdId)
                model.release(hold)
              } else {
                const amount = Math.floor(hold.amount * one.share)
                const { chargedMicro } = await money.settle(context, holdId, BigInt(amount))
                expect(Number(chargedMicro)).toBe(model.settle(hold, amount))
              }
              break
            }
            case 'void': {
              const index = one.which % Math.max(grantIds.length, 1)
              const [id, grant] = [grantIds[index], model.grants[index]]
              if (!id || !grant) break
              const isVoided = await voidCreditGrant(context, { id }).then(
                () => true,
                (error: unknown) => {
                  if (error instanceof AppError && error.code === 'CONFLICT') return false
                  throw error
                },
              )
              expect(isVoided).toBe(model.voidGrant(grant))
            }
          }
          const { balance, reserved, available, grants } = await balanceOf(context, userId)
          const { state } = model
          expect({ balance, reserved, available }).toEqual({
            balance: creditsOf(state.balance),
            reserved: creditsOf(state.reserved),
            available: creditsOf(state.available),
          })
          const open = model.grants.map((grant, index) => ({ id: grantIds[index], ...grant }))
          for (const { id, remaining } of grants) expect(creditsOf(open.find(grant => grant.id === id)?.remaining ?? -1)).toBe(remaining)
        }
      }),
      { numRuns: 100 },
    )

    expect((await auditCredits(app.services.database)).findings).toEqual([])
  }, 120_000)
})
