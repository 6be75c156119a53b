// Adding or changing a deal by its id in another system.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { dealByExternalId, lockExternalId } from './deal.sql.ts'
import { createDeal, type NewDeal, updateDeal } from './deal.ts'
import { moveDeal } from './moves/move.ts'
import type { Deal } from './row.ts'

export type OnConflict = 'update' | 'skip'
export interface WrittenDeal {
  deal: Deal
  outcome: 'created' | 'updated' | 'skipped'
}

/** Changes the live deal with the external id, and moves it to the stage that is given; adds one where there is none. */
export async function upsertDeal(context: Context, input: NewDeal, onConflict: OnConflict): Promise<WrittenDeal> {
  const orgId = organizationOf(context)
  const externalId = input.externalId?.trim() ?? ''
  if (externalId === '') throw invalid(valueError('externalId', 'a deal is found by its external id: send it'))
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    // Those that look for a deal by one id follow each other, so that one of them adds it.
    await db.query(lockExternalId, [orgId, externalId])
    const [found] = await db.query(dealByExternalId, [orgId, externalId])
    if (!found) return { deal: await createDeal(tx, input), outcome: 'created' }
    if (onConflict === 'skip') return { deal: found, outcome: 'skipped' }
    return { deal: await changeFound(tx, found, input), outcome: 'updated' }
  })
}

/** Changes a deal that exists, and moves it to the stage that is given. */
export async function changeFound(tx: Context, found: Deal, input: NewDeal): Promise<Deal> {
  const { pipelineId: _, stageId, lostReason, ...changes } = input
  const isMoved = typeof stageId === 'string' && stageId.toLowerCase() !== found.stageId
  if (isMoved) await moveDeal(tx, { id: found.id, stageId, ...(lostReason !== undefined && { lostReason }) })
  const rest = isMoved || lostReason === undefined ? changes : { ...changes, lostReason }
  return updateDeal(tx, { id: found.id }, rest)
}
