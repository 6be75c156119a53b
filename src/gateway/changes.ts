// Subscriptions to runs, sessions and system events, read from the outbox.

import type { Context } from '../kernel/context.ts'
import { load } from '../kernel/dataloaders.ts'
import type { OutboxEvent } from '../kernel/events/event.sql.ts'
import { followOutbox } from '../kernel/events/follow.ts'
import type { Run } from './runs/row.ts'
import { loadRuns } from './runs/run.ts'
import { type AgentSession, eventsOfHeartbeat, loadEvents, loadSessions, type SystemEvent } from './sessions/lists.ts'

/** An event, with its entity as read at delivery. */
export interface GatewayChange<Row> {
  id: string
  type: string
  createdAt: string
  row: Row
}

const changeOf = <Row>({ id, type, createdAt }: OutboxEvent, row: Row): GatewayChange<Row> => ({ id, type, createdAt, row })

/** Runs that are accepted, started, completed or failed from now on, and runs of which a delivery ended. */
export function followRuns(context: Context, { runId }: { runId?: string | null }): Promise<AsyncIterableIterator<GatewayChange<Run>>> {
  return followOutbox(context, async event => {
    const id = event.entity === 'agent_run' ? event.entityId : event.entity === 'delivery' ? String(event.changes.runId) : null
    if (id === null || (runId != null && id !== runId)) return []
    const run = await load({ ...context }, loadRuns, id)
    return run ? [changeOf(event, run)] : []
  })
}

/** Sessions in which a run is accepted, started, completed or failed from now on. */
export function followSessions(
  context: Context,
  { key }: { key?: string | null },
): Promise<AsyncIterableIterator<GatewayChange<AgentSession>>> {
  return followOutbox(context, async event => {
    if (event.entity !== 'agent_run') return []
    const run = await load({ ...context }, loadRuns, event.entityId)
    if (!run || (key != null && run.session.key !== key)) return []
    const [session] = await loadSessions(context, [run.sessionId])
    return session ? [changeOf(event, session)] : []
  })
}

/** System events that are queued, taken by a heartbeat or seen from now on. */
export function followEvents(context: Context): Promise<AsyncIterableIterator<GatewayChange<SystemEvent>>> {
  return followOutbox(context, async event => {
    if (event.entity === 'system_event') {
      const [queued] = await loadEvents(context, [event.entityId])
      return queued ? [changeOf(event, queued)] : []
    }
    if (event.entity !== 'agent_run' || event.changes.kind !== 'heartbeat') return []
    // One event about all that a heartbeat took.
    return (await eventsOfHeartbeat(context, event.entityId)).map(taken => ({ ...changeOf(event, taken), id: `${event.id}:${taken.id}` }))
  })
}
