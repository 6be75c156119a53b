// Holds, through the port that calls and jobs use: reserve, settle, release, expire.

import { v7 as uuid } from 'uuid'
import { afterEach, describe, expect, test } from 'vitest'
import { bringDueAccountsUpToDate } from '../../src/credits/accounts/account.ts'
import type { Reservation } from '../../src/credits/money.ts'
import { inTransaction } from '../../src/kernel/context.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { openApp } from '../support/app.ts'
import { asking } from './asking.ts'

const app = await openApp({ env: { CREDITS_NEW_USER_GRANT: '0' } })
const ask = asking(app)
afterEach(() => app.setNow(null))

const start = Date.parse('2030-01-01T00:00:00.000Z')
const at = (minutes: number) => new Date(start + minutes * 60_000)

async function reserve(userId: string, credits: number, further: Partial<Reservation> = {}): Promise<string> {
  const expiresAt = new Date(app.services.now().getTime() + 600_000)
  const reservation = { userId, amountMicro: BigInt(credits * 1_000_000), reference: 'call:1', expiresAt, ...further }
  const hold = await app.services.money.reserve(ask.context, reservation)
  return hold?.holdId ?? 'none'
}
const settle = (holdId: string, credits: number) => app.services.money.settle(ask.context, holdId, BigInt(credits * 1_000_000))
const stand = async (userId: string) => {
  const { balance, reserved, available } = await ask.balance(userId)
  return [balance, reserved, available]
}
const typesOf = async (userId: string) => (await ask.entries(userId)).map(({ type }: { type: string }) => type)

describe('reserve', () => {
  test('keeps the amount in the balance, but not available', async () => {
    const userId = await ask.userWith(10)

    await reserve(userId, 6)

    expect(await stand(userId)).toEqual([10, 6, 4])
    expect((await ask.deduct({ user_id: userId, amount: 5 })).body).toMatchObject({
      code: 'insufficient_credits',
      available: 4,
      shortfall: 1,
    })
  })

  test('is shown with the balance until it is resolved', async () => {
    const { userId, session } = await app.given.session()
    await ask.grant({ user_id: userId, amount: 10 })
    const query = '{ creditBalance { reserved reservations { id amount reference } } }'
    const shown = async () => (await app.graphql(query, {}, { session })).body.data.creditBalance

    const holdId = await reserve(userId, 6)
    expect(await shown()).toEqual({ reserved: 6, reservations: [{ id: holdId, amount: 6, reference: 'call:1' }] })
    await settle(holdId, 1)
    expect(await shown()).toEqual({ reserved: 0, reservations: [] })
  })

  test('throws INSUFFICIENT_CREDITS, and keeps nothing', async () => {
    const userId = await ask.userWith(10)

    const failed = await reserve(userId, 11).catch((error: unknown) => error)

    expect(failed).toBeInstanceOf(AppError)
    expect((failed as AppError).extras).toEqual({ required: 11, available: 10, shortfall: 1 })
    expect(await stand(userId)).toEqual([10, 0, 10])
  })

  test('of 0 writes nothing, and opens no account', async () => {
    const reservation = { userId: `nobody-${uuid()}`, amountMicro: 0n, reference: 'call:1', expiresAt: at(0) }
    app.statements()

    expect(await app.services.money.reserve(ask.context, reservation)).toBeNull()
    expect(app.statements()).toBe(0)
  })

  test("belongs to the caller's transaction", async () => {
    const userId = await ask.userWith(10)
    const { database, money, now } = app.services
    const expiresAt = new Date(now().getTime() + 60_000)
    const reservation = { userId, amountMicro: 6_000_000n, reference: 'call:1', expiresAt }

    await expect(
      database.transaction(async tx => {
        await money.reserve(inTransaction(ask.context, tx), reservation)
        throw new Error('the call could not be written')
      }),
    ).rejects.toThrow('the call could not be written')

    expect(await stand(userId)).toEqual([10, 0, 10])
    expect(await typesOf(userId)).toEqual(['grant'])
  })
})

