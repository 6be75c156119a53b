// The app: all routes. A place adds its own in its route.tsx; this file only names the places.

import { createBrowserHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
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
import { subscribeToCaller } from '../session/caller.ts'
import { settingsRoutes } from '../settings/route.tsx'
import { suggestionsRoutes } from '../suggestions/route.tsx'
import { tasksRoutes } from '../tasks/route.tsx'
import { frameRoute, rootRoute } from './root-route.tsx'
import { ScreenError } from './screen-error.tsx'

const routeTree = rootRoute.addChildren([
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

// One for all routers, because each changes `window.history`.
const history = createBrowserHistory()

// A router of its own for each time that the app is entered: one that was left still has the matches of who signed out.
const createAppRouter = () =>
  createRouter({
    routeTree,
    history,
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
    router: ReturnType<typeof createAppRouter>
  }
}

/** The app at the present address, whose screen is loaded. */
export async function enterApp(): Promise<() => ReactNode> {
  const router = createAppRouter()
  await router.load()
  return function RoutedApp() {
    // Signed in or out, here or in another tab: the routes decide again who may be where.
    useEffect(() => subscribeToCaller(() => void router.invalidate()), [])
    return <RouterProvider router={router} />
  }
}
