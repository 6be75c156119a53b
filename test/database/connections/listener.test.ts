import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/client.ts'
import { createListener } from '../../../src/database/notifications/listener.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { startWire } from '../../support/wire.ts'

const log = pino({ level: 'silent' })
const scratch = await keepOpen(createTestDatabase())
const database = await keepOpen(openDatabase({ url: scratch.url, poolSize: 4 }))
const listener = await keepOpen(createListener(database, log))

const notify = (channel: string, payload: string) => query(scratch.url, 'select pg_notify($1, $2)', [channel, payload])
const cut = () =>
  query(
    scratch.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rolocom listener' and datname = current_database()`,
  )

describe('the listener', () => {
  test('receives notifications in commit order', async () => {
    const received: string[] = []
    listener.on('test_order', payload => received.push(payload))
    await listener.settle()

    for (const payload of ['one', 'two', 'three']) await notify('test_order', payload)

    await expect.poll(() => received).toEqual(['one', 'two', 'three'])
  })

  test('follows the clock of the database', async () => {
    for (let i = 0; i < 5; i++) {
      const before = listener.databaseNow()
      const [row] = await query<{ now: Date }>(scratch.url, 'select clock_timestamp() as now')
      const after = listener.databaseNow()
      // 50 ms: what a round trip may hide at most on a busy machine.
      expect(row && row.now.getTime() - before.getTime()).toBeGreaterThan(-50)
      expect(row && after.getTime() - row.now.getTime()).toBeGreaterThan(-50)
    }
  })

  test('is distrusted when its connection is lost, and reconnects by itself', async () => {
    const received: string[] = []
    let distrusted = 0
    listener.on('test_again', payload => received.push(payload))
    listener.onDistrust(() => distrusted++)
    expect(listener.isTrusted()).toBe(true)

    await cut()
    await expect.poll(() => distrusted).toBe(1)
    await expect.poll(() => listener.isTrusted()).toBe(true)

    await notify('test_again', 'back')
    await expect.poll(() => received).toEqual(['back'])
  })

  test('settles only when every other listener has handled all earlier commits', async () => {
    const other = await createListener(database, log)
    try {
      // A process that came a moment ago waits for those that may have gone before it; that is over after a lease.
      await new Promise(resolve => setTimeout(resolve, 2200))
      for (let round = 0; round < 20; round++) {
        const received: string[] = []
        other.on(`test_settled_${round}`, payload => received.push(payload))
        await other.settle()
        await notify(`test_settled_${round}`, 'done')

        const begun = performance.now()
        await listener.settle()

        expect(received).toEqual(['done'])
        // Less than the 2 s after which an unanswered one is taken for distrusted.
        expect(performance.now() - begun).toBeLessThan(1900)
      }
    } finally {
      await other.stop()
    }
  })

  test('distrusts itself when its connection is silent; others wait until then', async () => {
    const wire = await startWire(scratch.url)
    const behind = openDatabase({ url: wire.url, poolSize: 2 })
    const cutOff = await createListener(behind, log)
    try {
      expect(cutOff.isTrusted()).toBe(true)
      wire.freeze()

      await listener.settle()

      expect(cutOff.isTrusted()).toBe(false)
      wire.thaw()
      await expect.poll(() => cutOff.isTrusted(), { timeout: 10_000 }).toBe(true)
    } finally {
      await cutOff.stop()
      await behind.close()
      await wire.stop()
    }
  })

  test('does not wait for a listener that has stopped', async () => {
    const other = await createListener(database, log)
    await other.stop()

    const begun = performance.now()
    await listener.settle()

    expect(performance.now() - begun).toBeLessThan(1900)
  })

  test('settles without a connection too, after the time in which it is distrusted', async () => {
    const lonely = await createListener(database, log)
    await lonely.stop()

    const begun = performance.now()
    await lonely.settle()

    expect(lonely.isTrusted()).toBe(false)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(2000)
  })
})
