// How far the outbox was read for inboxes, and the events behind it.

import { statement } from '../../database/statement.ts'
import { bigint, jsonb, object, rows, text, timestamptz, uuid } from '../../database/table.ts'
import { isFollowed } from '../../kernel/events/event.sql.ts'
import { actorColumns } from '../../kernel/principal.ts'

const state = rows({
  cluster: text,
  since: text,
  until: text.orNull(),
  sequence: bigint,
  snapshot: text,
  currentCluster: text,
})
export type ReaderState = ReturnType<typeof state.row>

/** Reading begins here in a database that has no position yet: what happened before is in no inbox. */
export const beginReading = statement(
  'inbox_reader_begin',
  `insert into inbox_reader (id, cluster, since, sequence)
   select true, coalesce((select system_identifier from database_cluster), ''), pg_current_snapshot()::text, last_value
   from events_sequence_seq on conflict (id) do nothing`,
)
/** No row while another process holds the lock. */
export const lockFreeReader = statement(
  'inbox_reader_lock_free',
  `select r.cluster, r.since, r.until, r.sequence, pg_current_snapshot()::text as snapshot,
     coalesce((select system_identifier from database_cluster), '') as current_cluster
   from inbox_reader r for update of r skip locked`,
  state,
)
export const moveReader = statement('inbox_reader_move', 'update inbox_reader set since = $1, until = $2, sequence = $3, cluster = $4')

const told = rows({
  id: uuid,
  orgId: uuid,
  type: text,
  entityId: text,
  contactId: uuid.orNull(),
  companyId: uuid.orNull(),
  dealId: uuid.orNull(),
  actor: object(actorColumns),
  requestId: text,
  changes: jsonb.as<Readonly<Record<string, unknown>>>(),
  createdAt: timestamptz,
  sequence: bigint,
})
/** A committed event that may put something into an inbox. */
export type ToldEvent = ReturnType<typeof told.row>

/**
 * The events that the snapshot with the end $1 and the running transactions $2 does not show, and $3 does; behind the sequence $4, at most
 * $5. $6: the bulk operations. $7: the types that always count, $8: those that count if they name one of the fields $9.
 */
export const readPending = statement(
  'inbox_reader_events',
  `select e.id, e.org_id, e.type, e.entity_id, e.contact_id, e.company_id, e.deal_id, e.actor_type, e.actor_id, e.actor_name, e.request_id, e.changes, e.created_at,
     coalesce(e.sequence, 0) as sequence
   from events e
   where (e.transaction_id >= $1 or e.transaction_id = any($2::bigint[]))
     and pg_visible_in_snapshot(e.transaction_id::text::xid8, $3::pg_snapshot)
     and e.sequence > $4 and ${isFollowed('e', 6)}
     and (e.type = any($7::text[]) or (e.type = any($8::text[]) and e.changes ?| $9::text[]))
   order by e.sequence limit $5`,
  told,
)
