// Subscriptions to runs, sessions and system events, read from the outbox.

import type { Context } from '../kernel/context.ts'
import { load } from '../kernel/dataloaders.ts'
import type { OutboxEvent } from '../kernel/events/event.sql.ts'
import { followOutbox, type Positioned } from '../kernel/events/follow.ts'
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

type Changes<Row> = Promise<AsyncIterableIterator<Positioned<GatewayChange<Row>>>>

/** Runs that are accepted, started, completed or failed from now on or behind `after`, and runs with a delivery that ended. */
export function followRuns(context: Context, { runId, after }: { runId?: string | null; after?: string | null }): Changes<Run> {
  return followOutbox(context, { entities: ['agent_run', 'delivery'], after }, async (event, now) => {
    const id = event.entity === 'agent_run' ? event.entityId : String(event.changes.runId)
    if (runId != null && id !== runId) return []
    const run = await load(now, loadRuns, id)
    return run ? [changeOf(event, run)] : []
  })
}

/** Sessions in which a run is accepted, started, completed or failed from now on or behind `after`. */
export function followSessions(context: Context, { key, after }: { key?: string | null; after?: string | null }): Changes<AgentSession> {
  return followOutbox(context, { entities: ['agent_run'], after }, async (event, now) => {
    const run = await load(now, loadRuns, event.entityId)
    if (!run || (key != null && run.session.key !== key)) return []
    const [session] = await loadSessions(now, [run.sessionId])
    return session ? [changeOf(event, session)] : []
  })
}

/** System events that are queued, taken by a heartbeat or seen from now on or behind `after`. */
export function followEvents(context: Context, { after }: { after?: string | null }): Changes<SystemEvent> {
  return followOutbox(context, { entities: ['system_event', 'agent_run'], after }, async (event, now) => {
    if (event.entity === 'system_event') {
      const [queued] = await loadEvents(now, [event.entityId])
      return queued ? [changeOf(event, queued)] : []
    }
    if (event.changes.kind !== 'heartbeat') return []
    // One event about all that a heartbeat took.
    return (await eventsOfHeartbeat(now, event.entityId)).map(taken => ({ ...changeOf(event, taken), id: `${event.id}:${taken.id}` }))
  })
}
