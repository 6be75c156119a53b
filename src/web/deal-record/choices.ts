// Choices for deals: the organization's pipelines with their stages.

import { useQuery } from 'urql'
import type { Option } from '../contact-record/fields/fields.ts'
import { PipelinesDocument } from '../generated/documents/deal-record.ts'
import type { PipelinesQuery } from '../generated/operations.ts'

export type Pipeline = PipelinesQuery['pipelines'][number]
export type Stage = Pipeline['stages'][number]

const noPipelines: readonly Pipeline[] = []

export function usePipelines(): readonly Pipeline[] {
  const [{ data }] = useQuery({ query: PipelinesDocument })
  return data?.pipelines ?? noPipelines
}

/** Stages as options. With several pipelines each names its own. */
export function stageOptions(pipelines: readonly Pipeline[]): Option[] {
  const isOne = pipelines.length < 2
  return pipelines.flatMap(({ name: pipeline, stages }) =>
    stages.map(({ id, name }) => ({ value: id, label: isOne ? name : `${pipeline}: ${name}` })),
  )
}
