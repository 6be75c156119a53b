// The page of one widget, for frames on other sites. The key after `#` reads it, without a session.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../app/loaded.ts'
import { rootRoute } from '../../app/root-route.tsx'

export const embeddedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/widgets/$widgetId',
  component: lazyRouteComponent(() => loadPart(() => import('./embedded.tsx')), 'EmbeddedWidget'),
})
