// Statements of OAuth: the number of unused clients, and locks of grants, so that a code or refresh token is exchanged once.

import { statement } from '../../database/statement.ts'
import { integer, rows, uuid } from '../../database/table.ts'

/** Counts clients that registered themselves. $1: the highest count that matters. $2: the time since when they registered. */
export const countUnusedClients = statement(
  'oauth_clients_unused',
  `select count(*)::int as count
   from (
     select from oauth_clients c
     where c.created_at >= $2::timestamptz and c.metadata_url is null and not exists (select from oauth_grants g where g.client_id = c.id) limit $1
   ) unused`,
  rows({ count: integer }),
)

export const lockGrant = statement('oauth_grant_lock', 'select id from oauth_grants where id = $1 for update', rows({ id: uuid }))
