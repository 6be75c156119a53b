// Finds connections on which PostgreSQL no longer answers, and closes them, so that no statement waits for ever.
//
// All connections are checked four times a second, so statements themselves need no timer.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Connection, silence } from './connection.ts'

export interface Watch {
  add(connection: Connection): void
  /** Reports that connecting has timed out. */
  suspect(): void
  /** Whether PostgreSQL does not answer at all, so that statements should be refused at once. Checked repeatedly until it answers. */
  isSilent(): boolean
  /** Closes all connections, also those with running statements. */
  closeAll(): void
  stop(): void
}

/** Resolves with the backends among `pids` that are running a statement, queried on a separate connection. */
export type AskForBackends = (pids: readonly number[]) => Promise<ReadonlySet<number>>

interface Owed {
  answers: number
  /**
   * The number of consecutive checks without a new answer. Not a time: a process that was paused must first read answers that have arrived.
   */
  checks: number
  isAsked: boolean
  isAtWork: boolean
}

const checkMs = 250
// 2.5 s: few statements are that slow, and it leaves time to query the server before the connection counts as silent.
const askAfterChecks = 10
// 4.5 s: with the rest of its work, a request then fails within 6 s.
const silentAfterChecks = 18
// 250 ms: after PostgreSQL has come back, requests are refused for at most that time.
const askAgainMs = 250
// 10.5 s: the server cancels a running statement itself after 10 s, and the connection stays usable.
const atWorkChecks = 42

export function watchForSilence(log: Pick<Logger, 'warn'>, ask: AskForBackends): Watch {
  const watched = new Map<Connection, Owed>()
  let isAsking = false
  let isAnswering = true
  let isSilent = false
  let isStopped = false

  const check = () => {
    for (const [connection, owed] of watched) {
      if (!connection.isOwed || connection.answers !== owed.answers) {
        if (owed.checks > 0 || owed.answers !== connection.answers) watched.set(connection, begin(connection))
        continue
      }
      owed.checks++
      if (owed.checks > (owed.isAtWork ? atWorkChecks : silentAfterChecks)) close(connection)
    }
    const slow = [...watched].filter(([, { checks, isAsked }]) => checks >= askAfterChecks && !isAsked)
    if (slow.length > 0 && !isAsking) void askForSlow(slow)
  }
  // Other existing connections have probably failed for the same reason, and closing idle ones loses nothing.
  const close = (silent: Connection) => {
    const idle = [...watched.keys()].filter(connection => connection !== silent && !connection.isOwed)
    log.warn(
      { pid: silent.pid, alsoClosed: idle.length },
      'PostgreSQL does not answer on a connection; it is closed, and idle ones with it',
    )
    for (const connection of [silent, ...idle]) {
      watched.delete(connection)
      connection.cut(silence())
    }
    if (!isAnswering) void askUntilAnswered()
  }
  const askForSlow = async (slow: readonly [Connection, Owed][]) => {
    isAsking = true
    for (const [, owed] of slow) owed.isAsked = true
    try {
      // Behind a pooler a slow statement cannot be distinguished from a lost one, so each counts as lost.
      const atWork = await ask(slow.filter(([{ isPooled }]) => !isPooled).map(([{ pid }]) => pid))
      for (const [{ pid, isPooled }, owed] of slow) owed.isAtWork = !isPooled && atWork.has(pid)
      isAnswering = true
    } catch {
      isAnswering = false
    } finally {
      isAsking = false
    }
  }
  const askUntilAnswered = async () => {
    if (isSilent) return
    isSilent = true
    log.warn('PostgreSQL answers on no connection; requests are refused until it does')
    while (!isStopped && !isAnswering) {
      await sleep(askAgainMs)
      isAnswering = await ask([]).then(
        () => true,
        () => false,
      )
    }
    isSilent = false
    log.warn('PostgreSQL answers again')
  }
  const timer = setInterval(check, checkMs)
  timer.unref()

  return {
    add(connection) {
      watched.set(connection, begin(connection))
      connection.once('end', () => watched.delete(connection))
    },
    suspect() {
      isAnswering = false
      void askUntilAnswered()
    },
    isSilent: () => isSilent,
    closeAll() {
      for (const connection of watched.keys()) connection.cut(silence())
    },
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

const begin = ({ answers }: Connection): Owed => ({ answers, checks: 0, isAsked: false, isAtWork: false })
