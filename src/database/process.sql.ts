// Statements about the processes that share the database: notifications between them, and the connections they may open.

import { statement } from './statement.ts'
import { integer, rows } from './table.ts'

/** $1 the channels, $2 a payload for each. */
export const notify = statement(
  'notify',
  'select from unnest($1::text[], $2::text[]) as sent(channel, payload) cross join lateral pg_notify(channel, payload)',
)

/** Each process has one listening connection, so these are counted. */
export const readConnections = statement(
  'connections_read',
  `select current_setting('max_connections')::int as max, current_setting('superuser_reserved_connections')::int as reserved,
     (select count(*)::int from pg_stat_activity where application_name like 'rolocom listener%' and datname = current_database()) as processes`,
  rows({ max: integer, reserved: integer, processes: integer }),
)
