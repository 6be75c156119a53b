// The board of deals. The address holds the pipeline and the filters.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { dayRange } from '../address/day-range.ts'
import { id, searchParams, text, texts } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'

export const dealBoardRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/deals/board',
  validateSearch: searchParams({ q: text(), pipeline: id, owner: texts(), tag: texts(), closes: dayRange }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'DealBoardScreen'),
})

export const routes = [dealBoardRoute] as const
