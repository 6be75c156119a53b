// The page of a company. The address holds the open tab.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'

export const companyRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/companies/$companyId',
  validateSearch: searchParams({ tab: oneOf(['fields', 'people', 'deals', 'timeline', 'notes', 'tasks']) }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'CompanyScreen'),
})

export const routes = [companyRoute] as const
