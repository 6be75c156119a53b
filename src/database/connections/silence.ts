// Finds connections on which PostgreSQL has stopped to answer, and closes them, so that no statement waits for ever.
//
// It looks at all of them four times a second, and costs a statement nothing.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Connection, silence } from './connection.ts'

export interface Watch {
  add(connection: Connection): void
  /** A connection could not even be made in time. */
  suspect(): void
  /** Whether PostgreSQL answers nobody: what is asked of it now is best refused at once. It is asked again until it answers. */
  isSilent(): boolean
  /** Closes what is still open, answered or not. */
  closeAll(): void
  stop(): void
}

/** Resolves with those of the backends that are at work, asked on a connection of its own. */
export type AskForBackends = (pids: readonly number[]) => Promise<ReadonlySet<number>>

interface Owed {
  answers: number
  /** Looks in a row that found no answer since. Counted in looks, not in time: a process that was paused reads what has arrived first. */
  looks: number
  isAsked: boolean
  isAtWork: boolean
}

const lookMs = 250
// 2.5 s: few statements are that slow, and until the limit there is time to ask.
const askAfterLooks = 10
// 4.5 s: with what else a request does, its caller is told within 6 s.
const silentAfterLooks = 18
// 250 ms: how much longer than PostgreSQL itself this process is away.
const askAgainMs = 250
// 10.5 s: a statement that the server is at work on is cancelled by the server itself after 10 s, and its connection stays.
const atWorkLooks = 42

export function watchForSilence(log: Pick<Logger, 'warn'>, ask: AskForBackends): Watch {
  const watched = new Map<Connection, Owed>()
  let isAsking = false
  let isAnswering = true
  let isSilent = false
  let isStopped = false

  const look = () => {
    for (const [connection, owed] of watched) {
      if (!connection.isOwed || connection.answers !== owed.answers) {
        if (owed.looks > 0 || owed.answers !== connection.answers) watched.set(connection, begin(connection))
        continue
      }
      owed.looks++
      if (owed.looks > (owed.isAtWork ? atWorkLooks : silentAfterLooks)) close(connection)
    }
    const slow = [...watched].filter(([, { looks, isAsked }]) => looks >= askAfterLooks && !isAsked)
    if (slow.length > 0 && !isAsking) void askForSlow(slow)
  }
  // What froze one connection has frozen others that were there already, and who is idle has nothing to lose.
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
      // Behind a pooler nobody can tell a slow statement from a lost one, and each is given up as lost.
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
    log.warn('PostgreSQL answers nobody; requests are refused until it does')
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
  const timer = setInterval(look, lookMs)
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

const begin = ({ answers }: Connection): Owed => ({ answers, looks: 0, isAsked: false, isAtWork: false })
