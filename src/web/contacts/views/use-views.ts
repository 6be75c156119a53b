// The saved views of contacts, the one in the address, and the one that the list begins with.

import { useEffect, useRef } from 'react'
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

export function useViews({ viewId, isPlain, onDefault }: ViewsOptions): { views: readonly View[]; current: View | undefined } {
  const [{ data }] = useQuery({ query: ViewsOfContactsDocument })
  const views = data?.savedViews.nodes ?? none
  // Once: afterwards "All contacts" means all.
  const isBegun = useRef(false)
  useEffect(() => {
    if (!data || isBegun.current) return
    isBegun.current = true
    // One's own before the organization's.
    const defaults = data.savedViews.nodes.filter(({ isDefault }) => isDefault).toSorted((a, b) => Number(a.isShared) - Number(b.isShared))
    if (viewId === undefined && isPlain && defaults[0]) onDefault(defaults[0])
  }, [data, viewId, isPlain, onDefault])
  return { views, current: views.find(({ id }) => id === viewId) }
}
