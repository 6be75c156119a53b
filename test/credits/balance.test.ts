// GET /api/credits/balance and /transactions.

import { describe, expect, test } from 'vitest'
import { seedFirst } from '../../prisma/seed/seed.ts'
import { type Json, openApp } from '../support/app.ts'
import { asking, asService } from './asking.ts'

const app = await openApp({ env: { CREDITS_NEW_USER_GRANT: '50', CREDITS_LOW_BALANCE: '20', ALLOW_USER_HEADER: '1' } })
const ask = asking(app)
await seedFirst(app.services)

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const asGuest = { 'x-guest-id': 'guest' }

describe('GET /api/credits/balance', () => {
  test('200: the signed-in user has the grant for new users', async () => {
    const { session, userId } = await app.given.session()

    const { status, body } = await ask.rest('GET', '/api/credits/balance', { session })

    expect([status, body]).toEqual([
      200,
      {
        user_id: userId,
        unit: 'credit',
        balance: 50,
        reserved: 0,
        available: 50,
        low_balance: false,
        low_balance_threshold: 20,
        next_expiry: null,
        grants: [
          {
            id: expect.any(String),
            amount: 50,
            remaining: 50,
            category: 'promotional',
            priority: 50,
            status: 'active',
            reference: 'new user',
            effective_at: time,
            expires_at: null,
            created_at: time,
          },
        ],
        as_of: time,
      },
    ])
  })

  test('200: low_balance is true when less than the threshold is available', async () => {
    const { session, userId } = await app.given.session()
    const isLow = async () => (await ask.rest('GET', '/api/credits/balance', { session })).body.low_balance

    await ask.deduct({ user_id: userId, amount: 30 })
    expect(await isLow()).toBe(false)
    await ask.deduct({ user_id: userId, amount: 0.000001 })
    expect(await isLow()).toBe(true)
  })

  test('200: the user in x-user-id for a service; in development also without its token', async () => {
    const { userId } = await app.given.organization()

    expect((await ask.balance(userId)).user_id).toBe(userId)
    expect((await ask.rest('GET', '/api/credits/balance', { headers: { 'x-user-id': userId } })).body.user_id).toBe(userId)
  })

  test("200: a guest sees the demo organization's", async () => {
    const { status, body } = await ask.rest('GET', '/api/credits/balance', { headers: asGuest })

    expect(status).toBe(200)
    expect(body.available).toBeGreaterThan(1000)
    expect(body.next_expiry).not.toBeNull()
  })

  test('401 without a credential and for an API key; 422 for a service that names no user; 404 for an unknown user', async () => {
    const { key } = await app.given.apiKey()
    const statusOf = async (asked: Json) => (await ask.rest('GET', '/api/credits/balance', asked)).status

    expect(await statusOf({})).toBe(401)
    expect(await statusOf({ key })).toBe(401)
    expect(await statusOf({ headers: asService })).toBe(422)
    expect(await statusOf({ headers: { ...asService, 'x-user-id': 'nobody' } })).toBe(404)
  })

  test('a cached session reads it by one statement', async () => {
    const { session } = await app.given.session()
    await ask.rest('GET', '/api/credits/balance', { session })

    // The smallest of several counts: on a busy machine a credential may expire from the cache between two requests.
    const counts: number[] = []
    for (let n = 0; n < 5; n++) {
      app.statements()
      await ask.rest('GET', '/api/credits/balance', { session })
      counts.push(app.statements())
    }

    expect(Math.min(...counts)).toBe(1)
  })

  test('an API key needs credits:read', async () => {
    const query = '{ creditBalance { available } }'
    const { orgId, key } = await app.given.apiKey({ scopes: ['credits:read'] })
    const { key: other } = await app.given.apiKey({ orgId, scopes: ['contacts:read'] })

    expect((await app.graphql(query, {}, { key })).body).toEqual({ data: { creditBalance: { available: 50 } } })
    expect((await app.graphql(query, {}, { key: other })).body.errors[0].extensions.code).toBe('FORBIDDEN')
  })
})

