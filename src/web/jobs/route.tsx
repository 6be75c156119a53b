// Jobs of enrichment. The address holds which are listed, and the one whose panel is open.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, oneOf, searchParams, someOf, text } from '../address/params.ts'
import { loaded } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { enrichmentJobStatusValues, enrichmentSortValues } from '../generated/schema.ts'

export const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/jobs',
  validateSearch: searchParams({
    status: someOf(enrichmentJobStatusValues),
    recipe: text(100),
    sort: oneOf(enrichmentSortValues),
    open: id,
  }),
  component: lazyRouteComponent(() => loaded(() => import('./screen.tsx')), 'JobsScreen'),
})

export const jobsRoutes = [jobsRoute] as const
