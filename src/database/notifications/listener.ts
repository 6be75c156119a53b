// The process's LISTEN connection: receives notifications, tracks the database's clock, and knows whether caches are still valid.

import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../client.ts'
import { type Connection, silence } from '../connections/connection.ts'
import { createPeers, type Line, leaseMs, peersChannel } from './peers.ts'

/** Payload: the hash of a credential that changed, in hexadecimal, or `user:<id>`. Sent by triggers, in the change's own transaction. */
export const credentialsChannel = 'rolocom_credentials'

export interface Listener {
  /** Calls `onNotification` for every notification, in commit order. Handlers are synchronous, so a received notification is also handled. */
  on(channel: string, onNotification: (payload: string) => void): void
  /**
   * Whether this process has certainly received every credential change that was committed more than 2 s ago: it has received a
   * notification of its own that was sent later.
   */
  isTrusted(): boolean
  /** Whether the database answers on the connection. Notifications may be missing all the same. */
  isConnected(): boolean
  /** Calls `distrusted` when notifications may have been missed. */
  onDistrust(distrusted: () => void): void
  /**
   * Resolves when no process uses cached credentials older than the last commit before the call: each process has received its
   * notification, or, if it does not answer, has stopped trusting its cache after at most 2 s. Never rejects.
   */
  settle(): Promise<void>
  /** The database's time, without a query. */
  databaseNow(): Date
  stop(): Promise<void>
}

const heartbeatMs = 1000
const maxBackoffMs = 2000
const answersWithinMs = 4500
// A notification arrives with the answer or a moment later. After this time, the connection counts as one without notifications.
const notifiedWithinMs = 1000
const leaveTimeoutMs = 1000

const heartbeat = `select extract(epoch from clock_timestamp())::float8 * 1000 as now, array(
  select pid from pg_stat_activity where application_name like 'rolocom listener%' and datname = current_database()) as pids`
/** The name of a worker's listening connection, by which workers are counted: it ends with its process. */
export const workerName = 'rolocom listener of a worker'
const notifyOneself = 'select pg_notify($1, $2)'

const noNotifications =
  'Notifications of PostgreSQL do not arrive: DATABASE_URL leads through a pooler that shares sessions between its clients. Until DATABASE_DIRECT_URL names the same database past the pooler, credentials are read from it at each request, and live updates come up to a second late'

/** The listening connection and the state of its notifications. */
interface ListeningLine extends Line {
  client: Connection
  /** A channel that only this connection listens to, and only this process notifies. */
  ownChannel: string
  lacksNotifications: boolean
  /** The number of heartbeats sent since one of our own notifications was received. */
  beatsWithoutNotification: number
}

