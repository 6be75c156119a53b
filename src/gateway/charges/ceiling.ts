// The credit ceiling of a run: what its tools reserve and what it costs itself is together never more than its hook's configuration grants.

import { type Context, inTransaction } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { creditsOf, type Money } from '../money.ts'
import { billOf, costOf } from './charge.ts'

// What was given back later still counts: a run is to end, not to be refilled.
const countReserved = statement<{ reserved: number }>(
  'gateway_count_reserved',
  `update gateway_runs set credits_reserved = credits_reserved + $2 where id = $1 and credits_reserved + $2 + $3 <= credit_ceiling
   returning credits_reserved as reserved`,
)

/** Money as it is for everybody, but that reservations of a run beyond its ceiling throw INSUFFICIENT_CREDITS, and keep nothing. */
export function heldToCeilings(money: Money<Context>): Money<Context> {
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
  const [counted] = await db.query(countReserved, [runId, String(amountMicro), cost])
  if (counted) return
  const available = Math.max(0, ceiling - reserved - cost)
  throw new AppError('INSUFFICIENT_CREDITS', 'The run may not reserve as many credits', {
    required: creditsOf(amountMicro),
    available: creditsOf(available),
    shortfall: creditsOf(Number(amountMicro) - available),
  })
}
