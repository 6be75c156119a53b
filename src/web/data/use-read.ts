// A query that follows its changes: its data, its failure, and a function that reads it again after a write.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useCallback, useMemo } from 'react'
import { useQuery } from 'urql'
import { type Failure, failureOf } from './failure.ts'

export interface Read<Data = unknown> {
  data: Data | undefined
  failure: Failure | null
  isReading: boolean
  reread(): void
}

interface ReadOptions {
  isOn?: boolean
  /** Asks the server even when the cache has an answer, for data that the stream of changes does not report. */
  isFresh?: boolean
}

export function useRead<Data, Variables extends object>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { isOn = true, isFresh = false }: ReadOptions = {},
): Read<Data> {
  const requestPolicy = isFresh ? 'cache-and-network' : undefined
  const [{ data, error, fetching }, execute] = useQuery<Data, Variables>({ query, variables, pause: !isOn, requestPolicy } as never)
  const reread = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute])
  const failure = useMemo(() => (error ? failureOf(error) : null), [error])
  return { data, failure, isReading: fetching, reread }
}
