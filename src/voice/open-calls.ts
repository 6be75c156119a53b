// Calls that are not over, of all organizations, for the metrics.

import { type Database, statement } from '../database/client.ts'

// Each from an index that holds nothing else.
const countOpen = statement<{ state: string; count: number }>(
  'calls_open_by_state',
  `select 'waiting' as state, count(*)::int as count from calls where dispatch_state in ('pending', 'scheduled')
   union all
   select wanted.state, count(calls.id)::int
   from (values ('dispatching'), ('dispatched'), ('unconfirmed')) wanted (state)
   left join calls on dispatch_state = wanted.state
     and dispatch_state in ('dispatching', 'dispatched', 'unconfirmed') and status in ('queued', 'ringing', 'in_progress')
   group by 1`,
)

/** Waiting for their turn, being handed to a provider, at one, or unknown to it. */
export const openCalls = (database: Database): Promise<{ state: string; count: number }[]> => database.query(countOpen)
