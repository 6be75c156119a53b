// A server that dials with a fake provider, and how tests look at its calls.

import pg from 'pg'
import { beforeEach } from 'vitest'
import { openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { givenCallFixture } from '../call-fixture.ts'
import { type FakeProvider, fakeProvider } from '../fake-provider.ts'
import { report, secretOf } from '../report.ts'

/** The servers of a file. The provider forgets before each test, and the clock runs again. */
export async function openDispatching() {
  const provider: FakeProvider = fakeProvider()
  const usual = { ...provider }
  const env = { VOICE_PRICE_PER_MINUTE: '6', CREDITS_NEW_USER_GRANT: '100000' }
  const app = await openApp({ env, telephony: { simulator: provider } })
  /** Waits 50 ms for a provider. */
  const hasty = await openApp({ env: { ...env, VOICE_DISPATCH_WAIT_MS: '50' }, database: app.database, telephony: { simulator: provider } })
  beforeEach(() => {
    Object.assign(provider, { ...usual, placed: [], hungUp: [], messages: [] })
    app.setNow(null)
  })

  const placedFor = (id: string) => provider.placed.filter(order => order.callId === id)
  const later = (seconds: number) => app.setNow(new Date(Date.now() + seconds * 1000))
  const ofDay = (n: number) => `+4420794${String(n).padStart(5, '0')}`
  const balance = async (userId: string) => {
    const { rows } = await app.services.database.pool.query(
      'select balance_micro::float / 1e6 as balance, reserved_micro::float / 1e6 as reserved from credit_accounts where user_id = $1',
      [userId],
    )
    // The first request opens the account.
    return rows[0] ?? { balance: 100_000, reserved: 0 }
  }
  async function givenSlots(slots: number, at = app) {
    const fixture = await givenCallFixture(at)
    await at.graphql(`mutation { updateVoiceSettings(input: { concurrency: ${slots} }) { concurrency } }`, {}, { key: fixture.key })
    const secret = await secretOf(at, fixture)
    const end = (call_id: string) => report(at, secret, { call_id, status: 'completed', duration_seconds: 10 })
    return { ...fixture, secret, end }
  }
  // A pass waits for this lock before it claims calls.
  const passLock = `hashtextextended('voice turn ' || $1, 0)`
  /** Locks out an organization's passes, after those that hold or await the lock. Resolves with how they are let in again. */
  async function holdPasses(orgId: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: app.database.url })
    await client.connect()
    await client.query(`select pg_advisory_lock(${passLock})`, [orgId])
    return () => client.end()
  }
  const waitingPasses = async (orgId: string): Promise<number> => {
    const waiting = `select from pg_locks where locktype = 'advisory' and objsubid = 1 and not granted
      and (classid::bigint << 32 | objid::bigint) = ${passLock}`
    return (await query(app.database.url, waiting, [orgId])).length
  }
  const stored = async (orgId: string): Promise<number> =>
    (await query(app.database.url, 'select from calls where org_id = $1', [orgId])).length
  const stateOf = async (fixture: { read(id: string): Promise<{ dispatch_state: string }> }, id: string) =>
    (await fixture.read(id)).dispatch_state

  return { provider, usual, app, hasty, placedFor, later, ofDay, balance, givenSlots, holdPasses, waitingPasses, stored, stateOf }
}