/** Connects, or throws when the database cannot be reached. Afterwards it reconnects by itself. */
/** `isWorker`: the process is counted among the workers that are alive. */
export async function createListener(database: Database, log: Logger, { isWorker = false } = {}): Promise<Listener> {
  const channels = new Set([credentialsChannel, peersChannel])
  const notifications = new EventEmitter().setMaxListeners(0)
  const lost = new EventEmitter().setMaxListeners(0)
  const clock = createClock()
  const peers = createPeers(() => line)
  let line: ListeningLine | undefined
  let trustedSince = Number.NEGATIVE_INFINITY
  let unanswered = 0
  let stopped = false
  let hasWarned = false

  const connect = async () => {
    const next: ListeningLine = {
      ...lineOf(await database.connect()),
      ownChannel: `rolocom_own_${randomUUID()}`,
      lacksNotifications: false,
      beatsWithoutNotification: 0,
    }
    const giveUp = setTimeout(() => next.client.cut(silence()), answersWithinMs)
    const first = Promise.withResolvers<void>()
    next.client.on('notification', ({ channel, payload = '', processId }) => {
      if (channel === peersChannel) peers.receive(payload, processId, next)
      else if (channel === next.ownChannel) {
        next.beatsWithoutNotification = 0
        // Notifications arrive in commit order, so this process has received the notifications of every commit before this one was sent.
        if (line === next || line === undefined) trustedSince = Math.max(trustedSince, Number(payload))
        first.resolve()
      } else notifications.emit(channel, payload)
    })
    try {
      const listening = [next.ownChannel, ...channels].map(listen)
      await next.send([...listening, ...(isWorker ? [`set application_name = '${workerName}'`] : [])].join(';'))
      // From now on, other processes wait for this one when they revoke a credential; only then may it trust its cache.
      await peers.join(next)
      await beat(next, { isFirst: true })
      next.lacksNotifications = (await Promise.race([first.promise.then(() => 'received'), sleep(notifiedWithinMs)])) !== 'received'
      if (stopped) throw new Error('stopped while connecting')
    } catch (error) {
      trustedSince = Number.NEGATIVE_INFINITY
      await next.client.end().catch(() => {})
      throw error
    } finally {
      clearTimeout(giveUp)
    }
    if (next.lacksNotifications && !hasWarned) log.warn(noNotifications)
    hasWarned = next.lacksNotifications
    unanswered = 0
    line = next
    next.client.once('end', () => onDisconnect(next))
  }
  // A transaction pooler returns our own notification with our own statement, even if it delivers no others. So the first notification of a
  // connection, and every one behind a pooler, is sent on another connection while this one is idle.
  const beat = async (on: ListeningLine, { isFirst = false } = {}) => {
    const sentAt = performance.now()
    on.beatsWithoutNotification++
    const isElsewhere = isFirst || on.client.isPooled
    const answered = on.send<{ now: number; pids: number[] }>(heartbeat)
    if (!isElsewhere) on.send(notifyOneself, [on.ownChannel, String(sentAt)]).catch(() => {})
    const [row] = await answered
    if (!row) return
    clock.follow(row.now, sentAt, performance.now())
    peers.seen(row.pids)
    if (isElsewhere) database.execute(notifyOneself, [on.ownChannel, String(sentAt)]).catch(() => {})
  }
  const onDisconnect = (from: Line) => {
    if (line !== from) return
    line = undefined
    trustedSince = Number.NEGATIVE_INFINITY
    lost.emit('lost')
    if (stopped) return
    log.warn('the listening connection was lost; credentials are read from the database until it is back')
    void reconnect()
  }
  const reconnect = async () => {
    for (let backoffMs = 20; !stopped; backoffMs = Math.min(backoffMs * 2, maxBackoffMs)) {
      try {
        await connect()
        return log.info('the listening connection is back')
      } catch (error) {
        log.debug({ err: error }, 'the listening connection is not back yet')
        await new Promise(resolve => setTimeout(resolve, backoffMs))
      }
    }
  }

  await connect()
  const timer = setInterval(() => {
    const current = line
    if (!current) return
    // Counted in ticks, not in time: a process that was paused must first read answers that have arrived.
    if (unanswered >= 3 || (current.beatsWithoutNotification >= 5 && !current.lacksNotifications)) return current.client.cut(silence())
    if (unanswered++ > 0) return
    beat(current).then(
      () => {
        unanswered = 0
      },
      error => log.debug({ err: error }, 'the heartbeat of the listening connection failed'),
    )
  }, heartbeatMs)
  timer.unref()

  return {
    on(channel, onNotification) {
      notifications.on(channel, onNotification)
      if (channels.has(channel)) return
      channels.add(channel)
      // If this fails, the connection is lost, and the next one listens to all channels.
      line?.send(listen(channel)).catch(() => {})
    },
    isTrusted: () => performance.now() - trustedSince < leaseMs,
    isConnected: () => line !== undefined && unanswered < 3,
    onDistrust: distrusted => void lost.on('lost', distrusted),
    settle: peers.settle,
    databaseNow: clock.now,
    async stop() {
      stopped = true
      clearInterval(timer)
      const last = line
      if (!last) return
      onDisconnect(last)
      await Promise.race([peers.leave(last), sleep(leaveTimeoutMs)])
      await last.client.end().catch(() => {})
    },
  }
}

const listen = (channel: string) => `listen "${channel}"`

function lineOf(client: Connection): Line & { client: Connection } {
  let last: Promise<unknown> = Promise.resolve()
  return {
    client,
    send<Row>(text: string, values?: unknown[]) {
      const sent: Promise<pg.QueryResult<Row & pg.QueryResultRow>> = last.then(() => client.query(text, values))
      last = sent.catch(() => {})
      return sent.then(({ rows }) => rows)
    },
  }
}

// The database's clock, as an offset to the process's monotonic clock. Each answer bounds the offset from both sides. The offset changes
// only when it is out of bounds, so that network jitter does not change the time.
function createClock() {
  let offset = Date.now() - performance.now()
  return {
    follow(databaseMs: number, sentAt: number, receivedAt: number) {
      offset = Math.min(Math.max(offset, databaseMs - receivedAt), databaseMs - sentAt)
    },
    now: () => new Date(performance.now() + offset),
  }
}
