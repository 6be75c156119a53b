// What the gateway has not finished, of all organizations, for the metrics.

import { type Database, statement } from '../database/client.ts'

// Each from an index that holds nothing else.
const countRuns = statement<{ state: string; count: number }>(
  'gateway_runs_open_by_state',
  `select wanted.state, count(run.id)::int as count from (values ('accepted'), ('running')) wanted (state)
   left join gateway_runs run on run.status = wanted.state and run.status in ('accepted', 'running') group by 1`,
)
const countDeliveries = statement<{ state: string; count: number }>(
  'gateway_deliveries_open_by_state',
  `select wanted.state, count(delivery.id)::int as count from (values ('pending'), ('sending')) wanted (state)
   left join gateway_deliveries delivery on delivery.state = wanted.state and delivery.state in ('pending', 'sending') group by 1`,
)

export const openRuns = (database: Database): Promise<{ state: string; count: number }[]> => database.query(countRuns)
export const openDeliveries = (database: Database): Promise<{ state: string; count: number }[]> => database.query(countDeliveries)
