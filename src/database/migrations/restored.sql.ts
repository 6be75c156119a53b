// The cluster that a database is in, and the transaction ids of its events.

import { statement } from '../statement.ts'
import { boolean, integer, rows, text } from '../table.ts'

export const readIdentifier = statement(
  'cluster_identifier',
  'select system_identifier::text as identifier from pg_control_system()',
  rows({ identifier: text }),
)

/** Through a pooler, the name that PostgreSQL has for it. */
export const readName = statement('database_name', 'select current_database()::text as name', rows({ name: text }))

/** A visible event has a transaction id below the end of the snapshot. An event with a higher id comes from another cluster. */
export const readState = statement(
  'cluster_state',
  `select (select system_identifier from database_cluster) as known,
     exists (select from events where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint) as is_ahead`,
  rows({ known: text.orNull(), isAhead: boolean }),
)

export const saveIdentifier = statement(
  'cluster_save',
  'insert into database_cluster (system_identifier) values ($1) on conflict (id) do update set system_identifier = excluded.system_identifier',
)

/**
 * Sets the transaction id 0, which is before every transaction. Past events are then ordered by their ids. Events that webhooks have not read
 * get the id 1: `webhook_reader` knows the read ones by snapshots, which mean nothing in this cluster.
 */
export const renumberEvents = statement(
  'cluster_renumber',
  `with reader as materialized (
     select since::pg_snapshot as since, coalesce(until, since)::pg_snapshot as until, case when until is null then 0 else sequence end as sequence,
       coalesce(cluster <> (select system_identifier from database_cluster), false) as is_elsewhere
     from webhook_reader where since is not null
   ), renumbered as (
     update events e set transaction_id = coalesce((
       select (is_elsewhere or not (
         pg_visible_in_snapshot(e.transaction_id::text::xid8, reader.since)
         or pg_visible_in_snapshot(e.transaction_id::text::xid8, reader.until) and e.sequence <= reader.sequence
       ))::int from reader
     ), 0)
     where transaction_id > 1
       and (transaction_id >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint or exists (select from reader))
     returning 1
   ) select count(*)::int as count from renumbered`,
  rows({ count: integer }),
)
