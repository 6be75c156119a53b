// The process's one listening connection: hears what others commit, follows the database's clock, and knows how long it may be believed.

import { EventEmitter } from 'node:events'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from './client.ts'
import { createPeers, type Line, leaseMs, peersChannel } from './peers.ts'

/** Payload: the hash of a credential that changed, in hexadecimal, or `user:<id>`. Sent by triggers, in the change's own transaction. */
export const credentialsChannel = 'rolocom_credentials'

export interface Listener {
  /** Calls back for every notification, in commit order. Handlers are synchronous, so that what was heard is also done. */
  on(channel: string, heard: (payload: string) => void): void
  /** Whether every change of a credential committed more than 2 s ago has certainly been heard. Says so in constant time. */
  isTrusted(): boolean
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
const answersWithinMs = 5000

const heartbeat = `select extract(epoch from clock_timestamp())::float8 * 1000 as now, array(
  select pid from pg_stat_activity where application_name = 'rolocom listener' and datname = current_database()) as pids`

/** Connects, or throws when the database cannot be reached; from then on it reconnects by itself. */
export async function createListener(database: Database, log: Logger): Promise<Listener> {
  const channels = new Set([credentialsChannel, peersChannel])
  const heard = new EventEmitter().setMaxListeners(0)
  const lost = new EventEmitter().setMaxListeners(0)
  const clock = createClock()
  const peers = createPeers(() => line)
  let line: Line | undefined
  let believedFrom = Number.NEGATIVE_INFINITY
  let unanswered = 0
  let stopped = false

  const connect = async () => {
    const next = lineOf(await database.connect())
    const giveUp = setTimeout(() => void next.client.end().catch(() => {}), answersWithinMs)
    next.client.on('notification', ({ channel, payload = '', processId }) => {
      if (channel === peersChannel) peers.heard(payload, processId, next)
      else heard.emit(channel, payload)
    })
    try {
      await next.send([...channels].map(listen).join(';'))
      // Whoever revokes from now on waits for this process; only then may it begin to believe itself.
      await peers.join(next)
      await beat(next)
      if (stopped) throw new Error('stopped while connecting')
    } catch (error) {
      believedFrom = Number.NEGATIVE_INFINITY
      await next.client.end().catch(() => {})
      throw error
    } finally {
      clearTimeout(giveUp)
    }
    unanswered = 0
    line = next
    next.client.once('end', () => disconnected(next))
  }
  const beat = async (on: Line) => {
    const sentAt = performance.now()
    const [row] = await on.send<{ now: number; pids: number[] }>(heartbeat)
    if (!row) return
    clock.follow(row.now, sentAt, performance.now())
    peers.seen(row.pids)
    believedFrom = sentAt
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
    if (unanswered >= 3) return void current.client.end().catch(() => {})
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
    onDistrust: distrusted => void lost.on('lost', distrusted),
    settled: peers.settled,
    databaseNow: clock.now,
    async stop() {
      stopped = true
      clearInterval(timer)
      const last = line
      if (!last) return
      disconnected(last)
      await peers.leave(last)
      await last.client.end().catch(() => {})
    },
  }
}

const listen = (channel: string) => `listen "${channel}"`

function lineOf(client: pg.Client): Line {
  let last: Promise<unknown> = Promise.resolve()
  return {
    client,
    send<Row>(text: string, values?: unknown[]) {
      const sent = last.then(() => client.query<Row & pg.QueryResultRow>(text, values))
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
