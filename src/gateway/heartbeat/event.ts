// System events: messages to the main session, queued until a heartbeat has seen them.

import type { WakeMode } from '../../config/gateway/enums.ts'
import type { Queries } from '../../database/client.ts'
import { orRefused, type RuleOfMany } from '../../kernel/batching/together.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { announce } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
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

/** Queues events for the main sessions. With mode `now` a heartbeat follows within 250 ms. */
export const wake: RuleOfMany<Wake, Woken> = async asked => {
  const all = await Promise.all(
    asked.map(async ({ context, input }) => ({ context, event: await orRefused(() => readWake(context, input)) })),
  )
  const events = all.flatMap(({ event }) => (event instanceof AppError ? [] : [event]))
  const [first] = asked
  if (first && events.length > 0) {
    await insert(first.context.db, events)
    await announce(first.context)
  }
  return Promise.all(all.map(async ({ context, event }) => (event instanceof AppError ? event : wokenBy(context, event))))
}

async function readWake(context: Context, { text, mode }: Wake): Promise<NewSystemEvent> {
  const { principal } = context
  const orgId = principal.kind === 'hook' ? principal.orgId : await gatewayOf(context)
  if (text.trim() === '') throw invalid({ path: ['text'], type: 'string_too_short', message: 'must not be blank', input: text })
  return eventOf(context, {
    orgId,
    text,
    mode: mode ?? 'now',
    source: principal.kind === 'hook' ? 'hook' : 'user',
    name: principal.kind === 'hook' ? principal.name : (actorOf(principal).name ?? principal.kind),
    runId: null,
  })
}

async function wokenBy({ db, services, dryRun }: Context, { id: eventId, mode }: NewSystemEvent): Promise<Woken> {
  if (mode !== 'now') return { eventId, mode, outcome: 'queued' }
  if (dryRun) return { eventId, mode, outcome: isRequested(services) ? 'coalesced' : 'queued' }
  // In a transaction the outcome is stored with the event, so the heartbeat is requested before the commit, and again after it: the first
  // request may be handled before the event is visible.
  const outcome = requestHeartbeat(services)
  if (db.inTransaction) await db.afterCommit(() => requestHeartbeat(services))
  return { eventId, mode, outcome }
}

/** Queues a run's summary for the main session, in the context's transaction. */
export async function postSummary(context: Context, summary: { text: string; mode: WakeMode; name: string; runId: string }): Promise<void> {
  await insert(context.db, [eventOf(context, { ...summary, orgId: organizationOf(context), source: 'run' })])
  await announce(context)
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
