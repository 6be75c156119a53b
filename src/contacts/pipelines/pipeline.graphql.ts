// GraphQL: pipelines and their stages.

import { builder, byId } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { getPipeline, listPipelines, loadPipelines, loadStagesOf } from './pipeline.ts'
import { type Pipeline, type Stage, stageKinds } from './row.ts'

export const StageType = builder.objectRef<Stage>('Stage').implement({
  description: 'A stage of a pipeline.',
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7.' }),
    pipelineId: t.exposeID('pipelineId', { description: 'Its pipeline.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    position: t.exposeInt('position', { description: 'Its place in the pipeline, from 0.' }),
    kind: t.expose('kind', { type: enumOf(stageKinds), description: 'State of its deals.' }),
    probability: t.exposeInt('probability', { description: 'How likely its deals are won, in percent.' }),
    staleAfterDays: t.exposeInt('staleAfterDays', {
      nullable: true,
      description: 'After so many days in the stage a deal is stale; null: never.',
    }),
  }),
})

export const PipelineType = builder.objectRef<Pipeline>('Pipeline').implement({
  description: 'A way that deals go, in stages.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    position: t.exposeInt('position', { description: 'Its place among the pipelines.' }),
    stages: t.field({
      type: [StageType],
      description: 'Its stages, in their order.',
      resolve: ({ id }, _args, context) => load(context, loadStagesOf, id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it or a stage was last changed.' }),
    version: t.exposeInt('version', {
      description: 'Counts the changes of it and its stages, from 1. A change can name the version it is meant for.',
    }),
  }),
})

builder.queryFields(t => ({
  pipeline: t.field({
    type: PipelineType,
    nullable: true,
    description: 'A pipeline; null with NOT_FOUND for one that does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getPipeline(context, id),
  }),
  pipelines: t.field({
    type: [PipelineType],
    description: "The organization's pipelines, in their order: at least one.",
    authScopes: { scope: 'contacts:read' },
    resolve: (_parent, _args, context) => listPipelines(context),
  }),
}))

noun('pipeline', PipelineType, { scope: 'contacts:read', load: loadPipelines })
