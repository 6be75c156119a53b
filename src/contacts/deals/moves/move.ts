// Moving deals: to another stage, which may win or lose them, and to another place among the deals of a stage.

import { type Context, inTransaction, organizationOf } from '../../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { at, Invalid } from '../../../kernel/input/problem.ts'
import { nextVersion } from '../../../kernel/input/version.ts'
import { selectStage } from '../../pipelines/pipeline.sql.ts'
import type { Stage } from '../../pipelines/row.ts'
import { lostReason as readReason } from '../../pipelines/settings.ts'
import { checkReason } from '../check.ts'
import { hasDeals, lockDealsOfStage, lockLiveDeal, lockStage } from '../deal.sql.ts'
import { type Expected, getDeal, keepStageChange, writeDeal } from '../deal.ts'
import { type Deal, dealEvents } from '../row.ts'
import { moveBehind } from './many.ts'
import { type Drop, placeIn } from './place.ts'
import { outcomeIn, stageWith } from './stage.ts'

export interface Move extends Expected, Drop {
  /** Default: the stage that the deal is in. */
  stageId?: string | null
  lostReason?: string | null
}

/**
 * Moves a deal to a stage, before or after another deal there, or behind the last one. Throws NOT_FOUND, INVALID, and CONFLICT with `yours`
 * and `theirs` where somebody has changed the deal since.
 */
export async function moveDeal(context: Context, { id, ifVersion, stageId, lostReason: given, ...drop }: Move): Promise<Deal> {
  const orgId = organizationOf(context)
  const reason = given === undefined || given === null ? given : readReason(given)
  if (reason instanceof Invalid) throw invalid(at('lostReason', reason))
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const seen = await getDeal(tx, id)
    const stage = await stageWith(tx, orgId, stageId ?? seen.stageId)
    const [deal] = isId(id) ? await db.query(lockLiveDeal, [orgId, id]) : []
    if (!deal) throw notFound('deal', id)
    if (ifVersion !== null && ifVersion !== undefined && ifVersion !== deal.version) throw moved(deal, ifVersion, stageId ?? null)

    const now = tx.now().toISOString()
    const isOther = deal.stageId !== stage.id
    const lostReason = reason === undefined ? deal.lostReason : reason
    if (stage.kind === 'lost' || (reason !== undefined && reason !== null)) await checkReason(tx, stage.kind, lostReason)
    const after: Deal = {
      ...deal,
      ...{ pipelineId: stage.pipelineId, stageId: stage.id, position: await placeIn(tx, stage, deal.id, drop) },
      ...outcomeIn(stage, { ...deal, lostReason }, now),
      ...(isOther && { stageChangedAt: now }),
      ...nextVersion(tx, deal),
    }
    if (!isOther) return writeDeal(tx, after, dealEvents.updated, { position: [deal.position, after.position] })
    const [from] = await db.query(selectStage, [orgId, deal.stageId])
    await keepStageChange(tx, after, from ?? { id: deal.stageId, name: '' }, stage)
    return writeDeal(tx, after, dealEvents.moved, {
      stage: [from?.name ?? null, stage.name],
      ...(after.lostReason !== deal.lostReason && { lostReason: [deal.lostReason, after.lostReason] }),
    })
  })
}

const moved = ({ version, stageId, updatedAt }: Deal, ifVersion: number, asked: string | null): AppError =>
  new AppError('CONFLICT', `Somebody else has changed the deal: it has version ${version}, not ${ifVersion}`, {
    version,
    yours: { version: ifVersion, stageId: asked ?? stageId },
    theirs: { version, stageId, updatedAt },
  })

/** Moves the deals of a stage that is deleted to the target. Throws CONFLICT where there are deals and no target. */
export async function emptyStage(tx: Context, stage: Stage, target: Stage | null): Promise<void> {
  // Nobody gives a place in them until the end of the transaction. In the order of their ids, so that two writers cannot deadlock.
  for (const id of [stage.id, ...(target ? [target.id] : [])].toSorted()) await tx.db.query(lockStage, [stage.orgId, id])
  if (target) return moveAllDeals(tx, stage, target)
  const [found] = await tx.db.query(hasDeals, [stage.orgId, stage.id])
  if (found?.total) throw new AppError('CONFLICT', `The stage ${stage.name} has deals: say with moveDealsTo where they go`)
}

const batch = 1000

/** Moves all deals of a locked stage behind the last one of another locked stage of the same kind. */
async function moveAllDeals(tx: Context, from: Stage, to: Stage): Promise<void> {
  for (;;) {
    const deals = await tx.db.query(lockDealsOfStage, [from.orgId, from.id, batch])
    if (deals.length === 0) return
    await moveBehind(
      tx,
      to,
      deals.map(deal => ({ deal, outcome: deal })),
    )
  }
}
