// The table of events, the outbox: inserting events, and reading those that were committed since a snapshot.

import { statement } from '../../database/statement.ts'
import { bigint, boolean, jsonb, object, type RowOf, type Rows, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { actorColumns } from '../principal.ts'
import type { EventType } from './names.ts'

const events = table('events', {
  id: uuid,
  orgId: uuid,
  type: text.as<EventType>(),
  entity: text,
  entityId: text,
  contactId: uuid.orNull(),
  actor: object(actorColumns),
  door: text,
  operation: text,
  requestId: text,
  changes: jsonb.as<Readonly<Record<string, unknown>>>(),
  createdAt: timestamptz,
})
export type EventRow = RowOf<typeof events>

const { of, record, columns, definitions, parameters } = events.values()

/** The columns of an event, for statements that insert their own event. `eventCells` has their values. */
export const eventColumns = columns
/** The parameters of `eventColumns`, numbered from the given one on. */
export const eventParameters = parameters
/** The column definitions for many events in one JSON parameter: `json_to_recordset($1) as given (...)`. */
export const eventDefinitions = definitions
export const eventRecord = record
/** The values of an event row in the order of `eventColumns`. */
export const eventCells = of

export const insertEvent = statement('insert_event', `insert into events (${columns}) values (${parameters()})`)
export const insertEvents = statement(
  'insert_events',
  `insert into events (${columns}) select ${columns} from json_to_recordset($1) as given (${definitions})`,
)

/**
 * The operation whose events of contacts are recorded, but not followed: 100,000 rows of a file would take every subscriber past its limit.
 * Its progress is followed instead.
 */
export const bulkOperation = 'importContacts'

const isFollowed = (events: string) => `not (${events}.operation = '${bulkOperation}' and ${events}.entity = 'contact')`

const snapshot = rows({ snapshot: text })
export const readSnapshot = statement('outbox_snapshot', 'select pg_current_snapshot()::text as snapshot', snapshot)

const { all: followed } = table('events', {
  id: uuid,
  orgId: uuid,
  type: text.as<EventType>(),
  entity: text,
  entityId: text,
  contactId: uuid.orNull(),
  actor: object(actorColumns),
  changes: jsonb.as<Readonly<Record<string, unknown>>>(),
  createdAt: timestamptz,
  transactionId: bigint,
  sequence: bigint.usually(0),
})
/** A committed event, as followers receive it. `sequence` increases with each event of an entity. */
export type OutboxEvent = ReturnType<typeof followed.row>

// Without new events, the snapshot comes in a row of its own.
const sinceSnapshot: Rows<{ snapshot: string; event: OutboxEvent | null }> = {
  described: [...snapshot.described, ...followed.described],
  row: ([first, ...event]) => ({ snapshot: String(first), event: event[0] === null ? null : followed.row(event) }),
}
/**
 * $1 the end of the previous snapshot (`xmin:xmax:running,...`), $2 the transactions that were running, $3 the limit. A transaction's events
 * become visible when it commits, not in the order of transaction ids, so new events are those of transactions that the previous snapshot
 * shows as not begun or still running.
 */
export const readEvents = statement(
  'outbox_read',
  `select s.snapshot, ${followed.of('e')}
   from (select pg_current_snapshot()::text as snapshot) s
   left join events e on (e.transaction_id >= $1 or e.transaction_id = any($2::bigint[])) and ${isFollowed('e')}
   order by e.sequence limit $3`,
  sinceSnapshot,
)

/**
 * $2: the smallest transaction id, $3: the entities, $4: the types or null for all, $5: the limit. In the order of the index, because
 * sorting by `sequence` would read every event since $2 before the limit applies.
 */
export const readEventsOf = statement(
  'outbox_read_organization',
  `select ${followed.sql} from events
   where org_id = $1 and transaction_id >= $2 and entity = any($3::text[]) and ($4::text[] is null or type = any($4::text[]))
     and ${isFollowed('events')}
   order by transaction_id limit $5`,
  followed,
)
// About 10 ms to read from the cache and 10 ms to count. More would let a forged position read a whole history; fewer would send
// `read_afresh` to narrow subscribers that were away for some minutes of imports.
const maxEventsSince = 20_000
/** Whether the organization has more than 20,000 events from the transaction id $2 on. */
export const hasManyEvents = statement(
  'outbox_count_organization',
  `select exists (
     select from events where org_id = $1 and transaction_id >= $2 order by transaction_id offset ${maxEventsSince}
   ) as has_many`,
  rows({ hasMany: boolean }),
)

export const readCluster = statement(
  'outbox_cluster',
  'select system_identifier as identifier from database_cluster',
  rows({ identifier: text }),
)
