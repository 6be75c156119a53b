// How far the outbox was read for webhooks, and the events behind it.

import { statement } from '../../database/statement.ts'
import { bigint, rows, text } from '../../database/table.ts'
import { followed, isFollowed } from '../../kernel/events/event.sql.ts'

const state = rows({
  cluster: text,
  since: text.orNull(),
  until: text.orNull(),
  sequence: bigint,
  generation: bigint,
  snapshot: text,
  currentCluster: text,
})
export type ReaderState = ReturnType<typeof state.row>

const stateIn = `select r.cluster, r.since, r.until, r.sequence, r.generation, pg_current_snapshot()::text as snapshot,
   coalesce((select system_identifier from database_cluster), '') as current_cluster from webhook_reader r`

/** The lock of all that add deliveries, so that these get their positions in the order in which they are committed. */
export const lockReader = statement('webhook_reader_lock', 'select from webhook_reader for update')
/** The same, for the writes of endpoints: the next reading compares events with the endpoints as they are then. */
export const lockEndpoints = statement('webhook_reader_lock_endpoints', 'update webhook_reader set generation = generation + 1')
/** No row while another process holds the lock. */
export const lockFreeReader = statement('webhook_reader_lock_free', `${stateIn} for update of r skip locked`, state)

/** Begins here where nothing was read yet. */
export const beginReading = statement(
  'webhook_reader_begin',
  `update webhook_reader set since = pg_current_snapshot()::text, until = null,
     cluster = coalesce((select system_identifier from database_cluster), ''), sequence = (select last_value from events_sequence_seq)
   where since is null`,
)
/**
 * After `renumberRestored`: the events with the transaction id 1 and the later ones are to be read. Where this and all other processes had
 * nothing to renumber, $1 the snapshot up to which events were read by their sequence numbers.
 */
export const restartReader = statement(
  'webhook_reader_restart',
  `update webhook_reader set since = '1:1:', generation = generation + 1,
     until = case when cluster = current.identifier then $1 end, cluster = current.identifier
   from (select coalesce((select system_identifier from database_cluster), '') as identifier) as current`,
)
export const moveReader = statement('webhook_reader_move', 'update webhook_reader set since = $1, until = $2, sequence = $3, cluster = $4')

/**
 * The events of the organizations $6 that the snapshot with the end $1 and the running transactions $2 does not show, and $3 does, if any;
 * behind the sequence $4, at most $5. $7: the bulk operations.
 */
export const readPending = statement(
  'webhook_reader_events',
  `select ${followed.of('e')} from events e
   where (e.transaction_id >= $1 or e.transaction_id = any($2::bigint[]))
     and ($3::text is null or pg_visible_in_snapshot(e.transaction_id::text::xid8, $3::pg_snapshot))
     and e.sequence > $4 and e.org_id = any($6::uuid[]) and ${isFollowed('e', 7)}
   order by e.sequence limit $5`,
  followed,
)
