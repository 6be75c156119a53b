// POST /api/credits/deduct: all or nothing, once, and never more than is available.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deductCredits } from '../../src/credits/ledger/transaction.ts'
import { openApp, startApp } from '../support/app.ts'
import { asking, asService } from './asking.ts'

const app = await openApp({ env: { CREDITS_NEW_USER_GRANT: '0' } })
const ask = asking(app)

const path = '/api/credits/deduct'

describe('200', () => {
  test('debits the amount, and returns the balance before and after', async () => {
    const userId = await ask.userWith(100)

    const { status, body } = await ask.deduct({ user_id: userId, amount: 12.5, reference: 'report:42' })

    expect([status, body]).toEqual([
      200,
      {
        transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user_id: userId,
        amount: 12.5,
        balance_before: 100,
        balance_after: 87.5,
        available: 87.5,
        breakdown: [{ grant_id: expect.any(String), category: 'paid', amount: 12.5 }],
        reference: 'report:42',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ])
    expect(await ask.balance(userId)).toMatchObject({ balance: 87.5, reserved: 0, available: 87.5 })
  })

  test('ten deducts of 0.1 are exactly 1', async () => {
    const userId = await ask.userWith(1)

    const balances: number[] = []
    for (let n = 0; n < 10; n++) balances.push((await ask.deduct({ user_id: userId, amount: 0.1 })).body.balance_after)

    expect(balances).toEqual([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0])
    expect((await ask.deduct({ user_id: userId, amount: 0.000001 })).status).toBe(402)
  })

  test('the smallest amount and one of 15 digits are exact', async () => {
    const userId = await ask.userWith(999_999_999.999999)

    expect((await ask.deduct({ user_id: userId, amount: 0.000001 })).body.balance_after).toBe(999_999_999.999998)
    expect((await ask.deduct({ user_id: userId, amount: 123_456_789.123456 })).body.balance_after).toBe(876_543_210.876542)
    expect((await ask.deduct({ user_id: userId, amount: 876_543_210.876542 })).body.balance_after).toBe(0)
  })

  test('a user without an account gets the grant for new users first', async () => {
    const other = await startApp({ env: { CREDITS_NEW_USER_GRANT: '10' }, database: app.database })
    const { userId } = await other.given.organization()

    const { body } = await asking(other).deduct({ user_id: userId, amount: 3 })
    await other.close()

    expect([body.balance_before, body.balance_after]).toEqual([10, 7])
  })
})

describe('who may', () => {
  test("401 without the service token, with a wrong one, and with users' credentials", async () => {
    const { key } = await app.given.apiKey()
    const { session, userId } = await app.given.session()
    await ask.grant({ user_id: userId, amount: 5 })
    const callers: Record<string, Record<string, string>> = {
      nobody: {},
      'a wrong token': { 'x-svc-services-token': 'not-the-service-token' },
      'the header of the enrichment API': { 'x-svc-service-token': asService['x-svc-services-token'] },
      'an API key': { authorization: `Bearer ${key}` },
      'a session': { authorization: `Bearer ${session}` },
      'a guest': { 'x-guest-id': 'guest' },
      'a session that never was, beside the service token': { ...asService, authorization: `Bearer ${randomUUID()}` },
    }

    for (const [caller, headers] of Object.entries(callers)) {
      const { status } = await ask.rest('POST', path, { headers, body: { user_id: userId, amount: 1 } })
      expect([caller, status]).toEqual([caller, 401])
    }
    expect((await ask.balance(userId)).balance).toBe(5)

    const beside = await ask.rest('POST', path, {
      headers: { ...asService, authorization: `Bearer ${session}` },
      body: { user_id: userId, amount: 1 },
    })
    expect([beside.status, beside.body.balance_after]).toEqual([200, 4])
  })

  test('403 with the service token in a browser', async () => {
    const { status } = await ask.deduct({ user_id: 'x', amount: 1 }, { origin: 'https://evil.example' })
    expect(status).toBe(403)
  })

  test('the schema of /graphql has it for no credential', async () => {
    const { session, userId } = await app.given.session()
    await ask.grant({ user_id: userId, amount: 5 })
    const query = `mutation { deductCredits(input: { userId: "${userId}", amount: 2 }) { balanceAfter } }`

    expect((await app.graphql(query, {}, { session })).body.errors[0].extensions.code).toBe('INVALID')
    expect((await app.graphql(query, {}, { headers: asService })).body.errors[0].extensions.code).toBe('INVALID')
    expect((await app.graphql('{ me { id } }', {}, { headers: asService })).body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
    expect((await ask.balance(userId)).balance).toBe(5)
  })
})

describe('402', () => {
  test('with too few credits nothing is debited, and the response has the shortfall', async () => {
    const userId = await ask.userWith(10)

    const { status, body } = await ask.deduct({ user_id: userId, amount: 10.000001 })

    expect([status, body]).toEqual([
      402,
      expect.objectContaining({ code: 'insufficient_credits', required: 10.000001, available: 10, shortfall: 0.000001 }),
    ])
    expect((await ask.balance(userId)).balance).toBe(10)
  })
})

describe('404', () => {
  test('for an unknown user', async () => {
    const { status, body } = await ask.deduct({ user_id: 'nobody-at-all', amount: 1 })
    expect([status, body.code]).toEqual([404, 'not_found'])
  })
})

describe('422', () => {
  // As text, because JSON has numbers that JavaScript has not.
  const amounts: [text: string, type: string][] = [
    ['-5', 'greater_than'],
    ['0', 'greater_than'],
    ['-0', 'greater_than'],
    ['1e-9', 'decimal_max_places'],
    ['-1e-9', 'greater_than'],
    ['0.1234567', 'decimal_max_places'],
    ['0.30000000000000004', 'decimal_max_places'],
    ['1e308', 'less_than'],
    ['1000000000', 'less_than'],
    ['1e400', 'finite_number'],
    ['"1"', 'float_type'],
    ['true', 'float_type'],
    ['[1]', 'float_type'],
    ['{}', 'float_type'],
    ['null', 'float_type'],
  ]

  test.each(amounts)('amount %s: %s, and the balance is unchanged', async (text, type) => {
    const userId = await ask.userWith(7)

    const { status, body } = await ask.deduct(`{"user_id":"${userId}","amount":${text}}`, { 'content-type': 'application/json' })

    expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['body', 'amount'], type })]])
    expect((await ask.balance(userId)).balance).toBe(7)
  })

  test('NaN is not JSON', async () => {
    const { status, body } = await ask.deduct('{"user_id":"x","amount":NaN}', { 'content-type': 'application/json' })
    expect([status, body.detail[0].type]).toEqual([422, 'json_invalid'])
  })

  test('the rule refuses these amounts as well, for every door', async () => {
    const userId = await ask.userWith(7)
    for (const amount of [-5, 0, 1e-9, -1e-9, 1e308, Number.NaN, Number.POSITIVE_INFINITY, 0.1234567])
      await expect(deductCredits(ask.context, { userId, amount })).rejects.toMatchObject({ code: 'INVALID' })
    expect((await ask.balance(userId)).balance).toBe(7)
  })

  test('problems of the rule are reported together with problems of the shape', async () => {
    const { body } = await ask.deduct({ amount: 1e-9, balance: 5 })

    expect(body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]).toSorted()).toEqual([
      ['body.amount', 'decimal_max_places'],
      ['body.balance', 'extra_forbidden'],
      ['body.user_id', 'missing'],
    ])
  })

  test('all problems are reported at once', async () => {
    const { body } = await ask.deduct({ amount: 'much', balance: 5, reference: 'x'.repeat(256) })

    expect(body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]).toSorted()).toEqual([
      ['body.amount', 'float_type'],
      ['body.balance', 'extra_forbidden'],
      ['body.reference', 'string_too_long'],
      ['body.user_id', 'missing'],
    ])
  })
})

