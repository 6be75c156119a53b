// The list of calls, and the page of one. The address holds filters and order, and whether the form of a new call is open.

import { IconPhone } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { dayRange } from '../address/day-range.ts'
import { flag, id, oneOf, searchParams, someOf } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { callOutcomeValues, callSortValues, callStatusValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/calls', label: frameWords.places.calls, icon: IconPhone, group: 'main', order: 4 } as const

export const callsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/calls',
  validateSearch: searchParams({
    status: someOf(callStatusValues),
    outcome: someOf(callOutcomeValues),
    agent: id,
    contact: id,
    placed: dayRange,
    trials: flag,
    sort: oneOf(callSortValues),
    place: flag,
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'CallsScreen'),
})

export const callRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/calls/$callId',
  component: lazyRouteComponent(() => loadPart(() => import('./page/screen.tsx')), 'CallScreen'),
})

export const routes = [callsRoute, callRoute] as const
