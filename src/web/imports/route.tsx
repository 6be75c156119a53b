// Imports of contacts: the list, and the page of one.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { ageSortValues } from '../generated/schema.ts'

export const importsListRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/imports',
  validateSearch: searchParams({ sort: oneOf(ageSortValues) }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'ImportsScreen'),
})

export const importRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/imports/$importId',
  component: lazyRouteComponent(() => loadPart(() => import('./import-screen.tsx')), 'ImportScreen'),
})

export const routes = [importsListRoute, importRoute] as const
