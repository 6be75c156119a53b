// The root of all routes, and the route of all screens with the frame: rail, header, stream of changes.

import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { go } from '../address/go.ts'
import { NotFound } from '../pieces/states/not-found.tsx'
import { currentCaller } from '../session/caller.ts'
import { loadPart } from './loaded.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page is for people who write programs. Others may not show names of the contract, patterns, ids or JSON. */
    isForDevelopers?: true
  }
}

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: () => <NotFound /> })

export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  // Preloading a link under the pointer must not redirect anybody.
  beforeLoad: ({ location, preload }) => (preload ? undefined : requireCaller(location.href)),
  component: lazyRouteComponent(() => loadPart(() => import('../frame/frame.tsx')), 'Frame'),
})

/**
 * For `beforeLoad` of a route. For a stranger the promise never resolves, because the browser leaves the app: the route loads and shows nothing.
 */
async function requireCaller(address: string): Promise<void> {
  if (currentCaller().kind !== 'stranger') return
  go(`/sign-in?${new URLSearchParams({ back: address })}`, { replace: true })
  await new Promise(() => {})
}
