// All routes. A place adds its own in its route.tsx; this file only names the places.

import { createRouter } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '../address/search.ts'
import { agentsRoutes } from '../agents/route.tsx'
import { callsRoutes } from '../calls/route.tsx'
import { contactRoutes } from '../contact/route.tsx'
import { contactsRoutes } from '../contacts/route.tsx'
import { creditsRoutes } from '../credits/route.tsx'
import { duplicatesRoutes } from '../duplicates/route.tsx'
import { gatewayRoutes } from '../gateway/route.tsx'
import { embeddedRoutes } from '../home/embedded/route.tsx'
import { homeRoutes } from '../home/route.tsx'
import { importsRoutes } from '../imports/route.tsx'
import { jobsRoutes } from '../jobs/route.tsx'
import { NotFound } from '../pieces/not-found.tsx'
import { recipesRoutes } from '../recipes/route.tsx'
import { settingsRoutes } from '../settings/route.tsx'
import { signInRoutes } from '../sign-in/route.tsx'
import { suggestionsRoutes } from '../suggestions/route.tsx'
import { tasksRoutes } from '../tasks/route.tsx'
import { welcomeRoutes } from '../welcome/route.tsx'
import { frameRoute, rootRoute } from './root-route.tsx'
import { ScreenError } from './screen-error.tsx'

const routeTree = rootRoute.addChildren([
  ...welcomeRoutes,
  ...signInRoutes,
  ...embeddedRoutes,
  frameRoute.addChildren([
    ...homeRoutes,
    ...contactsRoutes,
    ...contactRoutes,
    ...duplicatesRoutes,
    ...importsRoutes,
    ...tasksRoutes,
    ...callsRoutes,
    ...agentsRoutes,
    ...suggestionsRoutes,
    ...jobsRoutes,
    ...recipesRoutes,
    ...gatewayRoutes,
    ...creditsRoutes,
    ...settingsRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  // The address is rewritten without what its route does not know.
  search: { strict: true },
  defaultPreload: 'intent',
  // Boxes that scroll have a `data-scroll-restoration-id`: going back finds them where they were.
  scrollRestoration: true,
  defaultNotFoundComponent: () => <NotFound />,
  defaultErrorComponent: ({ error }) => <ScreenError error={error} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
