// The address of this place. What it shows is loaded when somebody goes there.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loaded } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'

export const recipesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/recipes',
  component: lazyRouteComponent(() => loaded(() => import('./screen.tsx')), 'RecipesScreen'),
})

export const recipesRoutes = [recipesRoute] as const
