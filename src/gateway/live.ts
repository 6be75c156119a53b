// What happens in the gateway, as it happens, read from the outbox.

import { type Context, organizationOf } from '../context.ts'
import { load } from '../load.ts'
import type { OutboxEvent } from '../outbox.ts'
import { type AgentSession, eventsOfHeartbeat, loadEvents, loadSessions, type SystemEvent } from './lists.ts'
import type { Run } from './run.sql.ts'
import { loadRuns } from './run.ts'

/** Every change of a run from now on: accepted, started, completed, failed, and what became of its deliveries. */
export function followRuns(context: Context, { runId }: { runId?: string | null }): Promise<AsyncIterableIterator<Run>> {
  return rowsFrom(context, async event => {
    const id = event.entity === 'agent_run' ? event.entityId : event.entity === 'delivery' ? String(event.changes.runId) : null
    if (id === null || (runId != null && id !== runId)) return []
    const run = await load({ ...context }, loadRuns, id)
    return run ? [run] : []
  })
}

/** Every conversation that has a new turn or another run, from now on. */
export function followSessions(context: Context, { key }: { key?: string | null }): Promise<AsyncIterableIterator<AgentSession>> {
  return rowsFrom(context, async event => {
    if (event.entity !== 'agent_run') return []
    const run = await load({ ...context }, loadRuns, event.entityId)
    if (!run || (key != null && run.sessionKey !== key)) return []
    const [session] = await loadSessions(context, [run.sessionId])
    return session ? [session] : []
  })
}

/** Every system event from now on: when it is queued, when a heartbeat takes it, and when that is over. */
export function followEvents(context: Context): Promise<AsyncIterableIterator<SystemEvent>> {
  return rowsFrom(context, async event => {
    if (event.entity === 'system_event') return (await loadEvents(context, [event.entityId])).filter(found => found !== null)
    if (event.entity === 'agent_run' && event.changes.kind === 'heartbeat') return eventsOfHeartbeat(context, event.entityId)
    return []
  })
}

async function rowsFrom<Row>(context: Context, rowsOf: (event: OutboxEvent) => Promise<Row[]>): Promise<AsyncIterableIterator<Row>> {
  const events = await context.services.outbox.follow(organizationOf(context), context.signal)
  const rows: Row[] = []
  const following: AsyncIterableIterator<Row> = {
    async next() {
      for (;;) {
        const row = rows.shift()
        if (row !== undefined) return { done: false, value: row }
        const { done, value } = await events.next()
        if (done) return { done, value: undefined }
        rows.push(...(await rowsOf(value)))
      }
    },
    // Handed through, so that a reader who stops is heard at once, even while nothing happens.
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => following,
  }
  return following
}
