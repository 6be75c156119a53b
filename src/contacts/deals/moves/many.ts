// Deals that move to a stage together, behind the last one there.

import { generateNKeysBetween } from 'fractional-indexing'
import type { Context } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import { storedJson } from '../../../kernel/input/storable.ts'
import { nextVersion } from '../../../kernel/input/version.ts'
import { actorOf } from '../../../kernel/principal.ts'
import { selectStages } from '../../pipelines/pipeline.sql.ts'
import type { Stage } from '../../pipelines/row.ts'
import { writeMany } from '../../records/many.ts'
import { insertStageChanges, lastPlace, manyDeals, stageChangeRecord } from '../deal.sql.ts'
import { eventOf } from '../deal.ts'
import { searchTextOf } from '../input.ts'
import { type Deal, dealEvents } from '../row.ts'
import { outcomeIn } from './stage.ts'

/** The stage and the deals are locked; the deals are in other stages. `outcome`: the times and the reason that a deal keeps in such a stage. */
export async function moveBehind(
  tx: Context,
  stage: Stage,
  moving: readonly { deal: Deal; outcome: Pick<Deal, 'wonAt' | 'lostAt' | 'lostReason'> }[],
): Promise<void> {
  if (moving.length === 0) return
  const { orgId, id: stageId, pipelineId } = stage
  const now = tx.now().toISOString()
  const [last] = await tx.db.query(lastPlace, [orgId, stageId])
  const places = generateNKeysBetween(last?.position ?? null, null, moving.length)
  const nameOf = new Map((await tx.db.query(selectStages, [orgId, null])).map(({ id, name }) => [id, name]))
  const moved = moving.map(({ deal, outcome }, index) => ({
    deal,
    after: {
      ...deal,
      ...{ pipelineId, stageId, position: places[index] ?? deal.position, stageChangedAt: now },
      ...outcomeIn(stage, outcome, now),
      ...nextVersion(tx, deal),
    },
  }))
  const changes = moved.map(({ deal }) => ({
    ...{ id: newId(), orgId, dealId: deal.id, fromStageId: deal.stageId, fromName: nameOf.get(deal.stageId) ?? '' },
    ...{ toStageId: stageId, toName: stage.name, changedBy: actorOf(tx.principal), changedAt: now },
  }))
  await tx.db.query(insertStageChanges, [storedJson(changes.map(stageChangeRecord))])
  await writeMany(
    tx,
    orgId,
    manyDeals,
    moved.map(({ deal, after }) => ({
      row: { ...after, searchText: searchTextOf(after) },
      event: {
        ...eventOf(after),
        type: dealEvents.moved,
        changes: {
          stage: [nameOf.get(deal.stageId) ?? null, stage.name],
          ...(after.lostReason !== deal.lostReason && { lostReason: [deal.lostReason, after.lostReason] }),
        },
      },
    })),
  )
}
