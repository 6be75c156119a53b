// The credit ceiling of a run: what its tools reserve together is never more than its hook's configuration grants.

import { type Context, inTransaction } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { creditsOf, type Money } from '../money.ts'

// What was given back later still counts: a run is to end, not to be refilled.
const countReserved = statement<{ reserved: number }>(
  'gateway_count_reserved',
  `update gateway_runs set credits_reserved = credits_reserved + $2 where id = $1 and credits_reserved + $2 <= credit_ceiling
   returning credits_reserved as reserved`,
)
const selectReserved = statement<{ reserved: number; ceiling: number }>(
  'gateway_select_reserved',
  'select credits_reserved as reserved, credit_ceiling as ceiling from gateway_runs where id = $1',
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

async function count({ db }: Context, runId: string, amountMicro: bigint): Promise<void> {
  const [counted] = await db.query(countReserved, [runId, String(amountMicro)])
  if (counted) return
  const [{ reserved, ceiling } = { reserved: 0, ceiling: 0 }] = await db.query(selectReserved, [runId])
  const available = Math.max(0, ceiling - reserved)
  throw new AppError('INSUFFICIENT_CREDITS', 'The run may not reserve as many credits', {
    required: creditsOf(amountMicro),
    available: creditsOf(available),
    shortfall: creditsOf(Number(amountMicro) - available),
  })
}
