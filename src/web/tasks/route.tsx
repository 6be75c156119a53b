// The list of tasks. The address holds the tab, and the task or the form in the panel.

import { IconListCheck } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { flag, id, oneOf, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { taskSortValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/tasks', label: frameWords.places.tasks, icon: IconListCheck, group: 'main', order: 3 } as const

export const tasksRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/tasks',
  validateSearch: searchParams({ show: oneOf(['mine', 'due', 'open', 'done']), sort: oneOf(taskSortValues), open: id, new: flag }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'TasksScreen'),
})

export const routes = [tasksRoute] as const
