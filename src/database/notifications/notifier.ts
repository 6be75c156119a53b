// Notifies the other processes, and this one, of new rows through NOTIFY. The rows themselves are read from tables.

import type { Database } from '../client.ts'
import { notify } from '../process.sql.ts'
import type { Listener } from './listener.ts'

export interface Notifier {
  /**
   * Sends a notification within `gatherMs`. Equal notifications in that time are sent once. It should follow the commit of the rows: a reader
   * that is notified before it finds them only at its next poll.
   */
  notify(channel: string, payload?: string): void
  subscribe(channel: string, onNotification: (payload: string) => void): void
  stop(): Promise<void>
}

// 20 ms: NOTIFY takes a lock at commit that all databases of the server share, so notifications are sent in batches.
const gatherMs = 20

/** Notifications are lost when the process dies before it sends them, so every reader polls as well. */
export function createNotifier(database: Database, listener: Listener): Notifier {
  const waiting = new Map<string, [string, string]>()
  let timer: NodeJS.Timeout | undefined
  let sent: Promise<unknown> = Promise.resolve()

  const send = () => {
    timer = undefined
    const batch = [...waiting.values()]
    waiting.clear()
    if (batch.length === 0) return
    sent = database.query(notify, [batch.map(([channel]) => channel), batch.map(([, payload]) => payload)]).catch(() => {})
  }
  return {
    notify(channel, payload = '') {
      waiting.set(`${channel}\n${payload}`, [channel, payload])
      timer ??= setTimeout(send, gatherMs)
    },
    subscribe: (channel, onNotification) => listener.on(channel, onNotification),
    async stop() {
      clearTimeout(timer)
      send()
      await sent
    },
  }
}
