// Delivers events of the outbox to the followers in this process. A follower receives each event that is committed after it began, once,
// including events of long transactions.

import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../database/client.ts'
import { renumberRestored } from '../../database/migrations/restored.ts'
import type { Notifier } from '../../database/notifications/notifier.ts'
import { allBulkOperations, type EventType } from '../nouns/events.ts'
import { startPolling } from '../queue/poll-loop.ts'
import { hasManyEvents, type OutboxEvent, readCluster, readEvents, readEventsOf, readSnapshot } from './event.sql.ts'
import { Follower, type Item, maxWaiting } from './follower.ts'
import { firstMissing, hasReceived, type Position, type Snapshot, shows, snapshotOf } from './position.ts'

export interface Outbox {
  /** Notifies the readers in every process that an event was written; they poll soon after. */
  announce(): void
  /**
   * The organization's wanted events, each with its position, for a follower that resumes: every event that is committed after this
   * resolves. First come those that were committed since the position; without a position, the signal `following`. If the follower has missed
   * more than 1,000 events, or the position is too old, it receives the signal `read_afresh` instead. Ends when the signal is aborted or the
   * outbox is closed.
   */
  resume(orgId: string, from: Position | null, wanted: Wanted, signal?: AbortSignal): Promise<AsyncIterableIterator<Item>>
  close(): Promise<void>
}

interface Wanted {
  entities: readonly string[]
  /** Null for all types. */
  types: readonly EventType[] | null
}

/** Notified when an event was written. */
export const outboxChannel = 'rolocom_events'

// Polling also delivers events whose notification was lost with its process, or was sent long before the commit.
const pollMs = 1000
// Per poll. A process that has missed more was disconnected for minutes; its followers must read the current state again.
const maxEvents = 10_000
// A day. Events are kept at least that long.
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
      // Followers that joined before this snapshot have missed the events before it.
      tellMissed()
      return
    }
    const rows = await database.query(readEvents, [since.next, since.running, maxEvents, allBulkOperations()])
    if (!rows[0]) return
    const now = (seen = snapshotOf(rows[0].snapshot))
    if (now.next < since.next) return onRestoredCluster()
    if (rows.length === maxEvents) return tellMissed()
    for (const { event } of rows) {
      const group = event && followers.get(event.orgId)
      if (!group) continue
      const position = { cluster, at: secondsOf(event.createdAt), all: since, parts: [{ snapshot: now, sequence: event.sequence }] }
      for (const follower of group) if (follower.wants(event)) follower.push({ event, position })
    }
  }
  // Transaction ids only grow. A smaller one means that the database was replaced by a restored copy, so the events just read are not
  // delivered.
  const onRestoredCluster = async () => {
    log.warn('the database was replaced by a restored one; its events are renumbered')
    seen = undefined
    // Stays true until a poll succeeds. Meanwhile nothing is delivered, because every poll would return the events with higher transaction
    // ids again.
    isRestored = true
    await pollOnce()
  }
  const everyFollower = () => [...followers.values()].flatMap(group => [...group])
  const currentPosition = (): Position => ({ cluster, at: secondsOf(new Date()), all: seen ?? { next: 0, running: [] }, parts: [] })
  const tellMissed = () => {
    for (const follower of everyFollower()) follower.tellMissed(currentPosition())
  }
  /** Creates a follower of the events after `start`. */
  const addFollower = async (orgId: string, wanted: Wanted, signal: AbortSignal | undefined) => {
    // Counts followers that are not in a group yet. Without it a poll in between would see no followers, and begin with a new snapshot,
    // missing the commits before it.
    joining++
    try {
      if (!closed && !signal?.aborted) await loop.poll()
      const follower = new Follower(filterOf(wanted), () => {
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
      return { follower, start: currentPosition() }
    } finally {
      joining--
    }
  }
  /** Events up to `start` that a follower at the position has not received; null if they cannot be determined. */
  const eventsMissedSince = async (orgId: string, from: Position, wanted: Wanted, start: Position): Promise<Item[] | null> => {
    if (from.cluster !== start.cluster || from.all.next > start.all.next || from.at < start.at - maxAgeSeconds) return null
    const first = firstMissing(from)
    // Positions are not signed: even for a forged one, the next statement reads a bounded number of rows.
    const [since] = await database.query(hasManyEvents, [orgId, first])
    if (since?.hasMany) return null
    // Twice `maxWaiting`, because the statement also returns events that the follower has received.
    const limit = 2 * maxWaiting
    const events = await database.query(readEventsOf, [orgId, first, wanted.entities, wanted.types, limit, allBulkOperations()])
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
      // There are no followers: the next one begins with a new snapshot.
      else seen = undefined
    },
    onError: error => log.warn({ err: error }, 'the outbox could not be read; trying again'),
  })
  notifier.subscribe(outboxChannel, loop.notify)

  return {
    announce: () => notifier.notify(outboxChannel),
    async resume(orgId, from, wanted, signal) {
      const { follower, start } = await addFollower(orgId, wanted, signal)
      if (from === null) follower.begin([{ event: null, signal: 'following', position: start }])
      else
        follower.begin((await eventsMissedSince(orgId, from, wanted, start)) ?? [{ event: null, signal: 'read_afresh', position: start }])
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

function filterOf(wanted: Wanted): (event: OutboxEvent) => boolean {
  const entities = new Set(wanted.entities)
  const types = wanted.types && new Set(wanted.types)
  return ({ entity, type }) => entities.has(entity) && (!types || types.has(type))
}

const secondsOf = (time: Date | string): number => Math.floor(new Date(time).getTime() / 1000)

// Clients see positions, but must not learn the cluster's identifier.
const digestOf = (identifier: string) => createHash('sha256').update(identifier).digest('base64url').slice(0, 10)
