// The inbox of the person. The address holds the list.

import { IconBell } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { inboxStateValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/inbox', label: frameWords.places.inbox, icon: IconBell, group: 'main', order: 1.5 } as const

export const inboxRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/inbox',
  validateSearch: searchParams({ show: oneOf(inboxStateValues) }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'InboxScreen'),
})

export const routes = [inboxRoute] as const
