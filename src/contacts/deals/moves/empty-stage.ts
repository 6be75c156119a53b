// Emptying a stage before it is deleted: its deals go to another one.

import type { Context } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Stage } from '../../pipelines/row.ts'
import { hasDeals, lockStage } from '../deal.sql.ts'
import { moveAllDeals } from './move.ts'

/** Moves the deals of a stage to the target. Throws CONFLICT where there are deals and no target. */
export async function emptyStage(tx: Context, stage: Stage, target: Stage | null): Promise<void> {
  // Nobody gives a place in them until the end of the transaction. In the order of their ids, so that two writers cannot deadlock.
  for (const id of [stage.id, ...(target ? [target.id] : [])].toSorted()) await tx.db.query(lockStage, [stage.orgId, id])
  if (target) return moveAllDeals(tx, stage, target)
  const [found] = await tx.db.query(hasDeals, [stage.orgId, stage.id])
  if (found?.total) throw new AppError('CONFLICT', `The stage ${stage.name} has deals: say with moveDealsTo where they go`)
}