describe('Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  test('a retry debits nothing, and has the response of the first request', async () => {
    const userId = await ask.userWith(10)

    const first = await ask.deduct({ user_id: userId, amount: 4 }, key('retry'))
    const second = await ask.deduct({ user_id: userId, amount: 4 }, key('retry'))

    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await ask.balance(userId)).balance).toBe(6)
  })

  test('422 for another amount with the same key', async () => {
    const userId = await ask.userWith(10)
    await ask.deduct({ user_id: userId, amount: 4 }, key('other'))

    const { status, body } = await ask.deduct({ user_id: userId, amount: 5 }, key('other'))

    expect([status, body.detail[0].loc]).toEqual([422, ['header', 'Idempotency-Key']])
    expect((await ask.balance(userId)).balance).toBe(6)
  })

  test('a refusal is not stored: after a grant a retry with the same key succeeds', async () => {
    const userId = await ask.userWith(1)
    expect((await ask.deduct({ user_id: userId, amount: 4 }, key('later'))).status).toBe(402)
    await ask.grant({ user_id: userId, amount: 5 })

    expect((await ask.deduct({ user_id: userId, amount: 4 }, key('later'))).body.balance_after).toBe(2)
  })

  test('of 50 concurrent requests one debits; of 25 each with two amounts those with one amount are answered', async () => {
    const userId = await ask.userWith(100)

    const same = await Promise.all(Array.from({ length: 50 }, () => ask.deduct({ user_id: userId, amount: 1 }, key('race'))))
    const mixed = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask.deduct({ user_id: userId, amount: n % 2 ? 10 : 20 }, key('mixed'))),
    )

    expect(same.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
    expect(new Set(same.filter(({ status }) => status === 200).map(({ body }) => body.transaction_id)).size).toBe(1)
    expect(mixed.filter(({ status }) => ![200, 409, 422].includes(status))).toEqual([])
    const taken = new Set(mixed.filter(({ status }) => status === 200).map(({ body }) => body.amount as number))
    expect(taken.size).toBe(1)
    expect((await ask.balance(userId)).balance).toBe(99 - [...taken].reduce((total, amount) => total + amount, 0))
  })
})
