// Balances: an account's credits, the available part, and the grants they consist of.

import type { Context } from '../../kernel/context.ts'
import { creditsOf, microOf } from '../../kernel/money.ts'
import { bringUpToDate, type Seen, seenAccount } from './account.ts'
import { type Grant, selectBalance } from './grant.sql.ts'
import { sumOpenHolds } from './hold.sql.ts'

export interface Balance {
  userId: string
  unit: 'credit'
  balance: number
  /** The part of the balance that is reserved by open holds. */
  reserved: number
  available: number
  lowBalance: boolean
  lowBalanceThreshold: number
  /** When the next active grant expires. */
  nextExpiry: string | null
  /** Active grants in the order of debiting, then future ones; at most 200. None for a caller who sees only an organization's part. */
  grants: Grant[]
  asOf: string
  /** The part of the account that the balance describes. */
  seen: Seen
}

/**
 * The payer's balance. For callers who see only an organization's part (see `seenAccount`): the credits available to it and reserved for it.
 */
export async function balance(context: Context): Promise<Balance> {
  const seen = await seenAccount(context)
  const whole = await balanceOf(context, seen.userId)
  if (seen.orgId === null) return whole
  const [held] = await context.db.query(sumOpenHolds, [seen.userId, seen.orgId])
  const reserved = creditsOf(held?.reservedMicro ?? 0)
  const own = creditsOf(microOf(whole.available) + microOf(reserved))
  return { ...whole, balance: own, reserved, nextExpiry: null, grants: [], seen }
}

/** The balance of a user. Throws NOT_FOUND for an unknown user. */
export async function balanceOf(context: Context, userId: string): Promise<Balance> {
  for (;;) {
    const now = context.now().toISOString()
    const rows = await context.db.query(selectBalance, [userId, now])
    const [account] = rows
    if (account && !account.isDue) {
      const { balanceMicro, reservedMicro, nextExpiry } = account
      const lowBalanceThreshold = context.services.config.CREDITS_LOW_BALANCE
      const available = creditsOf(balanceMicro - reservedMicro)
      return {
        userId,
        unit: 'credit',
        balance: creditsOf(balanceMicro),
        reserved: creditsOf(reservedMicro),
        available,
        lowBalance: available < lowBalanceThreshold,
        lowBalanceThreshold,
        nextExpiry,
        grants: rows.flatMap(({ id, ...grant }) => (id === null ? [] : [{ id, ...grant }])),
        asOf: now,
        seen: { userId, orgId: null },
      }
    }
    await bringUpToDate(context, userId)
  }
}
