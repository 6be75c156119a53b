// The outbox's rows: every write leaves one in its own transaction, saying who, through which door, and what changed.

import { v7 as uuid } from 'uuid'
import { type Context, organizationOf } from './context.ts'
import { statement } from './database/client.ts'
import { actorOf } from './identity/principal.ts'

export interface NewEvent {
  /** `<entity>.<what happened>`, such as `contact.updated`. */
  type: string
  entityId: string
  /** The contact whose timeline shows it, if any. */
  contactId?: string | null
  /** `{ field: [before, after] }` for an update, details otherwise. */
  changes?: Record<string, unknown>
  /** Default: the organization of the context. */
  orgId?: string
}

/** The columns that `eventValues` fills, for statements that write their event themselves. */
export const eventColumns =
  'id, org_id, type, entity, entity_id, contact_id, actor_type, actor_id, actor_name, door, operation, request_id, changes, created_at'

/** Values in the order of `eventColumns`. */
export function eventValues(context: Context, event: NewEvent): unknown[] {
  const actor = actorOf(context.principal)
  return [
    uuid(),
    event.orgId ?? organizationOf(context),
    event.type,
    event.type.slice(0, event.type.indexOf('.')),
    event.entityId,
    event.contactId ?? null,
    actor.type,
    actor.id,
    actor.name,
    context.door,
    context.operation,
    context.requestId,
    JSON.stringify(event.changes ?? {}),
    context.now().toISOString(),
  ]
}

const insertEvent = statement<never>(
  'insert_event',
  `insert into events (${eventColumns}) values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)`,
)

/** Writes the event in the context's transaction, and wakes the readers of the outbox. */
export async function recordEvent(context: Context, event: NewEvent): Promise<void> {
  await context.db.query(insertEvent, eventValues(context, event))
  context.services.outbox.announce()
}
