// Moves of many deals to a stage, behind the last one there, and back.

import type { Context } from '../../../kernel/context.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { manyDeals } from '../../deals/deal.sql.ts'
import { moveBehind } from '../../deals/moves/many.ts'
import { stageWith } from '../../deals/moves/stage.ts'
import type { Deal } from '../../deals/row.ts'
import type { Stage } from '../../pipelines/row.ts'
import type { BulkParameters, Reversal } from '../bulk.sql.ts'
import { type Acted, failureOf, nothing, sumOf } from '../records.ts'

/** Moves the live ones among the deals. Throws INVALID where the stage is gone. */
export async function moveBatch(
  tx: Context,
  orgId: string,
  ids: readonly string[],
  { stageId, lostReason }: NonNullable<BulkParameters['move']>,
): Promise<Acted> {
  const stage = await stageWith(tx, orgId, stageId)
  const live = (await tx.db.query(manyDeals.lock, [orgId, ids])).filter(({ deletedAt }) => deletedAt === null)
  const others = live.filter(deal => deal.stageId !== stage.id)
  await moveBehind(
    tx,
    stage,
    others.map(deal => ({ deal, outcome: { ...deal, lostReason: lostReason ?? deal.lostReason } })),
  )
  const reversals = others.map(({ id, stageId: to, wonAt, lostAt, lostReason: reason }) => ({
    contact_id: id,
    reversal: { move: { from: stage.id, to, wonAt, lostAt, lostReason: reason } },
  }))
  return { ...nothing(), changed: others.length, unchanged: live.length - others.length, reversals }
}

/** Moves deals back that nobody has moved since, with the outcome that they had. */
export async function undoMoves(tx: Context, orgId: string, reversals: ReadonlyMap<string, Reversal>): Promise<Acted> {
  const stages = new Map<string, Stage | AppError>()
  const wanted = [...reversals.values()].flatMap(({ move }) => move?.to ?? [])
  // In the order of their ids, so that two writers cannot deadlock.
  for (const id of [...new Set(wanted)].toSorted()) stages.set(id, await stageOrRefused(tx, orgId, id))
  const acted = nothing()
  const moving = new Map<Stage, { deal: Deal; outcome: Pick<Deal, 'wonAt' | 'lostAt' | 'lostReason'> }[]>()
  for (const deal of reversals.size > 0 ? await tx.db.query(manyDeals.lock, [orgId, [...reversals.keys()]]) : []) {
    const move = reversals.get(deal.id)?.move
    const stage = move && stages.get(move.to)
    if (!move || !stage || deal.deletedAt !== null) acted.failures.push(failureOf(deal.id, notFound('deal', deal.id)))
    else if (deal.stageId !== move.from) acted.unchanged++
    else if (stage instanceof AppError) acted.failures.push(failureOf(deal.id, stage))
    else moving.set(stage, [...(moving.get(stage) ?? []), { deal, outcome: move }])
  }
  for (const [stage, deals] of moving) await moveBehind(tx, stage, deals)
  return sumOf([acted, ...[...moving.values()].map(({ length }) => ({ ...nothing(), changed: length }))])
}

async function stageOrRefused(tx: Context, orgId: string, id: string): Promise<Stage | AppError> {
  try {
    return await stageWith(tx, orgId, id)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
