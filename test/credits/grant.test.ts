// POST /api/credits/grant, /void and /adjust: the order in which grants are debited, their beginning and end.

import { afterEach, describe, expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { asking } from './asking.ts'

const app = await openApp({ env: { CREDITS_NEW_USER_GRANT: '0' } })
const ask = asking(app)
afterEach(() => app.setNow(null))

const minute = 60_000
const start = Date.parse('2030-01-01T00:00:00.000Z')
const at = (minutes: number) => new Date(start + minutes * minute)

describe('201', () => {
  test('gives the amount, and returns the balance before and after', async () => {
    const userId = await ask.userWith(1)

    const { status, body } = await ask.grant({ user_id: userId, amount: 2.5, reference: 'invoice:7', expires_at: '2099-01-01T00:00:00Z' })

    expect([status, body]).toEqual([
      201,
      {
        grant: {
          id: expect.any(String),
          amount: 2.5,
          remaining: 2.5,
          category: 'paid',
          priority: 50,
          status: 'active',
          reference: 'invoice:7',
          effective_at: expect.any(String),
          expires_at: '2099-01-01T00:00:00.000Z',
          created_at: expect.any(String),
        },
        transaction: {
          transaction_id: expect.any(String),
          user_id: userId,
          amount: 2.5,
          balance_before: 1,
          balance_after: 3.5,
          available: 3.5,
          breakdown: [{ grant_id: body.grant.id, category: 'paid', amount: 2.5 }],
          reference: 'invoice:7',
          created_at: expect.any(String),
        },
      },
    ])
  })

  test('grants are debited by priority, then the soonest end, then promotional, then the oldest', async () => {
    const userId = await ask.userWith(0)
    const given: Record<string, string> = {}
    const grants = {
      oldest: {},
      promotional: { category: 'promotional' },
      'ends late': { expires_at: '2099-02-01T00:00:00Z' },
      'ends soon': { expires_at: '2099-01-01T00:00:00Z' },
      'ends soon, promotional': { expires_at: '2099-01-01T00:00:00Z', category: 'promotional' },
      last: { priority: 100, category: 'promotional', expires_at: '2098-01-01T00:00:00Z' },
      first: { priority: 0 },
      newest: {},
    }
    for (const [name, grant] of Object.entries(grants))
      given[(await ask.grant({ user_id: userId, amount: 1, ...grant })).body.grant.id] = name

    const { body } = await ask.deduct({ user_id: userId, amount: 7.5 })

    expect(body.breakdown.map((part: { grant_id: string; amount: number }) => [given[part.grant_id], part.amount])).toEqual([
      ['first', 1],
      ['ends soon, promotional', 1],
      ['ends soon', 1],
      ['ends late', 1],
      ['promotional', 1],
      ['oldest', 1],
      ['newest', 1],
      ['last', 0.5],
    ])
    const { grants: left } = await ask.balance(userId)
    expect(left.map(({ id, remaining }: { id: string; remaining: number }) => [given[id], remaining])).toEqual([['last', 0.5]])
  })

  test('a grant that begins later adds to the balance from then on', async () => {
    app.setNow(at(0))
    const userId = await ask.userWith(1)

    const { body } = await ask.grant({ user_id: userId, amount: 5, effective_at: at(10).toISOString() })

    expect([body.transaction, body.grant.status]).toEqual([null, 'pending'])
    expect((await ask.deduct({ user_id: userId, amount: 2 })).status).toBe(402)
    expect(await ask.balance(userId)).toMatchObject({ balance: 1, grants: [{ status: 'active' }, { status: 'pending' }] })
    app.setNow(at(10))
    expect((await ask.deduct({ user_id: userId, amount: 2 })).body.balance_after).toBe(4)
    expect((await ask.entries(userId)).map(({ type, amount }: { type: string; amount: number }) => [type, amount])).toEqual([
      ['debit', -2],
      ['grant', 5],
      ['grant', 1],
    ])
  })

  test('the rest of a grant expires with it', async () => {
    app.setNow(at(0))
    const userId = await ask.userWith(1)
    await ask.grant({ user_id: userId, amount: 5, expires_at: at(10).toISOString(), category: 'promotional' })
    await ask.deduct({ user_id: userId, amount: 2 })

    app.setNow(new Date(at(10).getTime() - 1))
    expect(await ask.balance(userId)).toMatchObject({ balance: 4, next_expiry: at(10).toISOString() })
    app.setNow(at(10))
    expect(await ask.balance(userId)).toMatchObject({ balance: 1, next_expiry: null })

    const [entry] = await ask.entries(userId)
    expect(entry).toMatchObject({ type: 'expire', amount: -3, actor: { type: 'system', name: 'credits' }, operation: 'creditsDue' })
    expect((await ask.deduct({ user_id: userId, amount: 2 })).status).toBe(402)
  })
})

describe('422', () => {
  test.each([
    [{ amount: -1 }, 'amount', 'greater_than'],
    [{ amount: 0 }, 'amount', 'greater_than'],
    [{ amount: 1e-7 }, 'amount', 'decimal_max_places'],
    [{ amount: 1e308 }, 'amount', 'less_than'],
    [{ amount: '1' }, 'amount', 'float_type'],
    [{ amount: 1, priority: 101 }, 'priority', 'less_than_equal'],
    [{ amount: 1, priority: 1.5 }, 'priority', 'int_from_float'],
    [{ amount: 1, category: 'stolen' }, 'category', 'enum'],
    [{ amount: 1, expires_at: '2001-01-01T00:00:00Z' }, 'expires_at', 'value_error'],
    [{ amount: 1, effective_at: '2099-01-02T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' }, 'expires_at', 'value_error'],
    [{ amount: 1, expires_at: 'tomorrow' }, 'expires_at', 'datetime_parsing'],
    [{ amount: 1, balance: 5 }, 'balance', 'extra_forbidden'],
  ])('%j', async (body, field, type) => {
    const userId = await ask.userWith(1)

    const answer = await ask.grant({ user_id: userId, ...body })

    expect([answer.status, answer.body.detail]).toEqual([422, [expect.objectContaining({ loc: ['body', field], type })]])
    expect((await ask.balance(userId)).balance).toBe(1)
  })

  test('an account has less than a billion credits, with grants that begin later', async () => {
    const userId = await ask.userWith(500_000_000)
    await ask.grant({ user_id: userId, amount: 400_000_000, effective_at: '2099-01-01T00:00:00Z' })

    expect((await ask.grant({ user_id: userId, amount: 100_000_000 })).body.detail[0].loc).toEqual(['body', 'amount'])
    expect((await ask.grant({ user_id: userId, amount: 99_999_999.999999 })).status).toBe(201)
  })
})

describe('who may', () => {
  test('401 for every caller but a service; 404 for an unknown user', async () => {
    const { session, userId } = await app.given.session()
    const body = { user_id: userId, amount: 5 }

    expect((await ask.rest('POST', '/api/credits/grant', { session, body })).status).toBe(401)
    expect((await ask.rest('POST', '/api/credits/grant', { headers: { 'x-guest-id': 'guest' }, body })).status).toBe(401)
    expect((await ask.grant({ user_id: 'nobody', amount: 5 })).status).toBe(404)
    expect((await ask.balance(userId)).balance).toBe(0)
  })

  test('a retry with the same Idempotency-Key grants once', async () => {
    const userId = await ask.userWith(0)
    const give = () => ask.grant({ user_id: userId, amount: 5 }, { 'idempotency-key': `top-up-${userId}` })

    const answers = [await give(), await give()]

    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect((await ask.balance(userId)).balance).toBe(5)
  })
})

describe('POST /api/credits/grants/{grant_id}/void', () => {
  test('takes back the rest; spent credits stay spent', async () => {
    const userId = await ask.userWith(10)
    await ask.deduct({ user_id: userId, amount: 4 })
    const [{ id }] = (await ask.balance(userId)).grants

    const { status, body } = await ask.voidGrant(id, { reference: 'chargeback' })

    expect([status, body]).toEqual([200, expect.objectContaining({ id, amount: 10, remaining: 0, status: 'voided' })])

    expect((await ask.balance(userId)).balance).toBe(0)
    expect((await ask.entries(userId))[0]).toMatchObject({ type: 'void', amount: -6, reference: 'chargeback' })
    expect((await ask.voidGrant(id)).status).toBe(409)
  })

  test('credits that a hold returns to it expire at once', async () => {
    const userId = await ask.userWith(10)
    const [{ id }] = (await ask.balance(userId)).grants
    const { money } = app.services
    const expiresAt = new Date(Date.now() + minute)
    const hold = await money.reserve(ask.context, { userId, amountMicro: 3_000_000n, reference: 'work', expiresAt })

    await ask.voidGrant(id)
    expect(await ask.balance(userId)).toMatchObject({ balance: 3, reserved: 3, available: 0 })
    await money.settle(ask.context, hold?.holdId ?? '', 1_000_000n)

    expect(await ask.balance(userId)).toMatchObject({ balance: 0, reserved: 0 })
    expect((await ask.entries(userId)).slice(0, 3).map(({ type }: { type: string }) => type)).toEqual(['expire', 'release', 'settle'])
  })

  test('a grant that has not begun never begins', async () => {
    app.setNow(at(0))
    const userId = await ask.userWith(0)
    const { body } = await ask.grant({ user_id: userId, amount: 5, effective_at: at(10).toISOString() })
    await ask.voidGrant(body.grant.id)

    app.setNow(at(11))

    expect((await ask.balance(userId)).balance).toBe(0)
    expect(await ask.entries(userId)).toEqual([])
  })

  test.each(['nonsense', '019a0000-0000-7000-8000-000000000000'])('404 for %s', async id => {
    expect((await ask.voidGrant(id)).status).toBe(404)
  })
})

describe('POST /api/credits/adjust', () => {
  test('corrects in both directions, by a further entry', async () => {
    const userId = await ask.userWith(10)
    const adjust = async (amount: unknown) => {
      const { status, body } = await ask.adjust({ user_id: userId, amount, reference: 'ticket 9' })
      return [status, body.balance_after]
    }

    expect(await adjust(2.5)).toEqual([200, 12.5])
    expect(await adjust(-12)).toEqual([200, 0.5])
    expect(await adjust(-1)).toEqual([402, undefined])
    expect(await adjust(0)).toEqual([422, undefined])
    expect(await adjust(1e-7)).toEqual([422, undefined])
    expect(await adjust('1')).toEqual([422, undefined])

    expect((await ask.entries(userId, '?type=adjust')).map(({ amount }: { amount: number }) => amount)).toEqual([-12, 2.5])
  })

  test('requires a reference; 401 for users', async () => {
    const { session, userId } = await app.given.session()

    expect((await ask.adjust({ user_id: userId, amount: 1 })).body.detail[0].loc).toEqual(['body', 'reference'])
    const body = { user_id: userId, amount: 1, reference: 'because' }
    expect((await ask.rest('POST', '/api/credits/adjust', { session, body })).status).toBe(401)
    expect((await ask.rest('POST', `/api/credits/grants/${userId}/void`, { session, body: {} })).status).toBe(401)
  })
})
