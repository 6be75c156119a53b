// Signing in and up, and what else stands before the app. `back` is the address to return to.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, searchParams, text } from '../address/params.ts'
import { rootRoute } from '../app/root-route.tsx'
import { requireStranger } from '../session/require-caller.ts'

const validateSearch = searchParams({
  back: text(2000),
  mode: oneOf(['sign-in', 'sign-up', 'reset', 'link']),
  // What a desktop application asks for (RFC 6749 and 7636).
  redirect_uri: text(2000),
  code_challenge: text(),
  code_challenge_method: text(),
  state: text(2000),
  client_name: text(),
})

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch,
  // For an application who is signed in stays, and is asked.
  beforeLoad: ({ search }) => (search.redirect_uri ? undefined : requireStranger(search.back)),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SignInScreen'),
})

export const finishRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/finish',
  validateSearch: searchParams({ back: text(2000), error: text() }),
  component: lazyRouteComponent(() => import('./finish.tsx'), 'FinishScreen'),
})

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch: searchParams({ token: text(), error: text() }),
  component: lazyRouteComponent(() => import('./reset-password.tsx'), 'ResetPasswordScreen'),
})

export const claimRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/claim/$token',
  component: lazyRouteComponent(() => import('./invitation/claim.tsx'), 'ClaimScreen'),
})

export const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  validateSearch: searchParams({ user_code: text(40) }),
  component: lazyRouteComponent(() => import('./programs/device.tsx'), 'DeviceScreen'),
})

export const signInRoutes = [signInRoute, finishRoute, resetPasswordRoute, claimRoute, deviceRoute] as const
