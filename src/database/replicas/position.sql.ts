// How far the write-ahead log of the primary goes, and how much of it a replica has replayed. Positions are bytes from its beginning.

import { shortRead } from '../statement.ts'
import { bigint, rows, text } from '../table.ts'

/**
 * The end of the log that is safely stored: each acknowledged commit lies before it. The timeline changes when a standby is promoted; a
 * position of one timeline says nothing about a server on another.
 */
export const storedPosition = shortRead(
  'replicas_stored',
  `select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint as position, left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline`,
  rows({ position: bigint, timeline: text }),
)
/** The end of the log that the server has replayed; null for a server that is no standby. */
export const replayedPosition = shortRead(
  'replicas_replayed',
  `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as position`,
  rows({ position: bigint.orNull() }),
)
/** The cluster that the server belongs to. A standby has the identifier of its primary. */
export const clusterOf = shortRead(
  'replicas_cluster',
  'select system_identifier::text as identifier from pg_control_system()',
  rows({ identifier: text }),
)
