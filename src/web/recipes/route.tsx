// The address of this place. Its screen is loaded at the first visit.

import { IconBook2 } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/recipes', label: frameWords.places.recipes, icon: IconBook2, group: 'enrichment', order: 3 } as const

export const recipesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/recipes',
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'RecipesScreen'),
})

export const routes = [recipesRoute] as const
