// The outbox as its readers meet it: everything committed from then on, once, whoever wrote it and however long that took.

import pg from 'pg'
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBell } from '../../src/database/bell.ts'
import { type Database, openDatabase } from '../../src/database/client.ts'
import { createListener } from '../../src/database/listener.ts'
import { createOutbox, type Outbox, type OutboxEvent } from '../../src/outbox.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

interface Process {
  database: Database
  outbox: Outbox
  stop(): Promise<void>
}

const log = pino({ level: 'silent' })
let shared: TestDatabase
let one: Process
let other: Process
let orgId = ''
const open: pg.Client[] = []

async function startProcess(url: string): Promise<Process> {
  const database = openDatabase({ url, poolSize: 4 })
  const listener = await createListener(database, log)
  const bell = createBell(database, listener)
  const outbox = createOutbox(database, log, bell)
  return {
    database,
    outbox,
    async stop() {
      await outbox.close()
      await bell.stop()
      await listener.stop()
      await database.close()
    },
  }
}
async function connected(url = shared.url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  open.push(client)
  return client
}

beforeAll(async () => {
  shared = await createTestDatabase()
  one = await startProcess(shared.url)
  other = await startProcess(shared.url)
})
beforeEach(() => {
  orgId = uuid()
})
afterAll(async () => {
  await Promise.all(open.map(client => client.end()))
  await Promise.all([one.stop(), other.stop()])
  await shared.drop()
})

const insert = (on: pg.Client, name: string, org = orgId) =>
  on.query(
    `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, changes)
     values ($1, $2, 'contact.updated', 'contact', $3, 'system', 'system', 'test', 'r', '{}')`,
    [uuid(), org, name],
  )
/** The names of the next events; fewer when no more come within the time. */
async function names(events: AsyncIterator<OutboxEvent>, count: number, withinMs = 3000): Promise<string[]> {
  const found: string[] = []
  const late = new Promise<'late'>(resolve => setTimeout(resolve, withinMs, 'late'))
  while (found.length < count) {
    const next = await Promise.race([events.next(), late])
    if (next === 'late' || next.done) break
    found.push(next.value.entityId)
  }
  return found
}

describe('follow', () => {
  test('tells what is committed after it resolved, not before', async () => {
    const writer = await connected()
    await insert(writer, 'before')

    const events = await one.outbox.follow(orgId)
    await insert(writer, 'after')
    one.outbox.announce()

    expect(await names(events, 2, 1500)).toEqual(['after'])
    await events.return?.()
  })

  test('tells of a transaction that began before and commits after', async () => {
    const [slow, quick] = [await connected(), await connected()]
    await slow.query('begin')
    await insert(slow, 'slow')

    const events = await one.outbox.follow(orgId)
    await insert(quick, 'quick')
    one.outbox.announce()
    expect(await names(events, 1)).toEqual(['quick'])
    await slow.query('commit')

    expect(await names(events, 1)).toEqual(['slow'])
    await events.return?.()
  })

  test('is not held up by a transaction that goes on for ever, here or in another database', async () => {
    const elsewhere = await createTestDatabase()
    const [here, there, writer] = [await connected(), await connected(elsewhere.url), await connected()]
    await here.query('begin')
    await insert(here, 'never', uuid())
    await there.query('begin')
    await insert(there, 'never', uuid())

    const events = await one.outbox.follow(orgId)
    for (const name of ['a', 'b', 'c']) await insert(writer, name)
    one.outbox.announce()

    expect(await names(events, 3)).toEqual(['a', 'b', 'c'])
    await here.query('rollback')
    await there.end()
    await events.return?.()
    await elsewhere.drop()
  })

  test('tells nothing that was rolled back', async () => {
    const writer = await connected()
    const events = await one.outbox.follow(orgId)

    await writer.query('begin')
    await insert(writer, 'undone')
    await writer.query('rollback')
    await insert(writer, 'done')
    one.outbox.announce()

    expect(await names(events, 2, 1500)).toEqual(['done'])
    await events.return?.()
  })

  test('tells everything once, in every process, while transactions of all lengths overlap', async () => {
    const writers = await Promise.all(Array.from({ length: 6 }, () => connected()))
    const [here, there] = [await one.outbox.follow(orgId), await other.outbox.follow(orgId)]

    const written = (
      await Promise.all(
        writers.map(async (writer, number) => {
          const done: string[] = []
          for (let round = 0; round < 25; round++) {
            const name = `${number}.${round}`
            const undo = round % 5 === 4
            await writer.query('begin')
            await insert(writer, name)
            await new Promise(resolve => setTimeout(resolve, Math.random() * 20))
            await writer.query(undo ? 'rollback' : 'commit')
            if (!undo) done.push(name)
            one.outbox.announce()
          }
          return done
        }),
      )
    ).flat()

    for (const events of [here, there]) {
      const told = await names(events, written.length + 1, 2500)
      expect(told.toSorted()).toEqual(written.toSorted())
      for (let number = 0; number < writers.length; number++) {
        const own = told.filter(name => name.startsWith(`${number}.`))
        expect(own).toEqual(written.filter(name => name.startsWith(`${number}.`)))
      }
      await events.return?.()
    }
  }, 20_000)

  test('hears of what another process wrote at once, and within about a second of what nobody announced', async () => {
    const writer = await connected()
    const events = await one.outbox.follow(orgId)

    const started = performance.now()
    await insert(writer, 'announced')
    other.outbox.announce()
    expect(await names(events, 1)).toEqual(['announced'])
    const announcedMs = performance.now() - started
    await insert(writer, 'silent')
    expect(await names(events, 1)).toEqual(['silent'])

    expect(announcedMs).toBeLessThan(700)
    await events.return?.()
  })

  test('tells an organization its own events only', async () => {
    const writer = await connected()
    const events = await one.outbox.follow(orgId)

    await insert(writer, 'theirs', uuid())
    await insert(writer, 'ours')
    one.outbox.announce()

    expect(await names(events, 1)).toEqual(['ours'])
    await events.return?.()
  })

  test('ends with its signal, even while nothing happens', async () => {
    const leaving = new AbortController()
    const events = await one.outbox.follow(orgId, leaving.signal)

    const waiting = events.next()
    leaving.abort()

    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await events.next()).toEqual({ done: true, value: undefined })
    const late = await one.outbox.follow(orgId, AbortSignal.abort())
    expect(await late.next()).toEqual({ done: true, value: undefined })
  })

  test('tells a reader who does not read to begin anew', async () => {
    const writer = await connected()
    const events = await one.outbox.follow(orgId)

    await writer.query(
      `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, changes)
       select gen_random_uuid(), $1, 'contact.updated', 'contact', n, 'system', 'system', 'test', 'r', '{}' from generate_series(1, 1500) n`,
      [orgId],
    )
    one.outbox.announce()
    await new Promise(resolve => setTimeout(resolve, 1200))

    await expect(events.next()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  test('goes on after the database was away', async () => {
    const writer = await connected()
    const events = await one.outbox.follow(orgId)

    await writer.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like $1',
      ['rolocom%'],
    )
    await insert(writer, 'meanwhile')

    expect(await names(events, 1, 10_000)).toEqual(['meanwhile'])
    await events.return?.()
  })

  test('ends for everybody when the outbox is closed', async () => {
    const process = await startProcess(shared.url)
    const events = await process.outbox.follow(orgId)
    const waiting = events.next()

    await process.stop()

    expect(await waiting).toEqual({ done: true, value: undefined })
  })
})
