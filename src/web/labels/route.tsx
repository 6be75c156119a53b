// The list of labels. The address holds the one whose panel is open.

import { IconTags } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, searchParams } from '../address/params.ts'
import { loaded } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'

export const place = { to: '/labels', label: 'Labels', icon: IconTags, group: 'more', order: 3 } as const

export const labelsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/labels',
  validateSearch: searchParams({ open: id }),
  component: lazyRouteComponent(() => loaded(() => import('./screen.tsx')), 'LabelsScreen'),
})

export const routes = [labelsRoute] as const
