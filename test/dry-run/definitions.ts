// Pipelines, custom fields and an archive for the dry runs, and the writes that are tried on them.

import { v7 as uuid } from 'uuid'
import type { Json, TestApp } from '../support/app.ts'

export async function seedDefinitions(ask: (text: string) => Promise<Json>) {
  const { pipelines } = await ask('{ pipelines { id stages { id } } }')
  const { createPipeline } = await ask('mutation { createPipeline(input: { name: "Partners" }) { id } }')
  const { createCustomField } = await ask('mutation { createCustomField(input: { key: "plan", label: "Plan", type: TEXT }) { id } }')
  const [{ id, stages }] = pipelines
  return {
    field: createCustomField.id as string,
    pipeline: id as string,
    stages: stages.map((stage: Json) => stage.id) as string[],
    secondPipeline: createPipeline.id as string,
  }
}

/** An archive that is ready. `uploadId`: its file. */
export async function seedArchive({ services }: TestApp, orgId: string, uploadId: string): Promise<void> {
  const data = { id: uuid(), orgId, status: 'ready', uploadId, createdByType: 'user', createdAt: new Date() }
  await services.database.prisma.archive.create({ data })
}

type Definitions = Awaited<ReturnType<typeof seedDefinitions>>

export const definitionWrites = (ids: Definitions & { deal: string }): Record<string, [input: string, selection: string]> => ({
  createPipeline: ['{ name: "Renewals" }', '{ name version }'],
  updatePipeline: [`{ id: "${ids.pipeline}", name: "Renewals" }`, '{ name version }'],
  deletePipeline: [`{ id: "${ids.secondPipeline}" }`, '{ id }'],
  createStage: [`{ pipelineId: "${ids.pipeline}", name: "Trial" }`, '{ stages { name } }'],
  updateStage: [`{ id: "${ids.stages[0]}", name: "Trial" }`, '{ stages { name } }'],
  reorderStages: [
    `{ pipelineId: "${ids.pipeline}", stageIds: [${ids.stages.toReversed().map(stage => `"${stage}"`)}] }`,
    '{ stages { name } }',
  ],
  deleteStage: [`{ id: "${ids.stages[1]}" }`, '{ stages { name } }'],
  updateDealSettings: ['{ lostReasons: ["Price"] }', '{ lostReasons }'],
  setOrganizationCountry: ['{ country: "DE" }', '{ country }'],
  setOrganizationCurrency: ['{ currency: "EUR" }', '{ currency }'],
  setContactLinking: ['{ isOn: false }', '{ linksContacts }'],
  moveDeal: [`{ id: "${ids.deal}", stageId: "${ids.stages[2]}" }`, '{ stageId }'],
  moveDealsInBulk: [`{ filter: {}, stageId: "${ids.stages[2]}" }`, '{ total }'],
  createCustomField: ['{ key: "size", label: "Size", type: TEXT }', '{ id }'],
  createArchive: ['', '{ status }'],
  createArchiveDownload: ['', '{ url fileName }'],
  deleteCustomField: [`{ id: "${ids.field}" }`, '{ id }'],
})

export const definitionRequests = (ids: Definitions) => ({
  'POST /api/crm/v1/deals/{deal_id}/move': { body: { stage_id: ids.stages[2] } },
  'POST /api/crm/v1/archive': { session: true },
  'POST /api/crm/v1/archive/download': { session: true },
})
