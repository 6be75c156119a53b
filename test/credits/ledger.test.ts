// The ledger: entries that cannot change, the audit, and the events of movements.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { auditCredits } from '../../src/credits/ledger/audit.ts'
import { openApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { asking } from './asking.ts'

const app = await openApp({ env: { CREDITS_NEW_USER_GRANT: '0', CREDITS_LOW_BALANCE: '100' } })
const ask = asking(app)

const refusal = (text: string) =>
  query(app.database.url, text).then(
    () => 'done',
    (error: Error) => error.message,
  )

describe('entries', () => {
  test('cannot be changed or deleted: the database refuses', async () => {
    const userId = await ask.userWith(10)

    expect(await refusal(`update credit_entries set amount_micro = 5 where user_id = '${userId}'`)).toContain('append-only: UPDATE refused')
    expect(await refusal(`delete from credit_entries where user_id = '${userId}'`)).toContain('append-only: DELETE refused')
    expect(await refusal('truncate credit_entries')).toContain('append-only: TRUNCATE refused')
    expect(await refusal(`delete from users where id = '${userId}'`)).toContain('credit_accounts_user_id_fkey')
    expect(await ask.entries(userId)).toHaveLength(1)
  })

  test('a balance cannot be negative, or less than its reserved amount: the database refuses', async () => {
    const userId = await ask.userWith(10)
    const set = (text: string) => refusal(`update credit_accounts set ${text} where user_id = '${userId}'`)

    expect(await set('balance_micro = -1')).toContain('credit_accounts_balance')
    expect(await set('reserved_micro = 10000001')).toContain('credit_accounts_reserved')
    expect(await set('reserved_micro = -1')).toContain('credit_accounts_reserved')
  })
})

describe('the audit', () => {
  const auditOf = async () => (await auditCredits(app.services.database)).findings
  const command = (...words: string[]) =>
    promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), ...words], {
      env: { PATH: process.env.PATH, DATABASE_URL: app.database.url, LOG_LEVEL: 'warn' },
    })

  // Each changes one value, as only a superuser can, and says how to restore it.
  const tampering: [what: string, finding: string, tamper: (userId: string) => [breaking: string, mending: string]][] = [
    [
      'a balance',
      'balance',
      id => [
        `update credit_accounts set balance_micro = balance_micro + 1 where user_id = '${id}'`,
        `update credit_accounts set balance_micro = balance_micro - 1 where user_id = '${id}'`,
      ],
    ],
    [
      'what is reserved',
      'reserved by entries',
      id => [
        `update credit_accounts set reserved_micro = 1 where user_id = '${id}'`,
        `update credit_accounts set reserved_micro = 0 where user_id = '${id}'`,
      ],
    ],
    [
      'the rest of a grant',
      'available by grants',
      id => [
        `update credit_grants set remaining_micro = remaining_micro - 1 where user_id = '${id}'`,
        `update credit_grants set remaining_micro = remaining_micro + 1 where user_id = '${id}'`,
      ],
    ],
    [
      'an entry that is taken away',
      'number of entries',
      id => [
        `update credit_accounts set entry_count = entry_count + 1 where user_id = '${id}'`,
        `update credit_accounts set entry_count = entry_count - 1 where user_id = '${id}'`,
      ],
    ],
    [
      'an entry of no account',
      'entries without an account',
      id => {
        const columns =
          'seq, id, type, amount_micro, reserved_micro, balance_after_micro, reserved_after_micro, breakdown, actor_type, door, operation, request_id, created_at'
        return [
          `insert into credit_entries (user_id, ${columns}) select 'ghost', ${columns} from credit_entries where user_id = '${id}'`,
          `alter table credit_entries disable trigger user; delete from credit_entries where user_id = 'ghost'; alter table credit_entries enable trigger user`,
        ]
      },
    ],
    [
      'an amount in an entry',
      'balance after entry 1',
      id => {
        const set = (micro: number) =>
          `alter table credit_entries disable trigger user; update credit_entries set amount_micro = ${micro} where user_id = '${id}'; alter table credit_entries enable trigger user`
        return [set(9_000_000), set(10_000_000)]
      },
    ],
    [
      'the kind of an entry',
      'direction of entry 1',
      id => {
        const set = (type: string) =>
          `alter table credit_entries disable trigger user; update credit_entries set type = '${type}' where user_id = '${id}'; alter table credit_entries enable trigger user`
        return [set('debit'), set('grant')]
      },
    ],
  ]

  test.each(tampering)('finds %s', async (_what, finding, tamper) => {
    const userId = await ask.userWith(10)
    const [breaking, mending] = tamper(userId)

    await query(app.database.url, breaking)
    const findings = await auditOf()
    await query(app.database.url, mending)

    expect(findings.map(({ what }) => what)).toContain(finding)
    expect(await auditOf()).toEqual([])
  })

  test('npm run rolocom -- audit credits ends with 0 when everything adds up, with 1 and a list when something does not', async () => {
    const userId = await ask.userWith(10)

    expect((await command('audit', 'credits')).stdout).toMatch(/^\d+ accounts, \d+ entries, 0 findings\n$/)
    await query(app.database.url, `update credit_accounts set balance_micro = 11000000 where user_id = '${userId}'`)
    const failed = await command('audit', 'credits').catch((error: { code: number; stdout: string }) => error)
    await query(app.database.url, `update credit_accounts set balance_micro = 10000000 where user_id = '${userId}'`)

    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining(`${userId}: balance should be 10, is 11`) })
  }, 120_000)
})

