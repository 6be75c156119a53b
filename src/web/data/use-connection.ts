// A list whose pages are read as it is scrolled. It notices changes that add rows or take rows away.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useClient } from 'urql'
import { type Change, onChange } from '../live/change.ts'
import { onReturn } from '../live/connectivity.ts'
import { createPages, type Page, type PagesState } from './connection-pages.ts'

export interface Connection<Row> extends PagesState<Row> {
  /** The rows belong to the former variables. The rows of the present ones are being read. */
  isStale: boolean
  /** Rows were added or taken away since the list was read; `refresh` shows it. */
  hasNews: boolean
  loadMore(): void
  /** The table calls this when the list leaves its top and when it returns. A scrolled list would move if it were read again. */
  onAtTop(isAtTop: boolean): void
  refresh(): void
}

interface Options<Data, Variables, Row> {
  document: TypedDocumentNode<Data, Variables>
  variables: Variables
  /** Takes the connection out of the answer. */
  pick(data: Data): Page<Row> | null | undefined
  /** Whether a change adds rows or takes rows away. A list at its top is then read again by itself, a scrolled one says `hasNews`. */
  isChangedBy?(change: Change): boolean
  /** The variables are not known yet, so nothing is read. */
  isPaused?: boolean
}

const noSubscription = () => () => {}

// An import changes the list hundreds of times a second.
const readAgainMs = 1000

export function useConnection<Data, Variables extends object, Row>(options: Options<Data, Variables, Row>): Connection<Row> {
  const { document, variables, pick, isPaused = false } = options
  const client = useClient()
  const key = JSON.stringify(variables)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the variables, which are a new object at each rendering, as `pick` is.
  const pages = useMemo(() => createPages(client, document, variables, pick), [client, document, key])
  const state = useSyncExternalStore(isPaused ? noSubscription : pages.subscribe, pages.state)

  const [news, setNews] = useState<typeof pages | null>(null)
  const latest = useRef(options)
  latest.current = options
  // At its top the list may be read again: no row moves away under the reader's eyes.
  const isAtTop = useRef(true)
  useEffect(() => {
    if (isPaused) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isWaiting = false
    const show = () => {
      timer = setTimeout(after, readAgainMs)
      if (isAtTop.current) pages.refresh()
      else setNews(pages)
    }
    const after = () => {
      timer = undefined
      if (!isWaiting) return
      isWaiting = false
      show()
    }
    const end = onChange(change => {
      if (change.type !== 'READ_AFRESH' && !latest.current.isChangedBy?.(change)) return
      // The first change is shown at once, later ones together after `readAgainMs`.
      if (timer === undefined) show()
      else isWaiting = true
    })
    const endReturn = onReturn(() => pages.state().failure && pages.refresh())
    return () => {
      clearTimeout(timer)
      end()
      endReturn()
    }
  }, [pages, isPaused])

  const shown = useRef<PagesState<Row> | null>(null)
  const isStale = state.isLoading && shown.current !== null
  if (!state.isLoading) shown.current = state
  return {
    ...(isStale && shown.current ? shown.current : state),
    isStale,
    hasNews: news === pages,
    loadMore: pages.loadMore,
    onAtTop: (atTop: boolean) => {
      isAtTop.current = atTop
    },
    refresh: () => {
      setNews(null)
      pages.refresh()
    },
  }
}
