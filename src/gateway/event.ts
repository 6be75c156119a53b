// System events: what the main session should know, queued until a heartbeat has seen it.

import { v7 as uuid } from 'uuid'
import { type Context, organizationOf, type Services } from '../context.ts'
import { convoy } from '../convoy.ts'
import { type Queries, statement } from '../database/client.ts'
import { invalid } from '../errors.ts'
import { actorOf } from '../identity/principal.ts'
import { ofEach } from '../own.ts'
import { askForHeartbeat } from './heartbeat-bell.ts'
import { gatewayOf } from './organization.ts'
import type { WakeMode } from './words.ts'

export interface Wake {
  /** What happened. */
  text: string
  /** Default: now. */
  mode?: WakeMode | null
}

export interface Woken {
  eventId: string
  mode: WakeMode
  /** `coalesced`: a heartbeat was asked for already, and will see this event too. */
  outcome: 'queued' | 'coalesced'
}

/** An event as it is to be written, with who wrote it. */
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
  written: readonly [
    actorType: string,
    actorId: string | null,
    actorName: string | null,
    door: string,
    operation: string,
    requestId: string,
  ]
  createdAt: string
}

// One statement for any number of events, each with its row in the outbox. Sent again after an answer that was lost, it does nothing.
const insertEvents = statement<never>(
  'gateway_insert_events',
  `with given as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::uuid[], $9::text[], $10::text[],
       $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[]) with ordinality as g(id, org_id, source, name, text, mode, run_id,
       event_id, actor_type, actor_id, actor_name, door, operation, request_id, created_at, n)),
   queued as (
     insert into gateway_events (id, org_id, source, name, text, mode, run_id, created_at)
     select id, org_id, source, name, text, mode, run_id, created_at from given order by n
     on conflict (id) do nothing returning id)
   insert into events (id, org_id, type, entity, entity_id, actor_type, actor_id, actor_name, door, operation, request_id, changes, created_at)
   select event_id, org_id, 'system_event.queued', 'system_event', id::text, actor_type, actor_id, actor_name, door, operation, request_id,
     jsonb_build_object('mode', mode), created_at from given join queued using (id)`,
)

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
    ...[0, 1, 2, 3, 4, 5].map(column => events.map(({ written }) => written[column])),
    events.map(({ createdAt }) => createdAt),
  ])

const writerOf = ofEach((services: Services) =>
  convoy<NewSystemEvent, void>(
    async events => {
      await insert(services.database, events)
      return []
    },
    { lanes: 4, isShared: true },
  ),
)

/** Queues an event for the main session; with `now` a heartbeat follows within a quarter of a second. */
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
  // Inside of a transaction it belongs to that; otherwise it goes with whatever is written at the same moment.
  if (db.inTransaction) await insert(db, [event])
  else await writerOf(services)(event)
  services.outbox.announce()
  if (mode !== 'now') return { eventId: event.id, mode, outcome: 'queued' }

  // Inside of a transaction the answer is written down with the event, so a heartbeat is asked for now; and once more after the commit, should
  // that come too late for it.
  const outcome = askForHeartbeat(services)
  if (db.inTransaction) await db.afterCommit(() => askForHeartbeat(services))
  return { eventId: event.id, mode, outcome }
}

/** Queues what a run has to tell the main session, in the context's transaction. */
export async function postSummary(context: Context, summary: { text: string; mode: WakeMode; name: string; runId: string }): Promise<void> {
  await insert(context.db, [eventOf(context, { ...summary, orgId: organizationOf(context), source: 'run' })])
  context.services.outbox.announce()
  if (summary.mode === 'now') await context.db.afterCommit(() => askForHeartbeat(context.services))
}

function eventOf(context: Context, event: Omit<NewSystemEvent, 'id' | 'outboxId' | 'written' | 'createdAt'>): NewSystemEvent {
  const { type, id, name } = actorOf(context.principal)
  return {
    ...event,
    id: uuid(),
    outboxId: uuid(),
    written: [type, id, name, context.door, context.operation, context.requestId],
    createdAt: context.now().toISOString(),
  }
}
