// Pipelines, stages and outcomes of deals in cells of files. Pure.

import type { Pipeline, Stage, StageKind } from '../../../pipelines/row.ts'
import { type Cell, is, leaveOut } from '../cell.ts'
import { plainWord } from '../characters.ts'
import { nearest } from '../nearest.ts'

export type PipelineAround = Pick<Pipeline, 'id' | 'name'> & { stages: readonly Pick<Stage, 'id' | 'name' | 'kind'>[] }

interface Around {
  /** The pipelines of the organization. Absent where no deals are read. */
  pipelines?: readonly PipelineAround[]
  /** The pipeline of the row. */
  pipelineId?: string
}

const isNamed = (text: string) => (one: { id: string; name: string }) =>
  one.id === text.toLowerCase() || plainWord(one.name) === plainWord(text)

export function pipelineIn(text: string, { pipelines = [] }: Around): Cell {
  const found = pipelines.find(isNamed(text))
  return found ? is(found.id) : leaveOut('is not a pipeline; choose one, or add it under Settings')
}

/** A stage of the row's pipeline, or else the first one of this name. */
export function stageIn(text: string, { pipelines = [], pipelineId }: Around): Cell {
  const ordered = pipelines.toSorted((one, other) => Number(other.id === pipelineId) - Number(one.id === pipelineId))
  const found = ordered.flatMap(({ stages }) => stages).find(isNamed(text))
  return found ? is(found.id) : leaveOut('is not a stage of a pipeline; choose one, or add it under Settings')
}

const kinds: readonly (readonly [StageKind, RegExp])[] = [
  ['won', /^(?:closed)?won$|^gewonnen|^gagne|^ganad/],
  ['lost', /^(?:closed)?lost$|^verloren|^perdu|^perdid/],
  ['open', /^open$|^offen$|^ouvert|^abiert/],
]
const kindOf = (text: string) => kinds.find(([, words]) => words.test(plainWord(text)))?.[0]

/** Whether a deal is open, won or lost, as some systems say beside its stage. */
export function outcomeIn(text: string): Cell {
  const kind = kindOf(text)
  return kind ? is(kind) : leaveOut('is not an outcome; write open, won or lost')
}

// `Sales Pipeline` is the pipeline Sales; the only one is meant by any name.
export function pipelineGuessed(text: string, { pipelines = [] }: Around): string | null {
  const bare = text.replace(/pipeline/i, '').trim()
  const [only, second] = pipelines
  return (
    nearest(
      bare,
      pipelines.map(({ id, name }) => [name, id] as const),
    ) ?? (only && !second ? only.id : null)
  )
}

export function stageGuessed(text: string, { pipelines = [] }: Around): string | null {
  const stages = pipelines.flatMap(({ stages }) => stages)
  const kind = kindOf(text)
  const ofKind = kind === 'won' || kind === 'lost' ? stages.find(stage => stage.kind === kind) : undefined
  return (
    ofKind?.id ??
    nearest(
      text,
      stages.map(({ id, name }) => [name, id] as const),
    )
  )
}
