// Pipelines of an organization: it always has at least one.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, grouped, inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { text } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { changing, nextVersion } from '../../kernel/input/version.ts'
import { lockNoun, type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { emptyStage } from '../deals/moves/move.ts'
import {
  lockPipeline,
  placePipelines,
  removePipeline,
  removeStagesOf,
  selectPipelines,
  selectStages,
  updatedPipeline,
  updatePipelineRow,
} from './pipeline.sql.ts'
import { type Pipeline, pipelineEvents, type Stage } from './row.ts'
import { insertWithUsualStages } from './usual.ts'

interface Expected {
  id: string
  ifVersion?: number | null
}

/** 50: more than people can tell apart. */
const maxPipelines: Maximum = {
  noun: 'pipelines',
  most: 50,
  of: 'An organization',
  nouns: 'pipelines',
  remedy: 'delete one first',
}

/** All pipelines of the organization, in their order. */
export const listPipelines = (context: Context): Promise<Pipeline[]> => context.db.query(selectPipelines, [organizationOf(context)])

export const loadPipelines: Batch<string, Pipeline | null> = async (context, ids) =>
  inOrder(ids, await listPipelines(context), ({ id }) => id)

export async function getPipeline(context: Context, id: string): Promise<Pipeline> {
  const found = (await listPipelines(context)).find(pipeline => pipeline.id === id.toLowerCase())
  if (!found) throw notFound('pipeline', id)
  return found
}

/** The stages of each pipeline, in their order. */
export const loadStagesOf: Batch<string, Stage[]> = async (context, ids) =>
  grouped(ids, await context.db.query(selectStages, [organizationOf(context), null]), ({ pipelineId }) => pipelineId)

/** Adds a pipeline with the usual stages, behind the others. */
export async function createPipeline(context: Context, name: string): Promise<Pipeline> {
  const orgId = organizationOf(context)
  const [read, problems] = readName(name)
  if (problems.length > 0) throw invalid(problems)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await lockNoun(db, maxPipelines, orgId)
    const before = await db.query(selectPipelines, [orgId])
    requireRoom(maxPipelines, before.length)
    const pipeline = await insertWithUsualStages(tx, orgId, read, Math.max(-1, ...before.map(({ position }) => position)) + 1)
    await recordEvent(tx, { type: pipelineEvents.created, entityId: pipeline.id, changes: { name: read } })
    return pipeline
  })
}

export interface PipelinePatch {
  name?: string | null
  /** Its place among the pipelines, from 0; a larger number than there are is the last place. */
  position?: number | null
}

/** Changes the name or the place. Throws NOT_FOUND, PRECONDITION_FAILED. */
export async function updatePipeline(context: Context, expected: Expected, { name, position }: PipelinePatch): Promise<Pipeline> {
  const orgId = organizationOf(context)
  const [read, problems]: [string | undefined, Problem[]] = name === undefined ? [undefined, []] : readName(name)
  if (typeof position === 'number' && position < 0) problems.push(problem('position', 'greater_than_equal', position, { ge: 0 }))
  if (problems.length > 0) throw invalid(problems)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await lockNoun(db, maxPipelines, orgId)
    return changing(tx, 'pipeline', lockPipeline, expected, async (_, before) => {
      const after = { ...before, name: read ?? before.name }
      if (typeof position === 'number') {
        const others = (await db.query(selectPipelines, [orgId])).flatMap(({ id }) => (id === before.id ? [] : [id]))
        after.position = Math.min(position, others.length)
        await db.query(placePipelines, [orgId, others.toSpliced(after.position, 0, before.id)])
      }
      return writePipeline(tx, before, after, {
        ...(after.name !== before.name && { name: [before.name, after.name] }),
        ...(after.position !== before.position && { position: [before.position, after.position] }),
      })
    })
  })
}

/**
 * Deletes a pipeline with its stages. Its deals move to the first stages of their kinds in another one. Throws NOT_FOUND,
 * PRECONDITION_FAILED, INVALID, and CONFLICT for the last one and for one that has deals and no pipeline for them.
 */
export async function deletePipeline(
  context: Context,
  { moveDealsTo, ...expected }: Expected & { moveDealsTo?: string | null },
): Promise<Pipeline> {
  const orgId = organizationOf(context)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await lockNoun(db, maxPipelines, orgId)
    return changing(tx, 'pipeline', lockPipeline, expected, async (_, pipeline) => {
      const all = await db.query(selectPipelines, [orgId])
      if (all.length === 1) throw new AppError('CONFLICT', 'It is the last pipeline of the organization: add another one first')
      const target = moveDealsTo ? all.find(({ id }) => id === moveDealsTo.toLowerCase() && id !== pipeline.id) : null
      if (target === undefined) throw invalid(valueError('moveDealsTo', 'no other pipeline has this id', moveDealsTo))
      const stages = await db.query(selectStages, [orgId, null])
      for (const stage of stages.filter(({ pipelineId }) => pipelineId === pipeline.id)) {
        const first = target && stages.find(({ pipelineId, kind }) => pipelineId === target.id && kind === stage.kind)
        await emptyStage(tx, stage, first ?? null)
      }
      await db.query(removeStagesOf, [orgId, pipeline.id])
      await db.query(removePipeline, [orgId, pipeline.id])
      await recordEvent(tx, { type: pipelineEvents.deleted, entityId: pipeline.id, changes: { name: pipeline.name } })
      return pipeline
    })
  })
}

/** Writes a locked pipeline with its event, unless nothing has changed. */
export async function writePipeline(tx: Context, before: Pipeline, after: Pipeline, changes: Record<string, unknown>): Promise<Pipeline> {
  if (Object.keys(changes).length === 0) return before
  const written = { ...after, ...nextVersion(tx, before) }
  await tx.db.query(updatePipelineRow, [written.orgId, written.id, ...updatedPipeline.of(written)])
  await recordEvent(tx, { type: pipelineEvents.updated, entityId: written.id, changes })
  return written
}

const reading = text(100)
/** The name of a pipeline or a stage, and its problems. */
export function readName(given: string | null): [string, Problem[]] {
  const read = given === null ? null : reading(given)
  if (read instanceof Invalid) return ['', at('name', read)]
  return read === null ? ['', [problem('name', 'string_too_short', given, { min_length: 1 })]] : [read, []]
}
