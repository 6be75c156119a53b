// The other listening processes: tracks them, and waits until each has received the notifications of a commit.

import { randomUUID } from 'node:crypto'
import type pg from 'pg'

export const peersChannel = 'rolocom_peers'
/** How long a process trusts its cache after it sent the last heartbeat that was answered. */
export const leaseMs = 2000

/** A connection that sends one statement after the other. */
export interface Line {
  client: pg.Client
  send<Row>(text: string, values?: unknown[]): Promise<Row[]>
}

export interface Peers {
  /** Announces the listening connection to the other processes. */
  join(line: Line): Promise<void>
  /** Tells the others not to wait for this process any more. The process must have stopped trusting its cache before. */
  leave(line: Line): Promise<void>
  /** Takes the current list of listening backends from the database. */
  seen(pids: readonly number[]): void
  /** Handles a message of the backend `pid`, received on our listening connection. */
  receive(payload: string, pid: number, line: Line): void
  settle(): Promise<void>
}

// The clocks of two processes run at slightly different speeds; over 2 s they differ by far less than 100 ms.
const marginMs = 100
const neverLapses = Number.POSITIVE_INFINITY
const alreadyLapsed = Number.NEGATIVE_INFINITY

/**
 * Messages: `joined`, `left`, `ask:<id>` and `done:<id>`. Notifications arrive in commit order, so a process that answers `ask` with `done`
 * has handled all earlier ones. A process that was disconnected cannot answer, but may not know it yet: it trusts its cache for one lease
 * after its last heartbeat, so the others wait that long.
 */
export function createPeers(connected: () => Line | undefined): Peers {
  // The time at which the lease of each backend has certainly expired.
  const lapsesAt = new Map<number, number>()
  const answers = new Map<string, { from: Set<number>; changed: () => void }>()
  let joinedAt = Number.NEGATIVE_INFINITY

  const notify = (line: Line, payload: string) => line.send(`select pg_notify('${peersChannel}', $1)`, [payload])

  const settle = async () => {
    const deadline = performance.now() + leaseMs + marginMs
    const line = connected()
    const id = randomUUID()
    const from = new Set<number>()
    let tellChange = () => {}
    answers.set(id, { from, changed: () => tellChange() })
    try {
      // Once PostgreSQL has answered, this process has received every `joined` that was sent before.
      if (line) await notify(line, `ask:${id}`)
      while (performance.now() < deadline) {
        const waitUntil = line && line === connected() ? waitUntilFor(from) : deadline
        if (waitUntil <= performance.now()) return
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, Math.min(waitUntil, deadline) - performance.now() + 1)
        tellChange = resolve
        await promise
        clearTimeout(timer)
      }
    } catch {
      // The connection failed, so no answer may have arrived: wait until every lease has expired.
      await new Promise(resolve => setTimeout(resolve, deadline - performance.now()))
    } finally {
      answers.delete(id)
    }
  }
  // The time until which another process may use an outdated cache: a process that has not answered, or one that disconnected before this
  // one joined.
  const waitUntilFor = (from: ReadonlySet<number>) => {
    let until = joinedAt + leaseMs + marginMs
    for (const [pid, lapses] of lapsesAt) if (!from.has(pid)) until = Math.max(until, lapses)
    return until
  }

  return {
    settle,
    async join(line) {
      await notify(line, 'joined')
      joinedAt = performance.now()
    },
    async leave(line) {
      await notify(line, 'left').catch(() => {})
    },
    seen(pids) {
      const now = performance.now()
      const listed = new Set(pids)
      for (const [pid, lapses] of lapsesAt) {
        if (listed.has(pid)) continue
        if (lapses === neverLapses) lapsesAt.set(pid, now + leaseMs + marginMs)
        else if (lapses < now) lapsesAt.delete(pid)
      }
      // The list may be older than a `left` that was received meanwhile.
      for (const pid of listed) if (lapsesAt.get(pid) !== alreadyLapsed) lapsesAt.set(pid, neverLapses)
    },
    receive(payload, pid, line) {
      if (payload === 'joined') lapsesAt.set(pid, neverLapses)
      else if (payload === 'left') lapsesAt.set(pid, alreadyLapsed)
      else if (payload.startsWith('ask:')) notify(line, `done:${payload.slice(4)}`).catch(() => {})
      else if (payload.startsWith('done:')) {
        const answer = answers.get(payload.slice(5))
        answer?.from.add(pid)
        answer?.changed()
      }
    },
  }
}
