// The cluster that a database is in, and the transaction ids of its events.

import { statement } from '../statement.ts'
import { boolean, integer, rows, text } from '../table.ts'

export const readIdentifier = statement(
  'cluster_identifier',
  'select system_identifier::text as identifier from pg_control_system()',
  rows({ identifier: text }),
)

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

/** Sets the transaction id 0, which is before every transaction. Past events are then ordered by their ids. */
export const renumberEvents = statement(
  'cluster_renumber',
  `with renumbered as (
     update events set transaction_id = 0
     where transaction_id >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint returning 1
   ) select count(*)::int as count from renumbered`,
  rows({ count: integer }),
)
