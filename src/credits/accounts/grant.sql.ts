// The statements of grants, and of the balance that they add up to.

import { statement } from '../../database/statement.ts'
import { bigint, boolean, type RowOf, rows, smallint, table, text, timestamptz, uuid } from '../../database/table.ts'
import { creditsOf, microOf } from '../../kernel/money.ts'

const properties = {
  id: uuid,
  userId: text,
  /** In credits. `remaining` is the part that is neither spent nor held. */
  amount: bigint.named('amount_micro').converted(creditsOf, microOf),
  remaining: bigint.named('remaining_micro').converted(creditsOf, microOf),
  category: text.as<'paid' | 'promotional'>(),
  /** From 0, which is debited first, to 100. */
  priority: smallint,
  status: text.as<'pending' | 'active' | 'used' | 'expired' | 'voided'>(),
  reference: text.orNull(),
  effectiveAt: timestamptz,
  expiresAt: timestamptz.orNull(),
  createdAt: timestamptz,
}
const grants = table('credit_grants', properties)

/** A grant: an amount of credits added at once. */
export type Grant = RowOf<typeof grants>

export const selectGrant = statement('credits_read_grant', `select ${grants.all.sql} from credit_grants where id = $1`, grants.all)

// 200, as on a page. An account with more open grants shows those that are debited first.
const shownGrants = 200

/** The account, joined with its open grants in the order of debiting; one row without a grant if there is none. */
export const selectBalance = statement(
  'credits_balance',
  `select a.balance_micro, a.reserved_micro, coalesce(a.due_at <= $2::timestamptz, false) as is_due,
     min(g.expires_at) filter (where g.status = 'active') over () as next_expiry, ${grants.all.of('g')}
   from credit_accounts a left join credit_grants g on g.user_id = a.user_id and g.status in ('active', 'pending')
   where a.user_id = $1
   order by g.status, g.priority, g.expires_at, g.category desc, g.effective_at, g.created_at, g.id limit ${shownGrants}`,
  rows({
    balanceMicro: bigint,
    reservedMicro: bigint,
    isDue: boolean,
    nextExpiry: timestamptz.orNull(),
    ...properties,
    id: uuid.orNull(),
  }),
)
