// The page for the current address and caller. The old page stays until the next one is loaded.

import { type ComponentType, useLayoutEffect, useMemo, useState } from 'react'
import { go, useAddress } from '../address/go.ts'
import { useCaller } from '../session/caller.ts'
import { loadPart } from './loaded.ts'
import { app, type Page, type PageProps, pageAt } from './pages.ts'
import { ScreenBoundary, ScreenError } from './screen-error.tsx'

interface Shown {
  page: Page
  Screen: ComponentType<PageProps>
  address: URL
}

export function CurrentPage() {
  const caller = useCaller()
  const href = useAddress()
  const address = useMemo(() => new URL(href), [href])
  const page = pageAt(address)
  const leadsTo = caller.kind === 'stranger' ? null : (page.leadsTo?.(address) ?? null)
  const [shown, setShown] = useState<Shown | null>(null)

  useLayoutEffect(() => {
    if (leadsTo !== null) return go(leadsTo, { replace: true })
    if (shown?.page === page) return shown.address === address ? undefined : setShown({ ...shown, address })
    // The person has signed out: the app's data must not stay on the screen while the next page loads.
    if (shown?.page === app) return setShown(null)
    let isStale = false
    const show = (Screen: ComponentType<PageProps>) => !isStale && setShown({ page, Screen, address })
    loadPart(page.load).then(show, (error: unknown) => show(() => <ScreenError error={error} />))
    return () => {
      isStale = true
    }
  }, [shown, page, address, leadsTo])

  // The markup of index.html stays until the first page is rendered, and is removed in the same frame.
  useLayoutEffect(() => {
    if (shown) document.getElementById('first-paint')?.remove()
  }, [shown])

  if (!shown) return null
  return (
    <ScreenBoundary key={shown.page.path.source}>
      <shown.Screen address={shown.address} />
    </ScreenBoundary>
  )
}
