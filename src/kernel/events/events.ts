// Recording events: every write inserts one into the outbox in its own transaction, with the actor, the door and the changes.

import { type Context, organizationOf } from '../context.ts'
import { newId } from '../ids.ts'
import { storedJson } from '../input/storable.ts'
import { type EventType, entityOf } from '../nouns/events.ts'
import { actorOf } from '../principal.ts'
import { type EventRow, eventCells, eventRecord, insertEvent, insertEvents, insertTimelineEntries } from './event.sql.ts'

export interface NewEvent {
  type: EventType
  entityId: string
  /** The contact whose timeline shows the event, if any. */
  contactId?: string | null
  /** The company whose timeline shows it, other than as an event of one of its people. */
  companyId?: string | null
  dealId?: string | null
  /** `{ field: [before, after] }` for an update; details for other events. */
  changes?: Record<string, unknown>
  /** Default: the organization of the context. */
  orgId?: string
}

/** Inserts the event in the context's transaction, and announces it. */
export async function recordEvent(context: Context, event: NewEvent): Promise<void> {
  const row = eventRow(context, event)
  await context.db.query(insertEvent, eventCells(row))
  await enterTimelines(context, [row])
  await announce(context)
}

/** Inserts the events in one statement, like `recordEvent`. */
export async function recordEvents(context: Context, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(event => eventRow(context, event))
  await context.db.query(insertEvents, [storedJson(rows.map(eventRecord))])
  await enterTimelines(context, rows)
  await announce(context)
}

/** Shows events in the timelines of their companies and deals. For callers whose own statement inserts the events. */
export async function enterTimelines(context: Pick<Context, 'db'>, events: readonly EventRow[]): Promise<void> {
  const entries = events.flatMap(({ id, orgId, createdAt, entity, companyId, dealId }) =>
    [dealId, companyId].flatMap(record => (record === null ? [] : { org_id: orgId, record_id: record, created_at: createdAt, id, entity })),
  )
  if (entries.length > 0) await context.db.query(insertTimelineEntries, [storedJson(entries)])
}

/** Notifies the readers of the outbox after the commit, once for each transaction. For statements that insert events themselves. */
export const announce = ({ db, services }: Pick<Context, 'db' | 'services'>): Promise<void> => db.afterCommit(services.outbox.announce)

/** The values of `eventColumns`, for statements that insert an event themselves. */
export const eventValues = (context: Context, event: NewEvent): unknown[] => eventCells(eventRow(context, event))

export function eventRow(context: Context, event: NewEvent): EventRow {
  return {
    id: newId(),
    orgId: event.orgId ?? organizationOf(context),
    type: event.type,
    entity: entityOf(event.type),
    entityId: event.entityId,
    ...{ contactId: event.contactId ?? null, companyId: event.companyId ?? null, dealId: event.dealId ?? null },
    actor: actorOf(context.principal),
    door: context.door,
    operation: context.operation,
    requestId: context.requestId,
    changes: event.changes ?? {},
    createdAt: context.now().toISOString(),
  }
}
