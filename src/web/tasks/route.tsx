// The tasks. The address holds which of them are shown, and the one that is open.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, oneOf, searchParams } from '../address/params.ts'
import { loaded } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { taskSortValues } from '../generated/schema.ts'

export const tasksRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/tasks',
  validateSearch: searchParams({ show: oneOf(['mine', 'due', 'open', 'done']), sort: oneOf(taskSortValues), open: id }),
  component: lazyRouteComponent(() => loaded(() => import('./screen.tsx')), 'TasksScreen'),
})

export const tasksRoutes = [tasksRoute] as const
