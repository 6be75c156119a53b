// The page at / for a stranger; who is signed in goes to the start page.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'
import { requireStranger } from '../session/require-caller.ts'

export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => requireStranger(),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'WelcomeScreen'),
})

export const welcomeRoutes = [welcomeRoute] as const
