// Enrichment jobs. The address holds the filter, and the job in the panel.

import { IconStack2 } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, oneOf, searchParams, someOf, text } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { enrichmentJobStatusValues, enrichmentSortValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/jobs', label: frameWords.places.jobs, icon: IconStack2, group: 'enrichment', order: 2 } as const

export const jobsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/jobs',
  validateSearch: searchParams({
    status: someOf(enrichmentJobStatusValues),
    recipe: text(100),
    sort: oneOf(enrichmentSortValues),
    open: id,
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'JobsScreen'),
})

export const routes = [jobsRoute] as const
