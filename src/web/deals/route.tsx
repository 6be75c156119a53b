// The list of deals. The address holds search, filters, order, the saved view, and whether the form is open.

import { IconTargetArrow } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { dayRange } from '../address/day-range.ts'
import { flag, id, oneOf, searchParams, text, texts } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { dealSortValues, dealStateValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/deals', label: frameWords.places.deals, icon: IconTargetArrow, group: 'main', order: 2.7 } as const

export const dealsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/deals',
  validateSearch: searchParams({
    ...{ q: text(), pipeline: id, stage: texts(), state: oneOf(dealStateValues), owner: texts(), tag: texts(), company: id },
    ...{ closes: dayRange, deleted: flag, sort: oneOf(dealSortValues), view: id, new: flag },
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'DealsScreen'),
})

export const routes = [dealsRoute] as const
