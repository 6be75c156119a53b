// The statements that find the credits which move from an account to its successor.

import { statement } from '../../database/statement.ts'
import { bigint, rows, smallint, text, timestamptz, uuid } from '../../database/table.ts'
import type { Grant } from './grant.sql.ts'

// All but the grant for new users, which is the first entry of an account: the successor has got one, too.
const movable = `g.status in ('active', 'pending') and g.remaining_micro > 0 and not exists (
  select from credit_entries e where e.user_id = g.user_id and e.seq = 1 and e.type = 'grant' and e.reference = 'new user'
    and e.breakdown -> 0 ->> 'grantId' = g.id::text)`

const grant = rows({
  id: uuid,
  remainingMicro: bigint,
  category: text.as<Grant['category']>(),
  priority: smallint,
  status: text.as<'active' | 'pending'>(),
  reference: text.orNull(),
  effectiveAt: timestamptz,
  expiresAt: timestamptz.orNull(),
})
export type Movable = ReturnType<typeof grant.row>

export const selectMovable = statement(
  'credits_movable',
  `select g.id, g.remaining_micro, g.category, g.priority, g.status, g.reference, g.effective_at, g.expires_at
   from credit_grants g where g.user_id = $1 and ${movable} order by g.created_at, g.id`,
  grant,
)

/** Accounts to which credits came after they had a successor. */
export const selectSuccessions = statement(
  'credits_successions',
  `select a.user_id, a.successor_id from credit_accounts a
   where a.successor_id is not null and exists (select from credit_grants g where g.user_id = a.user_id and ${movable}) order by 1 limit 100`,
  rows({ userId: text, successorId: text }),
)
