// A widget at an address of its own, for frames of other pages: read by the key behind the `#`, without a session.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loaded } from '../../app/loaded.ts'
import { rootRoute } from '../../app/root-route.tsx'

export const embeddedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/widgets/$widgetId',
  component: lazyRouteComponent(() => loaded(() => import('./embedded.tsx')), 'EmbeddedWidget'),
})
