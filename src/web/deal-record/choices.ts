// Choices for deals: the organization's pipelines with their stages, and its companies.

import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useRef } from 'react'
import { useQuery } from 'urql'
import type { Option } from '../contact-record/fields/fields.ts'
import { CompaniesToChooseDocument, PipelinesDocument } from '../generated/documents/deal-record.ts'
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

// Waits for a pause in the typing.
const typingMs = 150

/** Companies whose name or domain has the typed words, and the chosen one. Earlier ones stay until the next answer arrives. */
export function useCompanyOptions(typed: string, chosen: Option | null): readonly Option[] {
  const [q] = useDebouncedValue(typed.trim(), typingMs)
  const [{ data }] = useQuery({ query: CompaniesToChooseDocument, variables: { q: q || null } })
  const last = useRef<readonly Option[]>([])
  const found = useMemo(() => data?.companies.nodes.map(({ id, name }) => ({ value: id, label: name })), [data])
  if (found) last.current = found
  const options = last.current
  return useMemo(() => (chosen && !options.some(({ value }) => value === chosen.value) ? [chosen, ...options] : options), [options, chosen])
}
