// The address of this place. Its screen is loaded at the first visit.

import { IconHome } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { flag, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/home', label: frameWords.places.home, icon: IconHome, group: 'main', order: 1 } as const

export const homeRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/home',
  validateSearch: searchParams({ setup: flag }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'HomeScreen'),
})

export const routes = [homeRoute] as const