describe('events', () => {
  const eventsOf = (userId: string) =>
    query<{ type: string; changes: Record<string, unknown> }>(
      app.database.url,
      `select type, changes from events where entity = 'credits' and entity_id = '${userId}' order by transaction_id, id`,
    )
  const lows = async (userId: string) => (await eventsOf(userId)).filter(({ type }) => type === 'credits.low').length

  test('every movement writes one, in the organization of the account', async () => {
    const userId = await ask.userWith(1000)
    await ask.deduct({ user_id: userId, amount: 1.5, reference: 'report:1' })

    const events = await eventsOf(userId)

    expect(events.map(({ type }) => type)).toEqual(['credits.granted', 'credits.debited'])
    expect(events[1]?.changes).toEqual({
      transactionId: expect.any(String),
      micro: -1_500_000,
      reservedMicro: 0,
      balanceMicro: 998_500_000,
      availableMicro: 998_500_000,
      forOrganization: false,
      reference: 'report:1',
    })
  })

  test('a refused movement writes none', async () => {
    const userId = await ask.userWith(10)
    await ask.deduct({ user_id: userId, amount: 11 })
    expect(await eventsOf(userId)).toHaveLength(1)
  })

  test('credits.low is written once per crossing, and again only after a clear recovery', async () => {
    const userId = await ask.userWith(101)
    const deduct = (amount: number) => ask.deduct({ user_id: userId, amount })
    const grant = (amount: number) => ask.grant({ user_id: userId, amount })

    await deduct(1)
    expect(await lows(userId)).toBe(0)
    await deduct(0.5)
    expect(await lows(userId)).toBe(1)
    await deduct(50)
    expect(await lows(userId)).toBe(1)
    // 109.5: above the threshold, but not by a tenth.
    await grant(60)
    await deduct(20)
    expect(await lows(userId)).toBe(1)
    // 110.5
    await grant(21)
    await deduct(20)
    expect(await lows(userId)).toBe(2)
  })

  test('a hold can cross the threshold too; an account that begins below it has not crossed it', async () => {
    const [userId, poor] = [await ask.userWith(150), await ask.userWith(5)]
    const expiresAt = new Date(Date.now() + 60_000)

    await app.services.money.reserve(ask.context, { userId, amountMicro: 60_000_000n, reference: 'call:1', expiresAt })
    await ask.deduct({ user_id: poor, amount: 1 })

    expect([await lows(userId), await lows(poor)]).toEqual([1, 0])
  })

  test('of 50 concurrent deducts one crosses', async () => {
    const userId = await ask.userWith(120)
    await Promise.all(Array.from({ length: 50 }, () => ask.deduct({ user_id: userId, amount: 1 })))
    expect(await lows(userId)).toBe(1)
  })
})