describe('GET /api/credits/transactions', () => {
  const list = (session: string, query = '') => ask.rest('GET', `/api/credits/transactions${query}`, { session })

  test('200: newest first, each with its actor, door and operation', async () => {
    const { session, userId } = await app.given.session()
    const { body: taken, headers } = await ask.deduct({ user_id: userId, amount: 1.5, reference: 'report:1' }, { 'x-request-id': 'mine' })

    const { status, body } = await list(session)

    expect([status, body]).toEqual([
      200,
      {
        data: [
          {
            id: taken.transaction_id,
            user_id: userId,
            type: 'debit',
            amount: -1.5,
            reserved: 0,
            balance_after: 48.5,
            available_after: 48.5,
            breakdown: taken.breakdown,
            hold_id: null,
            reference: 'report:1',
            actor: { type: 'service', id: null, name: null },
            door: 'rest',
            operation: 'DeductCredits',
            request_id: headers.get('x-request-id'),
            created_at: taken.created_at,
          },
          expect.objectContaining({
            type: 'grant',
            amount: 50,
            balance_after: 50,
            actor: { type: 'system', id: null, name: 'credits' },
            door: 'system',
          }),
        ],
        has_more: false,
        next_cursor: null,
        total: null,
      },
    ])
  })

  test('200: pages have every entry once, also while further entries are written', async () => {
    const { session, userId } = await app.given.session()
    for (let n = 0; n < 9; n++) await ask.deduct({ user_id: userId, amount: 1, reference: `n${n}` })
    const before = (await list(session)).body.data.map(({ id }: Json) => id)

    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Json = await list(session, `?limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ id }: Json) => id))
      cursor = body.next_cursor
      await ask.deduct({ user_id: userId, amount: 0.1 })
    }

    expect(seen).toEqual(before)
  })

  test('200: by type, and with the total', async () => {
    const { session, userId } = await app.given.session()
    for (let n = 0; n < 3; n++) await ask.deduct({ user_id: userId, amount: 1 })

    const all = (await list(session, '?limit=1&include=total')).body
    const debits = (await list(session, '?limit=2&include=total&type=debit')).body
    const rest = (await list(session, `?limit=2&type=debit&cursor=${debits.next_cursor}`)).body

    expect([all.total, all.data.length, all.has_more]).toEqual([4, 1, true])
    expect([debits.total, debits.data.map(({ type }: Json) => type), debits.has_more]).toEqual([3, ['debit', 'debit'], true])
    expect([rest.data.map(({ type, balance_after }: Json) => [type, balance_after]), rest.has_more]).toEqual([[['debit', 49]], false])
  })

  test('200: entries of several types are one list, newest first, without a gap or a repetition between its pages', async () => {
    const { session, userId } = await app.given.session()
    for (let n = 0; n < 3; n++) {
      await ask.deduct({ user_id: userId, amount: 1 })
      await ask.adjust({ user_id: userId, amount: 1, reference: 'correction' })
      await ask.grant({ user_id: userId, amount: 1 })
    }

    const types: string[] = []
    for (let cursor = '', more = true; more; ) {
      const { body } = await list(session, `?limit=2&include=total&type=debit&type=adjust${cursor && `&cursor=${cursor}`}`)
      expect(body.total).toBe(6)
      types.push(...body.data.map(({ type }: Json) => type))
      ;({ next_cursor: cursor, has_more: more } = body)
    }

    expect(types).toEqual(['adjust', 'debit', 'adjust', 'debit', 'adjust', 'debit'])
  })

  test("200: a guest sees the demo organization's; a user only their own", async () => {
    const { session } = await app.given.session()

    expect((await ask.rest('GET', '/api/credits/transactions', { headers: asGuest })).body.data.length).toBeGreaterThan(5)
    expect((await list(session)).body.data.map(({ type }: Json) => type)).toEqual(['grant'])
  })

  test('422 for a cursor of another list or user, an unknown parameter, and an unknown type', async () => {
    const [one, two] = [await app.given.session(), await app.given.session()]
    for (const { userId } of [one, two]) for (let n = 0; n < 3; n++) await ask.deduct({ user_id: userId, amount: 1 })
    const cursor = (await list(one.session, '?limit=1')).body.next_cursor
    const locOf = async (session: string, query: string) => {
      const { status, body } = await list(session, query)
      return [status, body.detail?.[0].loc.join('.')]
    }

    expect(await locOf(one.session, `?type=debit&cursor=${cursor}`)).toEqual([422, 'query.cursor'])
    expect(await locOf(two.session, `?cursor=${cursor}`)).toEqual([422, 'query.cursor'])
    expect(await locOf(one.session, '?cursor=nonsense')).toEqual([422, 'query.cursor'])
    expect(await locOf(one.session, '?kind=debit')).toEqual([422, 'query.kind'])
    expect(await locOf(one.session, '?type=theft')).toEqual([422, 'query.type'])
  })
})

describe('the dashboard', () => {
  test("shows a user's own credits, and a guest the demo organization's", async () => {
    const { session, userId } = await app.given.session()
    const of = async (asked: Json) => (await ask.rest('GET', '/api/dashboard', asked)).body.credits

    expect(await of({ session })).toMatchObject({ user_id: userId, available: 50 })
    expect((await of({ headers: asGuest })).available).toBeGreaterThan(1000)
  })
})
