// Stages of deals: the stage of a new deal, and the outcome that a stage gives.

import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { valueError } from '../../../kernel/input/problem.ts'
import { selectPipelines, selectStages } from '../../pipelines/pipeline.sql.ts'
import type { Stage } from '../../pipelines/row.ts'
import { lockStage } from '../deal.sql.ts'
import type { Deal } from '../row.ts'

/** Locks the stage with the id, of the pipeline if one is named. Throws INVALID. */
export async function stageWith({ db }: Context, orgId: string, id: string, pipelineId: string | null = null): Promise<Stage> {
  const [stage] = isId(id) ? await db.query(lockStage, [orgId, id]) : []
  if (!stage) throw invalid(valueError('stageId', 'no stage has this id', id))
  if (pipelineId !== null && pipelineId.toLowerCase() !== stage.pipelineId)
    throw invalid(valueError('stageId', 'it is a stage of another pipeline', id))
  return stage
}

/** Locks the stage of a new deal: the named one, or the first open one of the pipeline, or of the first pipeline. Throws INVALID. */
export async function stageFor(tx: Context, orgId: string, pipelineId: string | null, stageId: string | null): Promise<Stage> {
  const pipelines = pipelineId !== null || stageId === null ? await tx.db.query(selectPipelines, [orgId]) : []
  const pipeline = pipelineId === null ? pipelines[0] : pipelines.find(({ id }) => id === pipelineId.toLowerCase())
  if (pipelineId !== null && !pipeline) throw invalid(valueError('pipelineId', 'no pipeline has this id', pipelineId))
  if (stageId !== null) return stageWith(tx, orgId, stageId, pipelineId)
  const stages = pipeline ? await tx.db.query(selectStages, [orgId, pipeline.id]) : []
  const first = stages.find(({ kind }) => kind === 'open')
  if (!first) throw invalid(valueError('stageId', 'the organization has no open stage: add a pipeline first'))
  return stageWith(tx, orgId, first.id)
}

type Outcome = Pick<Deal, 'wonAt' | 'lostAt' | 'lostReason'>

/** The outcome of a deal in the stage. Another stage of the same kind leaves the time. */
export function outcomeIn({ kind }: Stage, { wonAt, lostAt, lostReason }: Outcome, now: string): Outcome {
  return {
    wonAt: kind === 'won' ? (wonAt ?? now) : null,
    lostAt: kind === 'lost' ? (lostAt ?? now) : null,
    lostReason: kind === 'lost' ? lostReason : null,
  }
}
