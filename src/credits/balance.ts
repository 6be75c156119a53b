// Balances: what an account has, what of it is free, and which grants it comes from.

import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { creditsOf } from '../money.ts'
import { bringUpToDate, payerOf } from './account.ts'
import { type Grant, grantColumns, grantOf } from './grant.ts'

export interface Balance {
  userId: string
  unit: 'credit'
  balance: number
  /** The part of the balance that open holds keep. */
  reserved: number
  available: number
  lowBalance: boolean
  lowBalanceThreshold: number
  /** When the next grant that still has something ends. */
  nextExpiry: string | null
  /** Those that can still be drawn, in the order in which they will be; then those that begin later. */
  grants: Grant[]
  asOf: string
}

// 200: as many as a page has. An account of more open grants shows those that are drawn first.
const shownGrants = 200

// The account beside each of its grants; one row without a grant where there is none.
type Row = Omit<Grant, 'id'> & { id: string | null; balance: number; reserved: number; isDue: boolean; nextExpiry: string | null }

const readBalance = statement<Row>(
  'credits_balance',
  `select a.balance_micro as balance, a.reserved_micro as reserved, coalesce(a.due_at <= $2::timestamptz, false) as "isDue",
     min(g.expires_at) filter (where g.status = 'active') over () as "nextExpiry",
     ${grantColumns}
   from credit_accounts a left join credit_grants g on g.user_id = a.user_id and g.status in ('active', 'pending')
   where a.user_id = $1
   order by g.status, g.priority, g.expires_at, g.category desc, g.effective_at, g.created_at, g.id limit ${shownGrants}`,
)

/** The payer's balance, with everything done that is due by now. */
export async function balance(context: Context): Promise<Balance> {
  return balanceOf(context, await payerOf(context))
}

/** The same of any user. Throws NOT_FOUND for nobody. */
export async function balanceOf(context: Context, userId: string): Promise<Balance> {
  for (;;) {
    const now = context.now().toISOString()
    const rows = await context.db.query(readBalance, [userId, now])
    const [account] = rows
    if (account && !account.isDue) return presented(context, userId, now, account, rows)
    await bringUpToDate(context, userId)
  }
}

function presented({ services }: Context, userId: string, asOf: string, account: Row, rows: readonly Row[]): Balance {
  const threshold = services.config.CREDITS_LOW_BALANCE
  const available = creditsOf(account.balance - account.reserved)
  return {
    userId,
    unit: 'credit',
    balance: creditsOf(account.balance),
    reserved: creditsOf(account.reserved),
    available,
    lowBalance: available < threshold,
    lowBalanceThreshold: threshold,
    nextExpiry: account.nextExpiry,
    grants: rows.flatMap(({ id, ...row }) => (id === null ? [] : [grantOf({ id, ...row })])),
    asOf,
  }
}
