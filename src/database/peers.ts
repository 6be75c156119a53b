// The processes that listen: who they are, and waiting until each of them has heard what was committed.

import { randomUUID } from 'node:crypto'
import type pg from 'pg'

export const peersChannel = 'rolocom_peers'
/** A process believes what it knows this long after it sent the last heartbeat that was answered. */
export const leaseMs = 2000

/** A connection whose statements wait for each other. */
export interface Line {
  client: pg.Client
  send<Row>(text: string, values?: unknown[]): Promise<Row[]>
}

export interface Peers {
  /** Makes the listening connection known to the others. */
  join(line: Line): Promise<void>
  /** Says goodbye, after the process has stopped believing itself, so that nobody waits for it. */
  leave(line: Line): Promise<void>
  /** The backends that listen, as the database lists them. */
  seen(pids: readonly number[]): void
  /** A message of the backend `pid`, heard on our own line. */
  heard(payload: string, pid: number, line: Line): void
  settled(): Promise<void>
}

// Timers and clocks of two processes do not tick alike; 100 ms over 2 s is far more than they differ.
const marginMs = 100
const there = Number.POSITIVE_INFINITY
const gone = Number.NEGATIVE_INFINITY

/**
 * Messages: `joined`, `left`, `ask:<id>` and `done:<id>`. A process hears notifications in commit order, so one that answers `ask` has acted
 * on everything committed before it was asked. A process that is gone cannot answer, but may not know yet that it is gone: it
 * believes its last heartbeat for one lease, and that long it is waited for.
 */
export function createPeers(connected: () => Line | undefined): Peers {
  // Per backend: when its lease has certainly lapsed.
  const lapsesAt = new Map<number, number>()
  const answers = new Map<string, { from: Set<number>; changed: () => void }>()
  let joinedAt = Number.NEGATIVE_INFINITY

  const say = (line: Line, payload: string) => line.send(`select pg_notify('${peersChannel}', $1)`, [payload])

  const settled = async () => {
    const deadline = performance.now() + leaseMs + marginMs
    const line = connected()
    const id = randomUUID()
    const from = new Set<number>()
    let changed = () => {}
    answers.set(id, { from, changed: () => changed() })
    try {
      // Once this is answered, every `joined` that was said before it has been heard.
      if (line) await say(line, `ask:${id}`)
      while (performance.now() < deadline) {
        const waitUntil = line && line === connected() ? awaited(from) : deadline
        if (waitUntil <= performance.now()) return
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, Math.min(waitUntil, deadline) - performance.now() + 1)
        changed = resolve
        await promise
        clearTimeout(timer)
      }
    } catch {
      // The connection broke on the way, so nobody is known to have heard: everyone's lease is waited for.
      await new Promise(resolve => setTimeout(resolve, deadline - performance.now()))
    } finally {
      answers.delete(id)
    }
  }
  // Until when somebody may believe what is outdated: those that have not answered, and those that were gone before this one came.
  const awaited = (from: ReadonlySet<number>) => {
    let until = joinedAt + leaseMs + marginMs
    for (const [pid, lapses] of lapsesAt) if (!from.has(pid)) until = Math.max(until, lapses)
    return until
  }

  return {
    settled,
    async join(line) {
      await say(line, 'joined')
      joinedAt = performance.now()
    },
    async leave(line) {
      await say(line, 'left').catch(() => {})
    },
    seen(pids) {
      const now = performance.now()
      const listed = new Set(pids)
      for (const [pid, lapses] of lapsesAt) {
        if (listed.has(pid)) continue
        if (lapses === there) lapsesAt.set(pid, now + leaseMs + marginMs)
        else if (lapses < now) lapsesAt.delete(pid)
      }
      // The list may be older than a goodbye that was heard meanwhile.
      for (const pid of listed) if (lapsesAt.get(pid) !== gone) lapsesAt.set(pid, there)
    },
    heard(payload, pid, line) {
      if (payload === 'joined') lapsesAt.set(pid, there)
      else if (payload === 'left') lapsesAt.set(pid, gone)
      else if (payload.startsWith('ask:')) say(line, `done:${payload.slice(4)}`).catch(() => {})
      else if (payload.startsWith('done:')) {
        const answer = answers.get(payload.slice(5))
        answer?.from.add(pid)
        answer?.changed()
      }
    },
  }
}
