// Delivers the outbox's events to followers in this process: each event that is committed after they began, once, late commits included.

import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../database/client.ts'
import { renumberRestored } from '../../database/migrations/restored.ts'
import type { Notifier } from '../../database/notifications/notifier.ts'
import { startPolling } from '../tasks/poll-loop.ts'
import { hasManyEvents, type OutboxEvent, readCluster, readEvents, readEventsOf, readSnapshot } from './event.sql.ts'
import { Follower, type Item, mapped, maxWaiting } from './follower.ts'
import type { EventType } from './names.ts'
import { firstMissing, hasReceived, type Position, type Snapshot, shows, snapshotOf } from './position.ts'

export interface Outbox {
  /** Notifies the readers in every process that an event was written; they poll soon after. */
  announce(): void
  /**
   * The organization's events from now on: every event that is committed after this resolves. Ends when the signal is aborted or the outbox
   * is closed. A follower that falls 1,000 events behind gets UNAVAILABLE, and should read the current state again.
   */
  follow(orgId: string, signal?: AbortSignal): Promise<AsyncIterableIterator<OutboxEvent>>
  /**
   * The same of the wanted events, with the position after each, for a follower that resumes: first the events that were committed since the
   * position. Without one it begins with the signal `following`. Where more than 1,000 of them were missed, or they are too far back, the
   * signal `read_afresh` takes their place.
   */
  resume(orgId: string, from: Position | null, wanted: Wanted, signal?: AbortSignal): Promise<AsyncIterableIterator<Item>>
  close(): Promise<void>
}

interface Wanted {
  entities: readonly string[]
  /** Null: all. */
  types: readonly EventType[] | null
}

const outboxChannel = 'rolocom_events'

// Polling delivers events whose notification was lost with its process, or was sent long before the commit.
const pollMs = 1000
// Per poll. A process that has missed more was disconnected for minutes; its followers must begin again.
const maxEvents = 10_000
// A day: events are kept for at least that long.
const maxAgeSeconds = 86_400

export function createOutbox(database: Database, log: Logger, notifier: Notifier): Outbox {
  const followers = new Map<string, Set<Follower>>()
  let seen: Snapshot | undefined
  let joining = 0
  let cluster = ''
  let isRestored = false
  let closed = false

  const pollOnce = async () => {
    if (isRestored) {
      await renumberRestored(database.url)
      isRestored = false
    }
    const since = seen
    if (!since) {
      const [row] = await database.query(readSnapshot)
      cluster = digestOf((await database.query(readCluster))[0]?.identifier ?? '')
      seen = row && snapshotOf(row.snapshot)
      // Those who follow already have missed what came before this snapshot.
      missedAll()
      return
    }
    const rows = await database.query(readEvents, [since.next, since.running, maxEvents])
    if (!rows[0]) return
    const now = (seen = snapshotOf(rows[0].snapshot))
    if (now.next < since.next) return restoredCluster()
    if (rows.length === maxEvents) return missedAll()
    for (const { event } of rows) {
      const group = event && followers.get(event.orgId)
      if (!group) continue
      const position = { cluster, at: secondsOf(event.createdAt), all: since, parts: [{ snapshot: now, sequence: event.sequence }] }
      for (const follower of group) if (follower.wants(event)) follower.push({ event, position })
    }
  }
  // Transaction ids only grow. Smaller ones mean that the address now leads to a restored copy, so the events just read are not delivered.
  const restoredCluster = async () => {
    log.warn('the database was replaced by a restored one; its events are renumbered')
    seen = undefined
    // Until it succeeds, each poll tries again and delivers nothing: events with higher transaction ids would be read at every poll.
    isRestored = true
    await pollOnce()
  }
  const everyFollower = () => [...followers.values()].flatMap(group => [...group])
  const here = (): Position => ({ cluster, at: secondsOf(new Date()), all: seen ?? { next: 0, running: [] }, parts: [] })
  const missedAll = () => {
    for (const follower of everyFollower()) follower.missed(here())
  }
  /** A follower of the events after `start`. */
  const enter = async (orgId: string, wanted: Wanted | null, signal: AbortSignal | undefined) => {
    // Until the follower is in its group. Otherwise a poll in between would begin with a new snapshot, and miss what was committed before it.
    joining++
    try {
      if (!closed && !signal?.aborted) await loop.poll()
      const follower = new Follower(wanted !== null, filterOf(wanted), () => {
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
      return { follower, start: here() }
    } finally {
      joining--
    }
  }
  /** Events up to `start` that a follower at the position has not received; null if they cannot be determined. */
  const missedSince = async (orgId: string, from: Position, wanted: Wanted, start: Position): Promise<Item[] | null> => {
    if (from.cluster !== start.cluster || from.all.next > start.all.next || from.at < start.at - maxAgeSeconds) return null
    const first = firstMissing(from)
    // Positions are not signed: whatever this one says, the next statement reads a bounded number of rows.
    const [since] = await database.query(hasManyEvents, [orgId, first])
    if (since?.hasMany) return null
    // Twice `maxWaiting`: the read includes events already received.
    const limit = 2 * maxWaiting
    const events = await database.query(readEventsOf, [orgId, first, wanted.entities, wanted.types, limit])
    if (events.length === limit) return null
    const missed = events.filter(event => shows(start.all, event.transactionId) && !hasReceived(from, event))
    if (missed.length > maxWaiting) return null
    missed.sort((one, other) => one.sequence - other.sequence)
    return missed.map(event => {
      const parts = [...from.parts, { snapshot: start.all, sequence: event.sequence }]
      return { event, position: event === missed.at(-1) ? start : { ...from, at: secondsOf(event.createdAt), parts } }
    })
  }
  const loop = startPolling({
    intervalMs: pollMs,
    async poll() {
      if (followers.size > 0 || joining > 0) await pollOnce()
      // Without followers, the next one begins with a new snapshot.
      else seen = undefined
    },
    onError: error => log.warn({ err: error }, 'the outbox could not be read; trying again'),
  })
  notifier.subscribe(outboxChannel, loop.notify)

  return {
    announce: () => notifier.notify(outboxChannel),
    async follow(orgId, signal) {
      const { follower } = await enter(orgId, null, signal)
      return mapped(follower, ({ event }) => (event ? [event] : []))
    },
    async resume(orgId, from, wanted, signal) {
      const { follower, start } = await enter(orgId, wanted, signal)
      if (from === null) follower.begin([{ event: null, signal: 'following', position: start }])
      else follower.begin((await missedSince(orgId, from, wanted, start)) ?? [{ event: null, signal: 'read_afresh', position: start }])
      return follower
    },
    async close() {
      closed = true
      const stopped = loop.stop()
      for (const follower of everyFollower()) follower.end()
      await stopped
    },
  }
}

function filterOf(wanted: Wanted | null): (event: OutboxEvent) => boolean {
  if (!wanted) return () => true
  const entities = new Set(wanted.entities)
  const types = wanted.types && new Set(wanted.types)
  return ({ entity, type }) => entities.has(entity) && (!types || types.has(type))
}

const secondsOf = (time: Date | string): number => Math.floor(new Date(time).getTime() / 1000)

// Clients see positions, but not whose PostgreSQL it is.
const digestOf = (identifier: string) => createHash('sha256').update(identifier).digest('base64url').slice(0, 10)
