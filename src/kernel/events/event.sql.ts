// The table of events, the outbox: inserting events, and reading those that were committed since a snapshot.

import type { Rows } from '../../database/selection.ts'
import { statement } from '../../database/statement.ts'
import { bigint, boolean, jsonb, object, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import type { EventType } from '../nouns/events.ts'
import { actorColumns } from '../principal.ts'

/**
 * The records whose timelines show the event. The two last also have an entry each in `timeline_entries`, which their timelines read: the
 * columns are for those who follow events.
 */
const records = { contactId: uuid.orNull(), companyId: uuid.orNull(), dealId: uuid.orNull() }

const events = table('events', {
  id: uuid,
  orgId: uuid,
  type: text.as<EventType>(),
  entity: text,
  entityId: text,
  ...records,
  actor: object(actorColumns),
  door: text,
  operation: text,
  requestId: text,
  changes: jsonb.as<Readonly<Record<string, unknown>>>(),
  createdAt: timestamptz,
})
export type EventRow = RowOf<typeof events>

const { of, record, columns, definitions, parameters } = events.values()

/** The columns of an event, for statements that insert an event themselves. `eventCells` returns their values. */
export const eventColumns = columns
/** The placeholders of `eventColumns`, numbered from the given number on. */
export const eventParameters = parameters
/** The column definitions for many events in one JSON parameter: `json_to_recordset($1) as given (...)`. */
export const eventDefinitions = definitions
export const eventRecord = record
/** The values of an event row in the order of `eventColumns`. */
export const eventCells = of

export const insertEvent = statement('insert_event', `insert into events (${columns}) values (${parameters()})`)
/** Inserts the events of a JSON parameter, for statements that insert events beside what they write. */
export const insertEventsSql = (parameter: number) =>
  `insert into events (${columns}) select ${columns} from json_to_recordset($${parameter}) as given (${definitions})`
export const insertEvents = statement('insert_events', insertEventsSql(1))

/** $1: the entries of timelines of companies and deals, as JSON. */
export const insertTimelineEntries = statement(
  'insert_timeline_entries',
  `insert into timeline_entries (org_id, record_id, created_at, id, entity)
   select org_id, record_id, created_at, id, entity
   from json_to_recordset($1) as given (org_id uuid, record_id uuid, created_at timestamptz, id uuid, entity text)`,
)

/** The condition that followers receive an event of this table alias. The parameter takes `allBulkOperations()`. */
export const isFollowed = (events: string, parameter: number) =>
  `${events}.entity || ' ' || ${events}.operation <> all ($${parameter}::text[])`

const snapshot = rows({ snapshot: text })
export const readSnapshot = statement('outbox_snapshot', 'select pg_current_snapshot()::text as snapshot', snapshot)

export const { all: followed } = table('events', {
  id: uuid,
  orgId: uuid,
  type: text.as<EventType>(),
  entity: text,
  entityId: text,
  ...records,
  actor: object(actorColumns),
  changes: jsonb.as<Readonly<Record<string, unknown>>>(),
  createdAt: timestamptz,
  transactionId: bigint,
  sequence: bigint.computed(of => `coalesce(${of}sequence, 0)`),
})
/** A committed event, as followers receive it. `sequence` increases with each event of an entity. */
export type OutboxEvent = ReturnType<typeof followed.row>

// When there are no new events, one row has the snapshot and no event.
const sinceSnapshot: Rows<{ snapshot: string; event: OutboxEvent | null }> = {
  described: [...snapshot.described, ...followed.described],
  row: ([first, ...event]) => ({ snapshot: String(first), event: event[0] === null ? null : followed.row(event) }),
}
/**
 * $1 the end of the previous snapshot (`xmin:xmax:running,...`), $2 the transactions that were running, $3 the limit, $4 the bulk operations. Events become visible
 * when their transaction commits, which is not in the order of transaction ids. So new events come from transactions that had not begun,
 * or were still running, in the previous snapshot.
 */
export const readEvents = statement(
  'outbox_read',
  `select s.snapshot, ${followed.of('e')}
   from (select pg_current_snapshot()::text as snapshot) s
   left join events e on (e.transaction_id >= $1 or e.transaction_id = any($2::bigint[])) and ${isFollowed('e', 4)}
   order by e.sequence limit $3`,
  sinceSnapshot,
)

/**
 * $2: the smallest transaction id, $3: the entities, $4: the types or null for all, $5: the limit, $6: the bulk operations. Sorted as in the index: sorting by
 * `sequence` would read every event since $2 before the limit applies.
 */
export const readEventsOf = statement(
  'outbox_read_organization',
  `select ${followed.sql} from events
   where org_id = $1 and transaction_id >= $2 and entity = any($3::text[]) and ($4::text[] is null or type = any($4::text[]))
     and ${isFollowed('events', 6)}
   order by transaction_id limit $5`,
  followed,
)
// About 10 ms to read from the cache and 10 ms to count. More would let a forged position read a whole history; fewer would send
// `read_afresh` to subscribers of few events after some minutes of imports.
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

/**
 * SQL: moves entries to the timeline of another company, with their events, and returns the ids of these. $1 organization, $2 and $3 the
 * companies, $4 only these events or null. An event about both is in the timeline of each, and stays.
 */
export const moveTimelineEntries = `with moved as (
     update timeline_entries entry set record_id = $3
     where org_id = $1 and record_id = $2 and ($4::uuid[] is null or id = any($4::uuid[])) and not exists (
       select from timeline_entries other
       where other.org_id = $1 and other.record_id = $3 and other.created_at = entry.created_at and other.id = entry.id)
     returning id, created_at
   ), followed as (
     update events e set company_id = $3 from moved
     where e.id = moved.id and e.created_at = moved.created_at and e.org_id = $1 and e.company_id = $2
   )
   select id from moved`
