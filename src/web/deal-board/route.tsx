// The board of deals. The address holds the pipeline, the filters, and the saved view.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { dayRange } from '../address/day-range.ts'
import { id, oneOf, searchParams, text, texts } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { dealStateValues } from '../generated/schema.ts'

export const dealBoardRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/deals/board',
  validateSearch: searchParams({
    ...{ q: text(), pipeline: id, stage: texts(), state: oneOf(dealStateValues), owner: texts(), tag: texts(), company: id },
    ...{ closes: dayRange, view: id },
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'DealBoardScreen'),
})

export const routes = [dealBoardRoute] as const
