// What a section reads: its data, why it could not be read, and reading it again after a write.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useCallback } from 'react'
import { useQuery } from 'urql'
import { type Failure, failureOf } from '../data/failure.ts'

interface Read<Data> {
  data: Data | undefined
  failure: Failure | null
  reread(): void
}

export function useRead<Data, Variables extends object>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { isOn = true }: { isOn?: boolean } = {},
): Read<Data> {
  const [{ data, error }, execute] = useQuery<Data, Variables>({ query, variables, pause: !isOn } as never)
  const reread = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute])
  return { data, failure: error ? failureOf(error) : null, reread }
}
