// The page of a deal. The address holds the open tab.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'

export const dealRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/deals/$dealId',
  validateSearch: searchParams({ tab: oneOf(['fields', 'people', 'calls', 'timeline', 'notes', 'tasks']) }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'DealScreen'),
})

export const routes = [dealRoute] as const
