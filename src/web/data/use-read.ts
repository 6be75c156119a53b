// Reads a query and keeps its data current. Returns the data, the failure, and a function that reads it again.

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
  /** Asks the server even if the cache has an answer: for what the stream of changes does not report. */
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
