// The saved views of contacts, the one in the address, and the one that the list begins with.

import { useEffect, useMemo, useRef } from 'react'
import { useQuery } from 'urql'
import { ViewsOfContactsDocument } from '../../generated/documents/contacts-views.ts'
import type { View } from './view.ts'

interface ViewsOptions {
  viewId: string | undefined
  /** The address asks for nothing: the default view is shown. */
  isPlain: boolean
  onDefault(view: View): void
}

const none: readonly View[] = []

interface Views {
  views: readonly View[]
  current: View | undefined
  /** Which view the list begins with is not known yet, or is on its way into the address: nothing is read for an address that changes. */
  isAwaited: boolean
}

export function useViews({ viewId, isPlain, onDefault }: ViewsOptions): Views {
  const [{ data, error }] = useQuery({ query: ViewsOfContactsDocument })
  const views = data?.savedViews.nodes ?? none
  // One's own before the organization's.
  const first = useMemo(
    () => views.filter(({ isDefault }) => isDefault).toSorted((a, b) => Number(a.isShared) - Number(b.isShared))[0],
    [views],
  )
  // Once: afterwards "All contacts" means all.
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
