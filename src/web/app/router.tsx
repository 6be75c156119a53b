// The app: the routes of all places. codegen collects them from the route.tsx files.

import { createBrowserHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { parseSearch, stringifySearch } from '../address/search.ts'
import { routes } from '../generated/places.ts'
import { embeddedRoute } from '../home/embedded/route.tsx'
import { NotFound } from '../pieces/states/not-found.tsx'
import { subscribeToCaller } from '../session/caller.ts'
import { frameRoute, rootRoute } from './root-route.tsx'
import { ScreenError } from './screen-error.tsx'

const routeTree = rootRoute.addChildren([embeddedRoute, frameRoute.addChildren([...routes])])

// One history for all routers, because each would patch `window.history`.
const history = createBrowserHistory()

// A new router each time that somebody enters the app: an old one still holds the matches of the person who signed out.
const createAppRouter = () =>
  createRouter({
    routeTree,
    history,
    parseSearch,
    stringifySearch,
    // The router removes parameters from the address that the route does not know.
    search: { strict: true },
    defaultPreload: 'intent',
    // Boxes that scroll have a `data-scroll-restoration-id`: going back restores their positions.
    scrollRestoration: true,
    defaultNotFoundComponent: () => <NotFound />,
    defaultErrorComponent: ({ error }) => <ScreenError error={error} />,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

/** The app at the current address. Resolves when the screen is loaded. */
export async function enterApp(): Promise<() => ReactNode> {
  const router = createAppRouter()
  await router.load()
  return function RoutedApp() {
    // Somebody signed in or out, here or in another tab: the routes check access again.
    useEffect(() => subscribeToCaller(() => void router.invalidate()), [])
    return <RouterProvider router={router} />
  }
}
