// Why a scheduled call is not dialled yet: its own time has not come, or there are no calling hours where it is to ring.

import { pageRead } from '../../../database/statement.ts'
import { boolean, rows, text, timestamptz, uuid } from '../../../database/table.ts'
import { organizationOf } from '../../../kernel/context.ts'
import { type Batch, inOrder } from '../../../kernel/dataloaders.ts'

export interface CallWait {
  until: string
  reason: 'calling_hours' | 'schedule'
  timezone: string
}

const columns = rows({ id: uuid, until: timestamptz, isForHours: boolean, timezone: text })
// The policy puts a call off by its `dispatch_after`; what the caller asked for is in the other times. The zone is the policy's.
const callWaits = pageRead(
  'call_waits',
  `select c.id, c.dispatch_after as until, c.dispatch_after > greatest(c.created_at, c.earliest_at) as is_for_hours,
     coalesce(k.timezone, s.default_timezone, 'UTC') as timezone
   from calls c left join contacts k on k.org_id = c.org_id and k.id = c.contact_id left join voice_settings s on s.org_id = c.org_id
   where c.org_id = $1 and c.id = any($2::uuid[]) and c.dispatch_state = 'scheduled'`,
  columns,
)

/** Null for a call that is not scheduled. */
export const loadWaits: Batch<string, CallWait | null> = async (context, ids) => {
  const found = await context.db.query(callWaits, [organizationOf(context), ids])
  const waits = inOrder(ids, found, ({ id }) => id)
  return waits.map(wait => wait && { until: wait.until, reason: wait.isForHours ? 'calling_hours' : 'schedule', timezone: wait.timezone })
}
