// Statements of `work_begun`, which counts the processes that died at the work of rounds that repeat.

import { statement } from '../../database/statement.ts'
import { integer, rows } from '../../database/table.ts'

// 60 s: a round is aborted after 50. Shorter: work that is still being done counts as lost; longer: lost work waits longer for its next round.
const lease = `now() + interval '60 seconds'`

/** $1 id, $2 token. Returns nothing while another process is at it. */
export const beginWork = statement(
  'work_begin',
  `insert into work_begun as w (id, token, lease_until) values ($1, $2, ${lease})
   on conflict (id) do update set token = excluded.token, lease_until = excluded.lease_until, workers_lost = w.workers_lost + 1
   where w.lease_until < now() returning workers_lost`,
  rows({ workersLost: integer }),
)

/** $1 id, $2 token. */
export const endWork = statement('work_end', 'delete from work_begun where id = $1 and token = $2')
