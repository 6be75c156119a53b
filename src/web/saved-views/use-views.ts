// The saved views of a list, the view in the address, and the default view.

import { useEffect, useMemo, useRef } from 'react'
import { useQuery } from 'urql'
import { useMe } from '../session/use-me.ts'
import type { View, ViewKind } from './kind.ts'

interface ViewsOptions {
  kind: ViewKind
  viewId: string | undefined
  /** The address has no filters and no view, so the default view applies. */
  isPlain: boolean
  onDefault(view: View): void
}

const none: readonly View[] = []
const mostViews = 100
// More views cost more than a guest may ask for.
const mostOfGuest = 30

interface Views {
  views: readonly View[]
  current: View | undefined
  /** The default view is not known yet, or is about to enter the address. The list reads nothing until then, because the address will change. */
  isAwaited: boolean
}

export function useViews({ kind, viewId, isPlain, onDefault }: ViewsOptions): Views {
  const { isGuest } = useMe()
  const [{ data, error }] = useQuery({ query: kind.list, variables: { first: isGuest ? mostOfGuest : mostViews } })
  const views = data?.savedViews.nodes ?? none
  // A person's own default view comes before a shared one.
  const first = useMemo(
    () => views.filter(({ isDefault }) => isDefault).toSorted((a, b) => Number(a.isShared) - Number(b.isShared))[0],
    [views],
  )
  // Only once: afterwards "All contacts" shows all.
  const isBegun = useRef(false)
  const isAsked = useRef(false)
  const isAwaited = isPlain && viewId === undefined && !isBegun.current && (data ? first !== undefined : !error)
  useEffect(() => {
    if (!isAwaited) isBegun.current = true
    else if (first && !isAsked.current) {
      isAsked.current = true
      onDefault(first)
    }
  }, [isAwaited, first, onDefault])
  return { views, current: views.find(({ id }) => id === viewId), isAwaited }
}
