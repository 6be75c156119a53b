// The lock on a member's own dashboard.

import { statement } from '../../database/statement.ts'

/** One change at a time: two that begin from the default arrangement would both write it. $1 organization, $2 user. */
export const lockDashboard = statement(
  'own_dashboard_lock',
  `select from pg_advisory_xact_lock(hashtextextended('dashboard of ' || $1 || ' ' || $2, 0))`,
)
