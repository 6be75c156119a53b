// Rings the other processes, and this one, through NOTIFY: "there is something to read". What is to be read stands in tables.

import { type Database, statement } from './client.ts'
import type { Listener } from './listener.ts'

export interface Bell {
  /** Rings soon. A burst of rings with one payload is heard as one. Call it after the commit it speaks of. */
  ring(channel: string, payload?: string): void
  heard(channel: string, hear: (payload: string) => void): void
  stop(): Promise<void>
}

const notify = statement<never>('bell_ring', 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) as rung(c, p)')

// 20 ms: NOTIFY takes a lock at commit that all databases of the server share, so bursts leave as one.
const gatherMs = 20

/** Rings lost with their process are made up for by the reader's own polling; a bell is never the only way to hear. */
export function createBell(database: Database, listener: Listener): Bell {
  const waiting = new Map<string, [string, string]>()
  let timer: NodeJS.Timeout | undefined
  let sent: Promise<unknown> = Promise.resolve()

  const send = () => {
    timer = undefined
    const rung = [...waiting.values()]
    waiting.clear()
    if (rung.length === 0) return
    sent = database.query(notify, [rung.map(([channel]) => channel), rung.map(([, payload]) => payload)]).catch(() => {})
  }
  return {
    ring(channel, payload = '') {
      waiting.set(`${channel}\n${payload}`, [channel, payload])
      timer ??= setTimeout(send, gatherMs)
    },
    heard: (channel, hear) => listener.on(channel, hear),
    async stop() {
      clearTimeout(timer)
      send()
      await sent
    },
  }
}
