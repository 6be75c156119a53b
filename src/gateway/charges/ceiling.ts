// The credit ceiling of a run: its own cost and the reservations of its tools never exceed it together.

import type { Money } from '../../credits/money.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { creditsOf } from '../../kernel/money.ts'
import { addReserved } from '../runs/run.sql.ts'
import { billOf, costOf } from './charge.ts'

/**
 * The ledger's port with a check of reservations that runs make: beyond the ceiling they throw INSUFFICIENT_CREDITS. Released reservations
 * still count, so that a run cannot go on for ever.
 */
export function withRunCeilings(money: Money): Money {
  return {
    ...money,
    reserve(context, reservation) {
      const { principal } = context
      if (principal.kind !== 'hook' || principal.runId === null || reservation.amountMicro === 0n)
        return money.reserve(context, reservation)
      const { runId } = principal
      return context.db.transaction(async db => {
        const tx = inTransaction(context, db)
        await count(tx, runId, reservation.amountMicro)
        return money.reserve(tx, reservation)
      })
    },
  }
}

async function count(context: Context, runId: string, amountMicro: bigint): Promise<void> {
  const { db, services } = context
  const { tokens, reserved, ceiling } = await billOf(context, runId)
  const cost = costOf(services.config.gateway.agents, tokens)
  const [counted] = await db.query(addReserved, [runId, String(amountMicro), cost])
  if (counted) return
  const available = Math.max(0, ceiling - reserved - cost)
  throw new AppError('INSUFFICIENT_CREDITS', 'The run may not reserve as many credits', {
    required: creditsOf(amountMicro),
    available: creditsOf(available),
    shortfall: creditsOf(Number(amountMicro) - available),
  })
}
