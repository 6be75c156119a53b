// The pages of a list. Each page is a query of its own: a change then updates one page, and does not merge 20,000 rows again.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Client, OperationResult } from '@urql/core'
import { type Failure, failureOf } from './failure.ts'
import { nameOf } from './stored.ts'

export interface Page<Row> {
  nodes: readonly Row[]
  pageInfo: { endCursor: string | null; hasNextPage: boolean }
}

export interface PagesState<Row> {
  rows: readonly Row[]
  hasMore: boolean
  /** The first page is being read, and there are no rows to show. */
  isLoading: boolean
  isLoadingMore: boolean
  failure: Failure | null
}

export interface Pages<Row> {
  state(): PagesState<Row>
  /** Reads while there is at least one listener. */
  subscribe(listener: () => void): () => void
  loadMore(): void
  /** Reads again from the first page on. The present rows stay until the answer arrives. */
  refresh(): void
}

// The number of open pages for each list that was left. Going back opens as many from the cache, so that the scroll position can be restored.
const depths = new Map<string, number>()
const maxDepths = 50

interface Loaded<Row> {
  page: Page<Row> | null
  end(): void
}

export function createPages<Data, Variables extends object, Row>(
  client: Client,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => Page<Row> | null | undefined,
): Pages<Row> {
  const listeners = new Set<() => void>()
  let loaded: Loaded<Row>[] = []
  let failure: Failure | null = null
  let cached: PagesState<Row> | null = null
  // The client does not send an equal query while one is running, so a refresh in the meantime is sent after the answer.
  let isFirstAwaited = false
  let mustAskAgain = false

  const tell = () => {
    cached = null
    for (const listener of listeners) listener()
  }

  const load = (after: string | null, requestPolicy: 'cache-and-network' | 'cache-first' | 'network-only', replaces: boolean) => {
    const entry: Loaded<Row> = { page: null, end: () => subscription.unsubscribe() }
    const before = replaces ? loaded : []
    if (!replaces) loaded = [...loaded, entry]
    if (after === null) isFirstAwaited = true
    const receive = ({ data, error, stale }: OperationResult<Data, Variables>) => {
      const page = data ? pick(data) : null
      failure = error && !page ? failureOf(error) : null
      if (page) {
        entry.page = page
        if (replaces && !loaded.includes(entry)) {
          for (const old of before) old.end()
          loaded = [entry]
        }
      } else if (error && !replaces) {
        loaded = loaded.filter(one => one !== entry)
        // An open subscription would answer the next attempt with this failure. The failure may have arrived before `subscribe` returned.
        queueMicrotask(entry.end)
      }
      tell()
      if (after !== null || stale) return
      isFirstAwaited = false
      if (mustAskAgain) refresh()
    }
    const subscription = client.query(document, { ...variables, after }, { requestPolicy, isPage: true }).subscribe(receive)
  }

  const state = (): PagesState<Row> => {
    if (cached) return cached
    const last = loaded.at(-1)
    const isWaiting = last !== undefined && last.page === null
    cached = {
      rows: loaded.flatMap(({ page }) => page?.nodes ?? []),
      hasMore: last?.page?.pageInfo.hasNextPage ?? isWaiting,
      isLoading: loaded.length === 0 ? !failure : isWaiting && loaded.length === 1,
      isLoadingMore: isWaiting && loaded.length > 1,
      failure,
    }
    return cached
  }

  const key = JSON.stringify([nameOf(document), variables])
  const open = () => {
    const depth = depths.get(key) ?? 1
    load(null, depth > 1 ? 'cache-first' : 'cache-and-network', false)
    for (let opened = 1; opened < depth; opened++) {
      const page = loaded.at(-1)?.page
      if (!page?.pageInfo.hasNextPage) break
      load(page.pageInfo.endCursor, 'cache-first', false)
    }
  }
  const close = () => {
    depths.delete(key)
    depths.set(key, loaded.length)
    for (const oldest of depths.keys()) if (depths.size > maxDepths) depths.delete(oldest)
    for (const { end } of loaded) end()
    loaded = []
    cached = null
    isFirstAwaited = false
    mustAskAgain = false
  }

  const refresh = () => {
    mustAskAgain = isFirstAwaited
    if (isFirstAwaited) return
    failure = null
    load(null, 'network-only', loaded.length > 0)
    tell()
  }

  return {
    state,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) open()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) close()
      }
    },
    loadMore() {
      const last = loaded.at(-1)?.page
      if (last?.pageInfo.hasNextPage) load(last.pageInfo.endCursor, 'cache-first', false)
      tell()
    },
    refresh,
  }
}
