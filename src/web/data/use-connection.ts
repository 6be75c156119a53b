// A list that loads more rows while somebody scrolls, and knows when its rows are out of date.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useClient } from 'urql'
import { type Change, onChange } from '../live/change.ts'
import { onReturn } from '../live/connectivity.ts'
import { createPages, type Page, type PagesState } from './connection-pages.ts'

export interface Connection<Row> extends PagesState<Row> {
  /** The rows belong to the variables before; the answer for the present ones has not arrived. */
  isStale: boolean
  /** Rows were added to the list or have left it since it was read. `refresh` shows them. */
  hasNews: boolean
  loadMore(): void
  /**
   * Called with false when somebody scrolls away from the top, and with true on the way back. Away from the top the list is not read again by
   * itself, because its rows would move.
   */
  onAtTop(isAtTop: boolean): void
  refresh(): void
}

interface Options<Data, Variables, Row> {
  document: TypedDocumentNode<Data, Variables>
  variables: Variables
  /** Returns the connection in the answer. */
  pick(data: Data): Page<Row> | null | undefined
  /** Whether a change adds rows to the list or removes some. At its top the list is then read again; elsewhere `hasNews` becomes true. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the variables, which are a new object at each rendering, like `pick`.
  const pages = useMemo(() => createPages(client, document, variables, pick), [client, document, key])
  const state = useSyncExternalStore(isPaused ? noSubscription : pages.subscribe, pages.state)

  const [news, setNews] = useState<typeof pages | null>(null)
  const latest = useRef(options)
  latest.current = options
  // At the top, rows may move: nobody is reading further down.
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
      // The first change is shown at once. Changes within the next second are shown together.
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
