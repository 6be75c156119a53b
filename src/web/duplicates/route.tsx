// Contacts that may be the same person. The address holds the open pair: the contact that stays, and the other one.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'

export const duplicatesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/duplicates',
  validateSearch: searchParams({ keep: id, other: id }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'DuplicatesScreen'),
})

export const routes = [duplicatesRoute] as const