describe('settle', () => {
  test('charges the actual amount, and returns the rest', async () => {
    const userId = await ask.userWith(10)
    const holdId = await reserve(userId, 6)

    expect(await settle(holdId, 2.5)).toEqual({ chargedMicro: 2_500_000n })

    expect(await stand(userId)).toEqual([7.5, 0, 7.5])
    const entries = await ask.entries(userId)
    expect(entries.map(({ type, amount, reserved, hold_id }: Record<string, unknown>) => [type, amount, reserved, hold_id])).toEqual([
      ['release', 0, -3.5, holdId],
      ['settle', -2.5, -2.5, holdId],
      ['hold', 0, 6, holdId],
      ['grant', 10, 0, null],
    ])
  })

  test.each([
    [0, ['release', 'hold', 'grant']],
    [6, ['settle', 'hold', 'grant']],
  ])('of %d of 6', async (actual, types) => {
    const userId = await ask.userWith(10)

    await settle(await reserve(userId, 6), actual)

    expect(await stand(userId)).toEqual([10 - actual, 0, 10 - actual])
    expect(await typesOf(userId)).toEqual(types)
  })

  test('the rest returns to the grants that were debited last', async () => {
    const userId = await ask.userWith(0)
    for (const reference of ['first', 'second', 'third']) await ask.grant({ user_id: userId, amount: 2, reference })

    await settle(await reserve(userId, 5), 3)

    const { grants } = await ask.balance(userId)
    expect(grants.map(({ reference, remaining }: Record<string, unknown>) => [reference, remaining])).toEqual([
      ['second', 1],
      ['third', 2],
    ])
  })

  test('a second time changes nothing, and returns the first charge; a release after it changes nothing either', async () => {
    const userId = await ask.userWith(10)
    const holdId = await reserve(userId, 6)
    await settle(holdId, 2)

    expect(await settle(holdId, 5)).toEqual({ chargedMicro: 2_000_000n })
    await app.services.money.release(ask.context, holdId)

    expect(await stand(userId)).toEqual([8, 0, 8])
  })

  test('of more than was reserved throws RangeError', async () => {
    const userId = await ask.userWith(10)
    const holdId = await reserve(userId, 6)

    await expect(settle(holdId, 7)).rejects.toThrow(RangeError)
    await expect(settle(holdId, -1)).rejects.toThrow(RangeError)
    expect(await stand(userId)).toEqual([10, 6, 4])
  })

  test('of an expired hold charges at most the available credits', async () => {
    app.setNow(at(0))
    const userId = await ask.userWith(10)
    const [one, two] = [await reserve(userId, 4, { expiresAt: at(1) }), await reserve(userId, 6, { expiresAt: at(1) })]
    app.setNow(at(2))
    await ask.deduct({ user_id: userId, amount: 5 })

    expect(await settle(one, 3)).toEqual({ chargedMicro: 3_000_000n })
    expect(await settle(two, 6)).toEqual({ chargedMicro: 2_000_000n })
    expect(await settle(two, 6)).toEqual({ chargedMicro: 2_000_000n })

    expect(await stand(userId)).toEqual([0, 0, 0])
  })

  test('of an unknown hold is NOT_FOUND', async () => {
    await expect(settle(uuid(), 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('release', () => {
  test('returns everything, once', async () => {
    const userId = await ask.userWith(10)
    const holdId = await reserve(userId, 6)

    await app.services.money.release(ask.context, holdId)
    await app.services.money.release(ask.context, holdId)

    expect(await stand(userId)).toEqual([10, 0, 10])
    expect(await typesOf(userId)).toEqual(['release', 'hold', 'grant'])
    expect(await settle(holdId, 6)).toEqual({ chargedMicro: 0n })
    expect(await stand(userId)).toEqual([10, 0, 10])
  })
})

describe('time', () => {
  test('an expired hold is returned before the account is read', async () => {
    app.setNow(at(0))
    const userId = await ask.userWith(10)
    await reserve(userId, 6, { expiresAt: at(5) })

    app.setNow(new Date(at(5).getTime() - 1))
    expect(await stand(userId)).toEqual([10, 6, 4])
    app.setNow(at(5))
    expect(await typesOf(userId)).toEqual(['expire', 'hold', 'grant'])
    expect((await ask.deduct({ user_id: userId, amount: 10 })).status).toBe(200)
  })

  test('the task brings accounts up to date that no request reads', async () => {
    app.setNow(at(0))
    const users = await Promise.all([1, 2, 3].map(() => ask.userWith(10)))
    for (const userId of users) {
      await reserve(userId, 6, { expiresAt: at(5) })
      await ask.grant({ user_id: userId, amount: 5, expires_at: at(6).toISOString() })
      await ask.grant({ user_id: userId, amount: 7, effective_at: at(7).toISOString() })
    }
    app.setNow(at(8))

    await bringDueAccountsUpToDate(app.services)

    const accounts = await app.services.database.prisma.creditAccount.findMany({ where: { userId: { in: users } } })
    expect(accounts.map(({ balanceMicro, reservedMicro, dueAt }) => [balanceMicro, reservedMicro, dueAt])).toEqual(
      users.map(() => [17_000_000n, 0n, null]),
    )
    for (const userId of users) expect(await typesOf(userId)).toEqual(['expire', 'grant', 'expire', 'grant', 'hold', 'grant'])
  })

  test('an account that cannot be brought up to date does not block the others', async () => {
    app.setNow(at(0))
    const users = (await Promise.all([1, 2].map(() => ask.userWith(10)))).toSorted()
    for (const userId of users) await reserve(userId, 6, { expiresAt: at(5) })
    const [broken = '', intact = ''] = users
    const { prisma } = app.services.database
    const { status } = await prisma.creditHold.findFirstOrThrow({ where: { userId: broken } })
    await prisma.creditHold.updateMany({ where: { userId: broken }, data: { breakdown: 'nonsense' } })
    app.setNow(at(6))

    await bringDueAccountsUpToDate(app.services)

    expect(await stand(intact)).toEqual([10, 0, 10])
    expect(app.log.some(line => line.includes('could not be brought up to date') && line.includes(broken))).toBe(true)
    const grant = await prisma.creditGrant.findFirstOrThrow({ where: { userId: broken } })
    const breakdown = [{ grantId: grant.id, category: grant.category, micro: 6_000_000 }]
    await prisma.creditHold.updateMany({ where: { userId: broken }, data: { breakdown } })
    expect([status, await stand(broken)]).toEqual(['open', [10, 0, 10]])
  })
})

describe('who pays', () => {
  test("a session's user, the owner of a key's organization, the user that a service names", async () => {
    const { userId, session } = await app.given.session()
    const { userId: owner, key } = await app.given.apiKey()
    const query = '{ creditBalance { userId } }'

    expect((await app.graphql(query, {}, { session })).body.data.creditBalance.userId).toBe(userId)
    expect((await app.graphql(query, {}, { key })).body.data.creditBalance.userId).toBe(owner)
    expect((await ask.balance(owner)).user_id).toBe(owner)
  })

  test("of an organization's members its earliest owner pays", async () => {
    const { userId: owner, key, orgId } = await app.given.apiKey()
    const { prisma } = app.services.database
    for (const role of ['member', 'owner']) {
      const { userId } = await app.given.organization()
      await prisma.membership.create({ data: { userId, organizationId: orgId, role } })
    }

    expect((await app.graphql('{ creditBalance { userId } }', {}, { key })).body.data.creditBalance.userId).toBe(owner)
  })
})
