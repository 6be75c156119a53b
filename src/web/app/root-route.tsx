// The root of all routes, and the route of everything that has the frame: rail, header, stream of changes.

import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { NotFound } from '../pieces/not-found.tsx'
import { requireCaller } from '../session/require-caller.ts'
import { loaded } from './loaded.ts'

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: () => <NotFound /> })

export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  // What a pointer at a link loads ahead leads nobody away.
  beforeLoad: ({ location, preload }) => (preload ? undefined : requireCaller(location.href)),
  component: lazyRouteComponent(() => loaded(() => import('../frame/frame.tsx')), 'Frame'),
})
