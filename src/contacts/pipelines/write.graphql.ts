// GraphQL: the mutations of pipelines and stages, for admins.

import { builder } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { PipelineType } from './pipeline.graphql.ts'
import { createPipeline, deletePipeline, updatePipeline } from './pipeline.ts'
import { stageKinds } from './row.ts'
import { createStage, deleteStage, reorderStages, updateStage } from './stage.ts'

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const name = { description: 'Its name, 1 to 100 characters.', extensions: { maxLength: 100 } }
const ifVersion = (t: Fields) => t.int({ description: 'Changes this version of the pipeline only; PRECONDITION_FAILED for another.' })
const ofStage = (t: Fields) => ({
  probability: t.int({ description: 'How likely its deals are won: 0 to 100 percent. Default: 50, won 100, lost 0.' }),
  staleAfterDays: t.int({ description: 'After so many days in the stage a deal is stale, 1 to 3650; null: never.' }),
})

const CreatePipelineInput = builder.inputType('CreatePipelineInput', {
  description: 'A pipeline to add.',
  fields: t => ({ name: t.string({ required: true, ...name }) }),
})

const UpdatePipelineInput = builder.inputType('UpdatePipelineInput', {
  description: 'The changes: an absent field stays as it is.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: ifVersion(t),
    name: t.string(name),
    position: t.int({ description: 'Its place among the pipelines, from 0.' }),
  }),
})

const DeletePipelineInput = builder.inputType('DeletePipelineInput', {
  description: 'A pipeline to delete.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: ifVersion(t),
    moveDealsTo: t.id({
      description: 'The pipeline to whose first open, won and lost stages its deals move. Needed if it has deals.',
    }),
  }),
})

const CreateStageInput = builder.inputType('CreateStageInput', {
  description: 'A stage to add.',
  fields: t => ({
    pipelineId: t.id({ required: true, description: 'The pipeline.' }),
    ifVersion: ifVersion(t),
    name: t.string({ required: true, ...name }),
    kind: t.field({ type: enumOf(stageKinds), description: 'State of its deals. Default: OPEN.' }),
    position: t.int({ description: 'Its place in the pipeline, from 0. Default: behind the last stage of its kind.' }),
    ...ofStage(t),
  }),
})

const UpdateStageInput = builder.inputType('UpdateStageInput', {
  description: 'The changes: an absent field stays as it is.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: ifVersion(t),
    name: t.string(name),
    ...ofStage(t),
  }),
})

const ReorderStagesInput = builder.inputType('ReorderStagesInput', {
  description: 'Another order of the stages of a pipeline.',
  fields: t => ({
    pipelineId: t.id({ required: true, description: 'The pipeline.' }),
    ifVersion: ifVersion(t),
    stageIds: t.idList({ required: true, description: 'All of its stages, each once, in their new order.' }),
  }),
})

const DeleteStageInput = builder.inputType('DeleteStageInput', {
  description: 'A stage to delete.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: ifVersion(t),
    moveDealsTo: t.id({ description: 'The stage of the same kind in the pipeline to which its deals move. Needed if it has deals.' }),
  }),
})

builder.mutationFields(t => ({
  createPipeline: t.field({
    type: PipelineType,
    description: 'Adds a pipeline with six usual stages, behind the others.',
    authScopes: { role: 'admin' },
    effect: { undoneBy: 'deletePipeline' },
    args: { input: t.arg({ type: CreatePipelineInput, required: true, description: 'The pipeline.' }) },
    resolve: (_parent, { input }, context) => createPipeline(context, input.name),
  }),
  updatePipeline: t.field({
    type: PipelineType,
    description: 'Renames a pipeline, or moves it among the others.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'updatePipeline with the former values', isIdempotent: true },
    args: { input: t.arg({ type: UpdatePipelineInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input: { id, ifVersion, ...changes } }, context) => updatePipeline(context, { id, ifVersion }, changes),
  }),
  deletePipeline: t.field({
    type: PipelineType,
    description: 'Deletes a pipeline with its stages. Its deals, deleted ones included, move to another one. CONFLICT for the last one.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: DeletePipelineInput, required: true, description: 'A pipeline to delete.' }) },
    resolve: (_parent, { input }, context) => deletePipeline(context, input),
  }),
  createStage: t.field({
    type: PipelineType,
    description: 'Adds a stage to a pipeline.',
    authScopes: { role: 'admin' },
    effect: { undoneBy: 'deleteStage' },
    args: { input: t.arg({ type: CreateStageInput, required: true, description: 'The stage.' }) },
    resolve: (_parent, { input: { ifVersion, ...stage } }, context) => createStage(context, ifVersion, stage),
  }),
  updateStage: t.field({
    type: PipelineType,
    description: 'Changes a stage.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'updateStage with the former values', isIdempotent: true },
    args: { input: t.arg({ type: UpdateStageInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input: { id, ifVersion, ...changes } }, context) => updateStage(context, { id, ifVersion }, changes),
  }),
  reorderStages: t.field({
    type: PipelineType,
    description: 'Puts the stages of a pipeline into another order.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'reorderStages with the former order', isIdempotent: true },
    args: { input: t.arg({ type: ReorderStagesInput, required: true, description: 'The order.' }) },
    resolve: (_parent, { input: { pipelineId, ifVersion, stageIds } }, context) =>
      reorderStages(context, { id: pipelineId, ifVersion }, stageIds),
  }),
  deleteStage: t.field({
    type: PipelineType,
    description: 'Deletes a stage. Its deals, deleted ones included, move to another one. CONFLICT for the last open, won or lost one.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: DeleteStageInput, required: true, description: 'A stage to delete.' }) },
    resolve: (_parent, { input }, context) => deleteStage(context, input),
  }),
}))
