// Following the outbox: every event committed after the start, exactly once, from any writer and any duration of its transaction.

import pg from 'pg'
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
// Declares the bulk operations that followers are not told of.
import '../../src/graphql/schema/root.ts'
import { type Database, openDatabase } from '../../src/database/client.ts'
import { createListener } from '../../src/database/notifications/listener.ts'
import { createNotifier } from '../../src/database/notifications/notifier.ts'
import type { OutboxEvent } from '../../src/kernel/events/event.sql.ts'
import { mapItems } from '../../src/kernel/events/follower.ts'
import { createOutbox, type Outbox } from '../../src/kernel/events/outbox.ts'
import { createTestDatabase } from '../support/database/database.ts'

interface Process {
  database: Database
  outbox: Outbox
  stop(): Promise<void>
}

const log = pino({ level: 'silent' })
let orgId = ''
const open: pg.Client[] = []

async function startProcess(url: string): Promise<Process> {
  const database = openDatabase({ url, poolSize: 4 })
  const listener = await createListener(database, log)
  const notifier = createNotifier(database, listener)
  const outbox = createOutbox(database, log, notifier)
  return {
    database,
    outbox,
    async stop() {
      await outbox.close()
      await notifier.stop()
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

const shared = await createTestDatabase()
const one = await startProcess(shared.url)
const other = await startProcess(shared.url)
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
/** The names of the next events; fewer when no more arrive within the time. */
async function names(events: AsyncIterator<OutboxEvent>, count: number, withinMs = 15_000): Promise<string[]> {
  const found: string[] = []
  const late = new Promise<'late'>(resolve => setTimeout(resolve, withinMs, 'late'))
  while (found.length < count) {
    const next = await Promise.race([events.next(), late])
    if (next === 'late' || next.done) break
    found.push(next.value.entityId)
  }
  return found
}

const insertMany = async (count: number) =>
  (await connected()).query(
    `insert into events (id, org_id, type, entity, entity_id, actor_type, door, operation, request_id, changes)
     select gen_random_uuid(), $1, 'contact.updated', 'contact', n, 'system', 'system', 'test', 'r', '{}' from generate_series(1, $2::int) n`,
    [orgId, count],
  )
const contacts = { entities: ['contact'], types: null }
const follow = async (outbox: Outbox, org: string, signal?: AbortSignal) =>
  mapItems(await outbox.resume(org, null, contacts, signal), ({ event }) => (event ? [event] : []))

describe('resume', () => {
  test('does not count the missed events towards the limit of the queue', async () => {
    const before = await one.outbox.resume(orgId, null, contacts)
    const { position } = (await before.next()).value
    await before.return?.()
    await insertMany(1000)

    const items = await one.outbox.resume(orgId, position, contacts)
    await insertMany(2)
    one.outbox.announce()
    await new Promise(resolve => setTimeout(resolve, 1200))

    const read: (string | null)[] = []
    while (read.length < 1002) read.push((await items.next()).value.event?.entityId ?? null)
    expect(read.slice(998)).toEqual(['999', '1000', '1', '2'])
    await items.return?.()
  })

  test('renumbers a restored database again after an error, and sends followers READ_AFRESH once', async () => {
    const listener = await createListener(one.database, log)
    let hasChanged = false
    const urls: string[] = []
    const database: Database = {
      ...one.database,
      // The first attempt to renumber fails.
      get url() {
        urls.push(urls.length === 0 ? 'postgres://127.0.0.1:1/none' : shared.url)
        return urls.at(-1) ?? ''
      },
      query: (async (statement: { name: string }, values: unknown[]) => {
        if (statement.name !== 'outbox_read' || !hasChanged) return one.database.query(statement as never, values)
        hasChanged = false
        return [{ snapshot: '3:3:', event: null }]
      }) as Database['query'],
    }
    const notifier = createNotifier(one.database, listener)
    const outbox = createOutbox(database, log, notifier)
    const items = await outbox.resume(orgId, null, contacts)
    await items.next()

    hasChanged = true
    const signal = await items.next()
    await insert(await connected(), 'later')
    const later = await items.next()

    expect(signal.value).toMatchObject({ signal: 'read_afresh' })
    expect(later.value).toMatchObject({ event: { entityId: 'later' } })
    expect(urls).toHaveLength(2)
    await outbox.close()
    await notifier.stop()
    await listener.stop()
  }, 20_000)
})

describe('follow', () => {
  test('delivers events that are committed after it resolved, not before', async () => {
    const writer = await connected()
    await insert(writer, 'before')

    const events = await follow(one.outbox, orgId)
    await insert(writer, 'after')
    one.outbox.announce()

    expect(await names(events, 2, 1500)).toEqual(['after'])
    await events.return?.()
  })

  test('loses no event while other organizations notify it', async () => {
    const client = await connected()
    const announcing = setInterval(() => one.outbox.announce(), 1)
    try {
      for (let round = 0; round < 50; round++) {
        const events = await follow(one.outbox, orgId)
        await insert(client, `round ${round}`)
        expect(await names(events, 1)).toEqual([`round ${round}`])
        await events.return?.()
      }
    } finally {
      clearInterval(announcing)
    }
  })

  test('delivers the events of a transaction that began before and commits after', async () => {
    const [slow, quick] = [await connected(), await connected()]
    await slow.query('begin')
    await insert(slow, 'slow')

    const events = await follow(one.outbox, orgId)
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

    const events = await follow(one.outbox, orgId)
    for (const name of ['a', 'b', 'c']) await insert(writer, name)
    one.outbox.announce()

    expect(await names(events, 3)).toEqual(['a', 'b', 'c'])
    await here.query('rollback')
    await there.end()
    await events.return?.()
    await elsewhere.drop()
  })

  test('does not deliver events that were rolled back', async () => {
    const writer = await connected()
    const events = await follow(one.outbox, orgId)

    await writer.query('begin')
    await insert(writer, 'undone')
    await writer.query('rollback')
    await insert(writer, 'done')
    one.outbox.announce()

    expect(await names(events, 1)).toEqual(['done'])
    expect(await names(events, 1, 1500)).toEqual([])
    await events.return?.()
  })

  test('delivers every event once, in every process, while transactions of all lengths overlap', async () => {
    const writers = await Promise.all(Array.from({ length: 6 }, () => connected()))
    const [here, there] = [await follow(one.outbox, orgId), await follow(other.outbox, orgId)]

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
      const told = [...(await names(events, written.length)), ...(await names(events, 1, 1500))]
      expect(told.toSorted()).toEqual(written.toSorted())
      for (let number = 0; number < writers.length; number++) {
        const own = told.filter(name => name.startsWith(`${number}.`))
        expect(own).toEqual(written.filter(name => name.startsWith(`${number}.`)))
      }
      await events.return?.()
    }
  }, 20_000)

  test('delivers events of another process at once, and those without a notification within about a second', async () => {
    const writer = await connected()
    const events = await follow(one.outbox, orgId)

    // One after the other: without a notification each would wait for the next poll, a second after the last.
    const announcedMs: number[] = []
    for (let round = 0; round < 4; round++) {
      const started = performance.now()
      await insert(writer, 'announced')
      other.outbox.announce()
      expect(await names(events, 1)).toEqual(['announced'])
      announcedMs.push(performance.now() - started)
    }
    await insert(writer, 'silent')
    expect(await names(events, 1)).toEqual(['silent'])

    expect(Math.min(...announcedMs.slice(1))).toBeLessThan(700)
    await events.return?.()
  })

  test('delivers only the events of its organization', async () => {
    const writer = await connected()
    const events = await follow(one.outbox, orgId)

    await insert(writer, 'theirs', uuid())
    await insert(writer, 'ours')
    one.outbox.announce()

    expect(await names(events, 1)).toEqual(['ours'])
    await events.return?.()
  })

  test('ends with its signal, even without events', async () => {
    const leaving = new AbortController()
    const events = await follow(one.outbox, orgId, leaving.signal)

    const waiting = events.next()
    leaving.abort()

    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await events.next()).toEqual({ done: true, value: undefined })
    const late = await follow(one.outbox, orgId, AbortSignal.abort())
    expect(await late.next()).toEqual({ done: true, value: undefined })
  })

  test('sends READ_AFRESH to a follower that does not read', async () => {
    const writer = await connected()
    const items = await one.outbox.resume(orgId, null, contacts)

    await insertMany(1500)
    // Events come in the order of their commits, so those before have come when this one has.
    const elsewhere = uuid()
    const last = await follow(one.outbox, elsewhere)
    await insert(writer, 'last', elsewhere)
    one.outbox.announce()
    expect(await names(last, 1)).toEqual(['last'])
    await last.return?.()

    expect((await items.next()).value).toMatchObject({ event: null, signal: 'read_afresh' })
    await items.return?.()
  })

  test('continues after the database was unreachable', async () => {
    const writer = await connected()
    const events = await follow(one.outbox, orgId)

    await writer.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like $1',
      ['rolocom%'],
    )
    await insert(writer, 'meanwhile')

    expect(await names(events, 1, 10_000)).toEqual(['meanwhile'])
    await events.return?.()
  })

  test('ends for all followers when the outbox is closed', async () => {
    const process = await startProcess(shared.url)
    const events = await follow(process.outbox, orgId)
    const waiting = events.next()

    await process.stop()

    expect(await waiting).toEqual({ done: true, value: undefined })
  })
})
