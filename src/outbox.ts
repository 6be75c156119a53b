// Follows the outbox: whoever listens in this process gets every event committed from then on, once, late commits included.

import type { Logger } from 'pino'
import type { Bell } from './database/bell.ts'
import { type Database, statement } from './database/client.ts'
import { renumberRestored } from './database/restored.ts'
import { AppError } from './errors.ts'

/** A committed event, as its readers see it. */
export interface OutboxEvent {
  id: string
  orgId: string
  type: string
  entity: string
  entityId: string
  contactId: string | null
  changes: Record<string, unknown>
  createdAt: string
}

export interface Outbox {
  /** Says that an event was written. Readers in every process look soon after. */
  announce(): void
  /**
   * The organization's events from now on: once this resolves, nothing that is committed later is missed. Ends when the signal does or the
   * outbox is closed; throws UNAVAILABLE into the reader that falls 1,000 events behind, who had better read afresh.
   */
  follow(orgId: string, signal?: AbortSignal): Promise<AsyncIterableIterator<OutboxEvent>>
  close(): Promise<void>
}

const outboxChannel = 'rolocom_events'

// A transaction's events become visible when it commits, not in the order of its number. So what is new is what this statement sees
// and the last one did not: transactions that had not begun then, and those that were still running (`xmin:xmax:running,...`).
const readEvents = statement<{ snapshot: string } & (OutboxEvent | { id: null; orgId: null })>(
  'outbox_read',
  `select s.snapshot, e.id, e.org_id as "orgId", e.type, e.entity, e.entity_id as "entityId", e.contact_id as "contactId", e.changes,
     e.created_at as "createdAt"
   from (select pg_current_snapshot()::text as snapshot) s
   left join events e on e.transaction_id >= $1 or e.transaction_id = any($2::bigint[])
   order by e.transaction_id, e.id limit $3`,
)
const readSnapshot = statement<{ snapshot: string }>('outbox_snapshot', 'select pg_current_snapshot()::text as snapshot')

// An event whose announcement died with its process, or that was committed long after it, is still delivered, this much later.
const lookAgainMs = 1000
// Per look. A process that has missed more was cut off for minutes; its readers begin anew.
const mostEvents = 10_000
// Per follower. More than a screen can show, little enough to hold for a thousand followers.
const mostWaiting = 1000

/** What was visible at a moment. */
interface Moment {
  next: number
  running: number[]
}

export function createOutbox(database: Database, log: Logger, bell: Bell): Outbox {
  const followers = new Map<string, Set<Follower>>()
  let seen: Moment | undefined
  let looking: Promise<void> | undefined
  let again = false
  let closed = false

  const lookOnce = async () => {
    const since = seen
    if (!since) {
      const [row] = await database.query(readSnapshot)
      seen = row && momentOf(row.snapshot)
      return
    }
    const rows = await database.query(readEvents, [since.next, since.running, mostEvents])
    seen = rows[0] && momentOf(rows[0].snapshot)
    if (seen && seen.next < since.next) return anotherCluster()
    if (rows.length === mostEvents) return endAll(behind())
    for (const { snapshot: _, ...event } of rows)
      if (event.id !== null) for (const follower of followers.get(event.orgId) ?? []) follower.push(event)
  }
  // Transaction numbers only grow. Where they have not, the address leads to a restored copy, and what was read means nothing.
  const anotherCluster = async () => {
    log.warn('the database was replaced by a restored one; its events are renumbered')
    seen = undefined
    endAll(behind())
    await renumberRestored(database.url)
    await lookOnce()
  }
  /** Resolves once everything that was committed before the call has been delivered. */
  const look = (): Promise<void> => {
    if (looking) {
      again = true
      return looking
    }
    looking = (async () => {
      try {
        do {
          again = false
          await lookOnce()
        } while (again && !closed)
      } finally {
        looking = undefined
      }
    })()
    return looking
  }
  const glance = () => {
    if (closed) return
    // With nobody there, the next one begins with what is visible then.
    if (followers.size === 0) seen = undefined
    else look().catch((error: unknown) => log.warn({ err: error }, 'the outbox could not be read; trying again'))
  }
  const endAll = (error?: AppError) => {
    for (const group of followers.values()) for (const follower of [...group]) follower.end(error)
  }
  bell.heard(outboxChannel, glance)
  const timer = setInterval(glance, lookAgainMs).unref()

  return {
    announce: () => bell.ring(outboxChannel),
    async follow(orgId, signal) {
      if (!closed && !signal?.aborted) await look()
      const follower = new Follower(() => {
        const group = followers.get(orgId)
        group?.delete(follower)
        if (group?.size === 0) followers.delete(orgId)
        signal?.removeEventListener('abort', end)
      })
      const end = () => follower.end()
      if (closed || signal?.aborted) follower.end()
      else {
        const group = followers.get(orgId) ?? new Set()
        followers.set(orgId, group.add(follower))
        signal?.addEventListener('abort', end)
      }
      return follower
    },
    async close() {
      closed = true
      clearInterval(timer)
      endAll()
      await looking?.catch(() => {})
    },
  }
}

function momentOf(snapshot: string): Moment {
  const [, next = '', running = ''] = snapshot.split(':')
  return { next: Number(next), running: running ? running.split(',').map(Number) : [] }
}

const behind = () => new AppError('UNAVAILABLE', 'Too much happened to tell it all; read afresh and follow again', { retryAfter: 1 })

/** One reader's events. It is no generator, because a generator that waits cannot be stopped. */
class Follower implements AsyncIterableIterator<OutboxEvent> {
  readonly #events: OutboxEvent[] = []
  readonly #ended: () => void
  #readers: PromiseWithResolvers<IteratorResult<OutboxEvent>>[] = []
  #isOver = false
  #error: AppError | undefined

  constructor(ended: () => void) {
    this.#ended = ended
  }

  push(event: OutboxEvent): void {
    const reader = this.#readers.shift()
    if (reader) reader.resolve({ done: false, value: event })
    else if (this.#events.push(event) > mostWaiting) {
      this.#events.length = 0
      this.end(behind())
    }
  }

  /** Lets the reader have what is waiting, then ends. */
  end(error?: AppError): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#error = error
    this.#ended()
    for (const reader of this.#readers.splice(0)) reader.resolve(this.next())
  }

  async next(): Promise<IteratorResult<OutboxEvent>> {
    const event = this.#events.shift()
    if (event) return { done: false, value: event }
    if (!this.#isOver) {
      const reader = Promise.withResolvers<IteratorResult<OutboxEvent>>()
      this.#readers.push(reader)
      return reader.promise
    }
    const error = this.#error
    this.#error = undefined
    if (error) throw error
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<OutboxEvent>> {
    this.#events.length = 0
    this.end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
