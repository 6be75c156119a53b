// The app: the routes of all places, which codegen collects from their route.tsx.

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
