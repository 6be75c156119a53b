// The page of a contact. The address holds the open tab, and whether a call is being placed.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { flag, oneOf, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'

export const contactRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/contacts/$contactId',
  validateSearch: searchParams({ tab: oneOf(['fields', 'timeline', 'notes', 'tasks', 'calls']), call: flag }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'ContactScreen'),
})

export const routes = [contactRoute] as const
