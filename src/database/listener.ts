// The process's one listening connection: hears what others commit, follows the database's clock, and knows how long it may be believed.

import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from './client.ts'
import { type Connection, silence } from './connection.ts'
import { createPeers, type Line, leaseMs, peersChannel } from './peers.ts'

/** Payload: the hash of a credential that changed, in hexadecimal, or `user:<id>`. Sent by triggers, in the change's own transaction. */
export const credentialsChannel = 'rolocom_credentials'

export interface Listener {
  /** Calls back for every notification, in commit order. Handlers are synchronous, so that what was heard is also done. */
  on(channel: string, heard: (payload: string) => void): void
  /**
   * Whether every change of a credential committed more than 2 s ago has certainly been heard: known by hearing a notification of our
   * own, sent later. Says so in constant time.
   */
  isTrusted(): boolean
  /** Whether the database answers on the connection, heard or not. */
  isConnected(): boolean
  /** Called when notifications may have been missed. */
  onDistrust(distrusted: () => void): void
  /**
   * Resolves when no process believes anything older than what was committed before the call: each has heard it, or, when one does
   * not answer, has stopped trusting itself, which takes 2 s at most. Never rejects.
   */
  settled(): Promise<void>
  /** The database's time, without asking it. */
  databaseNow(): Date
  stop(): Promise<void>
}

const heartbeatMs = 1000
const longestBackoffMs = 2000
const answersWithinMs = 4500
// What comes back at all comes with the answer, or a moment after it.
const heardWithinMs = 1000
const goodbyeMs = 1000

const heartbeat = `select extract(epoch from clock_timestamp())::float8 * 1000 as now, array(
  select pid from pg_stat_activity where application_name = 'rolocom listener' and datname = current_database()) as pids`
const notifyOneself = 'select pg_notify($1, $2)'

const deaf =
  'Notifications of PostgreSQL do not arrive: DATABASE_URL leads through a pooler that shares sessions between its clients. Until DATABASE_DIRECT_URL names the same database past the pooler, credentials are read from it at each request, and live updates come up to a second late'

/** A line, and what is heard on it. */
interface Hearing extends Line {
  client: Connection
  /** Only this connection listens to it, and only this process notifies it. */
  ownChannel: string
  isDeaf: boolean
  /** Heartbeats sent since one of our own notifications was heard. */
  unheard: number
}

/** Connects, or throws when the database cannot be reached; from then on it reconnects by itself. */
export async function createListener(database: Database, log: Logger): Promise<Listener> {
  const channels = new Set([credentialsChannel, peersChannel])
  const heard = new EventEmitter().setMaxListeners(0)
  const lost = new EventEmitter().setMaxListeners(0)
  const clock = createClock()
  const peers = createPeers(() => line)
  let line: Hearing | undefined
  let believedFrom = Number.NEGATIVE_INFINITY
  let unanswered = 0
  let stopped = false
  let isDeafnessTold = false

  const connect = async () => {
    const next: Hearing = { ...lineOf(await database.connect()), ownChannel: `rolocom_own_${randomUUID()}`, isDeaf: false, unheard: 0 }
    const giveUp = setTimeout(() => next.client.cut(silence()), answersWithinMs)
    const first = Promise.withResolvers<void>()
    next.client.on('notification', ({ channel, payload = '', processId }) => {
      if (channel === peersChannel) peers.heard(payload, processId, next)
      else if (channel === next.ownChannel) {
        next.unheard = 0
        // Notifications arrive in commit order: whatever was committed before this one was sent has been heard.
        if (line === next || line === undefined) believedFrom = Math.max(believedFrom, Number(payload))
        first.resolve()
      } else heard.emit(channel, payload)
    })
    try {
      await next.send([next.ownChannel, ...channels].map(listen).join(';'))
      // Whoever revokes from now on waits for this process; only then may it begin to believe itself.
      await peers.join(next)
      await beat(next, { isFirst: true })
      next.isDeaf = (await Promise.race([first.promise.then(() => 'heard'), sleep(heardWithinMs)])) !== 'heard'
      if (stopped) throw new Error('stopped while connecting')
    } catch (error) {
      believedFrom = Number.NEGATIVE_INFINITY
      await next.client.end().catch(() => {})
      throw error
    } finally {
      clearTimeout(giveUp)
    }
    if (next.isDeaf && !isDeafnessTold) log.warn(deaf)
    isDeafnessTold = next.isDeaf
    unanswered = 0
    line = next
    next.client.once('end', () => disconnected(next))
  }
  // What a transaction pooler lends for one's own statement would say one's own notification back, and nothing of others. So the first of
  // a connection, and behind a pooler each of them, is sent on another connection while this one asks for nothing.
  const beat = async (on: Hearing, { isFirst = false } = {}) => {
    const sentAt = performance.now()
    on.unheard++
    const isElsewhere = isFirst || on.client.isPooled
    const answered = on.send<{ now: number; pids: number[] }>(heartbeat)
    if (!isElsewhere) on.send(notifyOneself, [on.ownChannel, String(sentAt)]).catch(() => {})
    const [row] = await answered
    if (!row) return
    clock.follow(row.now, sentAt, performance.now())
    peers.seen(row.pids)
    if (isElsewhere) database.execute(notifyOneself, [on.ownChannel, String(sentAt)]).catch(() => {})
  }
  const disconnected = (from: Line) => {
    if (line !== from) return
    line = undefined
    believedFrom = Number.NEGATIVE_INFINITY
    lost.emit('lost')
    if (stopped) return
    log.warn('the listening connection was lost; credentials are read from the database until it is back')
    void reconnect()
  }
  const reconnect = async () => {
    for (let backoffMs = 20; !stopped; backoffMs = Math.min(backoffMs * 2, longestBackoffMs)) {
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
    // Counted in ticks, not in time: a process that was paused reads what has arrived before it gives the connection up.
    if (unanswered >= 3 || (current.unheard >= 5 && !current.isDeaf)) return current.client.cut(silence())
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
    on(channel, hear) {
      heard.on(channel, hear)
      if (channels.has(channel)) return
      channels.add(channel)
      // When this fails the connection is lost, and the next one listens to all channels.
      line?.send(listen(channel)).catch(() => {})
    },
    isTrusted: () => performance.now() - believedFrom < leaseMs,
    isConnected: () => line !== undefined && unanswered < 3,
    onDistrust: distrusted => void lost.on('lost', distrusted),
    settled: peers.settled,
    databaseNow: clock.now,
    async stop() {
      stopped = true
      clearInterval(timer)
      const last = line
      if (!last) return
      disconnected(last)
      await Promise.race([peers.leave(last), sleep(goodbyeMs)])
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

// The database's clock, kept as a distance from the process's monotonic one. Each answer says between which two values the distance
// lies; it moves only when it lies outside, so that the jitter of the network does not move the time.
function createClock() {
  let offset = Date.now() - performance.now()
  return {
    follow(databaseMs: number, sentAt: number, receivedAt: number) {
      offset = Math.min(Math.max(offset, databaseMs - receivedAt), databaseMs - sentAt)
    },
    now: () => new Date(performance.now() + offset),
  }
}
