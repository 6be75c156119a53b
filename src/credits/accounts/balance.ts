// Balances: an account's credits, the available part, and the grants they consist of.

import type { Context } from '../../kernel/context.ts'
import { creditsOf } from '../../kernel/money.ts'
import { bringUpToDate, payerOf } from './account.ts'
import { type Grant, selectBalance } from './grant.sql.ts'

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
  /** Active grants in the order of debiting, then future ones; at most 200. */
  grants: Grant[]
  asOf: string
}

/** The payer's balance. */
export async function balance(context: Context): Promise<Balance> {
  return balanceOf(context, await payerOf(context))
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
      }
    }
    await bringUpToDate(context, userId)
  }
}
