// System events: messages to the main session, queued until a heartbeat has seen them.

import type { WakeMode } from '../../config/gateway/enums.ts'
import { batcher } from '../../database/batcher.ts'
import type { Queries } from '../../database/client.ts'
import { type Context, organizationOf, type Services } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { perObject } from '../../kernel/per-object.ts'
import { actorOf } from '../../kernel/principal.ts'
import { gatewayOf } from '../organization.ts'
import { insertEvents } from './heartbeat.sql.ts'
import { isRequested, requestHeartbeat } from './request.ts'

export interface Wake {
  /** Text of the event. */
  text: string
  /** Default: now. */
  mode?: WakeMode | null
}

export interface Woken {
  eventId: string
  mode: WakeMode
  /** `coalesced`: a heartbeat was requested before, and will see this event too. */
  outcome: 'queued' | 'coalesced'
}

/** An event before it is written. */
interface NewSystemEvent {
  text: string
  mode: WakeMode
  id: string
  /** The id of its row in the outbox. */
  outboxId: string
  orgId: string
  source: 'hook' | 'run' | 'user'
  name: string
  runId: string | null
  /** The actor and the request, in the order of the statement's parameters. */
  writer: readonly [actorType: string, actorId: string | null, actorName: string | null, door: string, operation: string, requestId: string]
  createdAt: string
}

const insert = (db: Queries, events: readonly NewSystemEvent[]): Promise<never[]> =>
  db.query(insertEvents, [
    events.map(({ id }) => id),
    events.map(({ orgId }) => orgId),
    events.map(({ source }) => source),
    events.map(({ name }) => name),
    events.map(({ text }) => text),
    events.map(({ mode }) => mode),
    events.map(({ runId }) => runId),
    events.map(({ outboxId }) => outboxId),
    ...[0, 1, 2, 3, 4, 5].map(column => events.map(({ writer }) => writer[column])),
    events.map(({ createdAt }) => createdAt),
  ])

const writerOf = perObject((services: Services) =>
  batcher<NewSystemEvent, void>(async events => {
    await insert(services.database, events)
    return []
  }),
)

/** Queues an event for the main session. With mode `now` a heartbeat follows within 250 ms. */
export async function wake(context: Context, { text, mode: wanted }: Wake): Promise<Woken> {
  const orgId = context.principal.kind === 'hook' ? context.principal.orgId : await gatewayOf(context)
  if (text.trim() === '') throw invalid({ path: ['text'], type: 'string_too_short', message: 'must not be blank', input: text })
  const mode = wanted ?? 'now'
  const { services, principal, db } = context
  const event = eventOf(context, {
    orgId,
    text,
    mode,
    source: principal.kind === 'hook' ? 'hook' : 'user',
    name: principal.kind === 'hook' ? principal.name : (actorOf(principal).name ?? principal.kind),
    runId: null,
  })
  // Outside of a transaction, concurrent events are written in batches.
  if (db.inTransaction) await insert(db, [event])
  else await writerOf(services)(event)
  services.outbox.announce()
  if (mode !== 'now') return { eventId: event.id, mode, outcome: 'queued' }

  if (context.dryRun) return { eventId: event.id, mode, outcome: isRequested(services) ? 'coalesced' : 'queued' }

  // In a transaction the outcome is stored with the event, so the heartbeat is requested before the commit, and again after it: the first
  // request may be handled before the event is visible.
  const outcome = requestHeartbeat(services)
  if (db.inTransaction) await db.afterCommit(() => requestHeartbeat(services))
  return { eventId: event.id, mode, outcome }
}

/** Queues a run's summary for the main session, in the context's transaction. */
export async function postSummary(context: Context, summary: { text: string; mode: WakeMode; name: string; runId: string }): Promise<void> {
  await insert(context.db, [eventOf(context, { ...summary, orgId: organizationOf(context), source: 'run' })])
  context.services.outbox.announce()
  if (summary.mode === 'now') await context.db.afterCommit(() => requestHeartbeat(context.services))
}

function eventOf(context: Context, event: Omit<NewSystemEvent, 'id' | 'outboxId' | 'writer' | 'createdAt'>): NewSystemEvent {
  const { type, id, name } = actorOf(context.principal)
  return {
    ...event,
    id: newId(),
    outboxId: newId(),
    writer: [type, id, name, context.door, context.operation, context.requestId],
    createdAt: context.now().toISOString(),
  }
}
