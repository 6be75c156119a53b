// Stages of a pipeline: it always has an open one, a won one and a lost one. Each change is a change of the pipeline.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { changing } from '../../kernel/input/version.ts'
import { type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { emptyStage } from '../deals/moves/move.ts'
import {
  insertStages,
  lockPipeline,
  placeStages,
  removeStage,
  selectStage,
  selectStages,
  stageRecord,
  updatedStage,
  updateStageRow,
} from './pipeline.sql.ts'
import { readName, writePipeline } from './pipeline.ts'
import type { Pipeline, Stage, StageKind } from './row.ts'

/** The version is of the pipeline. */
interface Expected {
  id: string
  ifVersion?: number | null
}

/** 50: a board shows a column for each. */
const maxStages: Maximum = { noun: 'stages', most: 50, of: 'A pipeline', nouns: 'stages', remedy: 'delete one first' }
const maxDays = 3650
const usualProbability: Readonly<Record<StageKind, number>> = { open: 50, won: 100, lost: 0 }

export interface StagePatch {
  name?: string | null
  probability?: number | null
  staleAfterDays?: number | null
}
export interface StageInput extends StagePatch {
  pipelineId: string
  name: string
  kind?: StageKind | null
  /** Its place in the pipeline, from 0. Default: behind the last one of its kind. */
  position?: number | null
}

export const loadStages: Batch<string, Stage | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(selectStages, [organizationOf(context), null]), ({ id }) => id)

/** Adds a stage. Throws NOT_FOUND, PRECONDITION_FAILED. */
export async function createStage(context: Context, ifVersion: number | null | undefined, input: StageInput): Promise<Pipeline> {
  const { pipelineId, position } = input
  const kind = input.kind ?? 'open'
  const patch = readStage(input, typeof position === 'number' && position < 0 ? [below('position', position)] : [])
  return changingStages(context, { id: pipelineId, ifVersion }, async ({ db }, pipeline, stages) => {
    requireRoom(maxStages, stages.length)
    const usual = stages.findLastIndex(stage => stage.kind === kind) + 1
    const stage: Stage = {
      ...{ id: newId(), orgId: pipeline.orgId, pipelineId: pipeline.id, name: '', kind, position: position ?? usual },
      ...{ probability: usualProbability[kind], staleAfterDays: null },
      ...patch,
    }
    await db.query(insertStages, [storedJson([stageRecord(stage)])])
    return stages.toSpliced(stage.position, 0, stage)
  })
}

/** Changes a stage. Its kind stays: its deals were won or lost by it. Throws NOT_FOUND, PRECONDITION_FAILED. */
export async function updateStage(context: Context, expected: Expected, input: StagePatch): Promise<Pipeline> {
  const patch = readStage(input)
  return changingStage(context, expected, async ({ db }, before, stages) => {
    const after = { ...before, ...patch }
    await db.query(updateStageRow, [after.orgId, after.id, ...updatedStage.of(after)])
    return stages.map(stage => (stage.id === after.id ? after : stage))
  })
}

/** Puts all stages of a pipeline into another order. Throws INVALID unless each of its stages is named once. */
export function reorderStages(context: Context, expected: Expected, stageIds: readonly string[]): Promise<Pipeline> {
  return changingStages(context, expected, async (_tx, _pipeline, stages) => {
    const ids = stageIds.map(id => id.toLowerCase())
    const ordered = ids.flatMap(id => stages.find(stage => stage.id === id) ?? [])
    if (ordered.length !== ids.length || new Set(ids).size !== stages.length || ids.length !== stages.length)
      throw invalid(valueError('stageIds', 'name each stage of the pipeline once', stageIds))
    return ordered
  })
}

/**
 * Deletes a stage. Its deals move to another one. Throws NOT_FOUND, PRECONDITION_FAILED, INVALID, and CONFLICT for the last one of its kind
 * and for one that has deals and no stage for them.
 */
export function deleteStage(context: Context, { moveDealsTo, ...expected }: Expected & { moveDealsTo?: string | null }): Promise<Pipeline> {
  return changingStage(context, expected, async (tx, stage, stages) => {
    const { db } = tx
    const others = stages.filter(({ id }) => id !== stage.id)
    if (!others.some(({ kind }) => kind === stage.kind))
      throw new AppError('CONFLICT', `It is the last ${stage.kind} stage of the pipeline: add another one first`)
    const target = moveDealsTo ? others.find(({ id }) => id === moveDealsTo.toLowerCase()) : null
    if (target === undefined) throw invalid(valueError('moveDealsTo', 'no other stage of the pipeline has this id', moveDealsTo))
    if (target && target.kind !== stage.kind) throw invalid(valueError('moveDealsTo', `it is not another ${stage.kind} stage`, moveDealsTo))
    await emptyStage(tx, stage, target)
    await db.query(removeStage, [stage.orgId, stage.id])
    return others
  })
}

type Change<Of> = (tx: Context, of: Of, stages: readonly Stage[]) => Promise<readonly Stage[]>

/** Changes the stages of a locked pipeline. `change` returns them in their order. */
function changingStages(context: Context, expected: Expected, change: Change<Pipeline>): Promise<Pipeline> {
  return changing(context, 'pipeline', lockPipeline, expected, async (tx, pipeline) => {
    const before = await tx.db.query(selectStages, [pipeline.orgId, pipeline.id])
    const after = await change(tx, pipeline, before)
    const ids = after.map(({ id }) => id)
    if (after.some(({ position }, place) => position !== place)) await tx.db.query(placeStages, [pipeline.orgId, ids])
    const [former, present] = [before.map(told), after.map(told)]
    const isSame = JSON.stringify(former) === JSON.stringify(present)
    return writePipeline(tx, pipeline, pipeline, isSame ? {} : { stages: [former, present] })
  })
}

/** The same for one stage, whose pipeline is looked up. */
async function changingStage(context: Context, { id, ifVersion }: Expected, change: Change<Stage>): Promise<Pipeline> {
  const orgId = organizationOf(context)
  return context.db.transaction(async db => {
    const [found] = isId(id) ? await db.query(selectStage, [orgId, id]) : []
    if (!found) throw notFound('stage', id)
    return changingStages(inTransaction(context, db), { id: found.pipelineId, ifVersion }, (tx, _pipeline, stages) => {
      const stage = stages.find(one => one.id === found.id)
      // It was deleted while the pipeline was waited for.
      if (!stage) throw notFound('stage', id)
      return change(tx, stage, stages)
    })
  })
}

const told = ({ id, name, kind, probability, staleAfterDays }: Stage) => ({ id, name, kind, probability, staleAfterDays })

const below = (name: string, given: number): Problem => problem(name, 'greater_than_equal', given, { ge: 0 })

/** The given values, as they are stored. Throws INVALID. */
function readStage({ name, probability, staleAfterDays }: StagePatch, problems: Problem[] = []): Partial<Stage> {
  const patch: Partial<Stage> = {}
  if (name !== undefined) {
    const [read, wrong] = readName(name)
    problems.push(...wrong)
    patch.name = read
  }
  if (probability !== undefined && probability !== null) {
    if (probability < 0 || probability > 100) problems.push(valueError('probability', 'it is a percentage from 0 to 100', probability))
    patch.probability = probability
  }
  if (staleAfterDays !== undefined) {
    if (staleAfterDays !== null && (staleAfterDays < 1 || staleAfterDays > maxDays))
      problems.push(valueError('staleAfterDays', `it is a number of days from 1 to ${maxDays}, or null for never`, staleAfterDays))
    patch.staleAfterDays = staleAfterDays
  }
  if (problems.length > 0) throw invalid(problems)
  return patch
}
