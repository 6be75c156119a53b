// Documents and shorthands for the tests of deals.

import type { Json, TestApp } from '../../support/app.ts'
import type { Client } from '../client.ts'
import { member } from '../companies/companies.ts'

export const deals = '/api/crm/v1/deals'

const whole =
  'id title pipelineId stageId stage { name kind } companyId company { name } contacts { contact { id } role } amount currency expectedClose ownerUserId owner { name } wonAt lostAt lostReason stageChangedAt isStale tags custom externalId source createdBy { type } createdAt updatedAt deletedAt version'
export const creating = `mutation ($input: CreateDealInput!) { createDeal(input: $input) { ${whole} } }`
export const updating = `mutation ($input: UpdateDealInput!) { updateDeal(input: $input) { ${whole} } }`
export const moving = `mutation ($input: MoveDealInput!) { moveDeal(input: $input) { ${whole} } }`
export const upserting = `mutation ($input: UpsertDealInput!) { upsertDeal(input: $input) { outcome deal { ${whole} } } }`
export const deleting = 'mutation ($input: DeleteDealInput!) { deleteDeal(input: $input) { id deletedAt version } }'
export const restoring = 'mutation ($id: ID!) { restoreDeal(input: { id: $id }) { id deletedAt version } }'

export const add = async (on: Client, input: Json = {}): Promise<Json> =>
  (await on.data(creating, { input: { title: 'Engines', ...input } })).createDeal
export const change = async (on: Client, input: Json): Promise<Json> => (await on.data(updating, { input })).updateDeal
export const move = async (on: Client, input: Json): Promise<Json> => (await on.data(moving, { input })).moveDeal
export const read = async (on: Client, id: string): Promise<Json> =>
  (await on.data(`query ($id: ID!) { deal(id: $id) { ${whole} } }`, { id })).deal
export const listed = async (on: Client, args: string): Promise<string[]> =>
  (await on.data(`{ deals(${args}) { nodes { title } } }`)).deals.nodes.map(({ title }: Json) => title)
export const wayOf = async (on: Client, id: string): Promise<Json[]> =>
  (
    await on.data('query ($id: ID!) { deal(id: $id, includeDeleted: true) { stageChanges { fromName toName changedBy { type } } } }', {
      id,
    })
  ).deal.stageChanges

/** A signed-in owner, with the stages of the first pipeline by their names in lower case. */
export async function seller(app: TestApp) {
  const { on, ...rest } = await member(app)
  const [pipeline] = (await on.data('{ pipelines { id stages { id name } } }')).pipelines
  const stages = Object.fromEntries(pipeline.stages.map(({ id, name }: Json) => [name.toLowerCase(), id as string])) as Record<Name, string>
  return { on, ...rest, pipelineId: pipeline.id as string, stages }
}
type Name = 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'won' | 'lost'
