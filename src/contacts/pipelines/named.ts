// Stages with the names that people tell them apart by.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { selectPipelines, selectStages } from './pipeline.sql.ts'

export interface NamedStage {
  key: string
  name: string
}

/**
 * The open stages of the pipelines that the stages belong to, and the stages themselves, in the order of the pipelines. With several pipelines,
 * the name of a stage begins with its pipeline's.
 */
export async function namedStages(context: Context, ids: readonly string[]): Promise<NamedStage[]> {
  if (ids.length === 0) return []
  const orgId = organizationOf(context)
  const [pipelines, stages] = await Promise.all([context.db.query(selectPipelines, [orgId]), context.db.query(selectStages, [orgId, null])])
  const shown = new Set(stages.flatMap(({ id, pipelineId }) => (ids.includes(id) ? [pipelineId] : [])))
  return pipelines
    .filter(({ id }) => shown.has(id))
    .flatMap(pipeline =>
      stages
        .filter(({ id, pipelineId, kind }) => pipelineId === pipeline.id && (kind === 'open' || ids.includes(id)))
        .map(({ id, name }) => ({ key: id, name: shown.size > 1 ? `${pipeline.name}: ${name}` : name })),
    )
}
