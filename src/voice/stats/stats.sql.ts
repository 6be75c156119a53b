// The statements of call statistics.

import { statement, unseen } from '../../database/statement.ts'
import { integer, rows, text } from '../../database/table.ts'
import { callOutcomes, callStatuses } from '../providers/telephony.ts'

const columns = [
  ...['active', 'total', 'placed', 'answered', 'answered_seconds'],
  ...callStatuses.map(status => `status_${status}`),
  ...callOutcomes.map(outcome => `outcome_${outcome}`),
]
/** One row per day with calls, and one with the day -infinity for the calls that are active now. */
export const selectCounts = statement(
  'call_counts',
  `select day, ${columns.map(column => `sum(${column})::bigint as ${column}`)} from call_counts
   where org_id = ${unseen('$1::uuid')} and (day = '-infinity' or day between $2 and $3) group by day`,
  {
    described: [{ name: 'day', type: 'date' }, ...columns.map(name => ({ name, type: 'bigint' }))],
    row: cells => ({ day: String(cells[0]), counts: cells.slice(1) as number[] }),
  },
)
/** The number of counts in a row. */
export const countWidth = columns.length

// Each count is an index-only scan of a partial index.
export const countOpen = statement(
  'calls_open_by_state',
  `select 'waiting' as state, count(*)::int as count from calls where dispatch_state in ('pending', 'scheduled')
   union all
   select wanted.state, count(calls.id)::int
   from (values ('dispatching'), ('dispatched'), ('unconfirmed')) wanted (state)
   left join calls on dispatch_state = wanted.state
     and dispatch_state in ('dispatching', 'dispatched', 'unconfirmed') and status in ('queued', 'ringing', 'in_progress')
   group by 1`,
  rows({ state: text, count: integer }),
)
