// The pipeline that every organization has from its beginning, and the stages of a new pipeline.

import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { whenOrganizationIsMade } from '../../kernel/nouns/new-organization.ts'
import { insertedPipeline, insertPipeline, insertStages, stageRecord } from './pipeline.sql.ts'
import type { Pipeline, Stage } from './row.ts'

// The migration of pipelines gives the same to organizations that are older.
const usualStages = [
  { name: 'Lead', kind: 'open', probability: 10, staleAfterDays: 30 },
  { name: 'Qualified', kind: 'open', probability: 25, staleAfterDays: 30 },
  { name: 'Proposal', kind: 'open', probability: 50, staleAfterDays: 30 },
  { name: 'Negotiation', kind: 'open', probability: 75, staleAfterDays: 30 },
  { name: 'Won', kind: 'won', probability: 100, staleAfterDays: null },
  { name: 'Lost', kind: 'lost', probability: 0, staleAfterDays: null },
] as const satisfies readonly Partial<Stage>[]

/** Inserts a pipeline with the usual stages. */
export async function insertWithUsualStages(tx: Context, orgId: string, name: string, position: number): Promise<Pipeline> {
  const now = tx.now().toISOString()
  const pipeline: Pipeline = { id: newId(), orgId, name, position, createdAt: now, updatedAt: now, version: 1 }
  await tx.db.query(insertPipeline, insertedPipeline.of(pipeline))
  const stages = usualStages.map((stage, place) => ({ ...stage, id: newId(), orgId, pipelineId: pipeline.id, position: place }))
  await tx.db.query(insertStages, [storedJson(stages.map(stageRecord))])
  return pipeline
}

whenOrganizationIsMade('pipeline', async (tx, orgId) => void (await insertWithUsualStages(tx, orgId, 'Sales', 0)))
