// The addresses of the settings: one for each section. What they show is loaded when somebody goes there.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, oneOf, searchParams } from '../address/params.ts'
import { loaded } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { webhookDeliveryStateValues } from '../generated/schema.ts'

const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => loaded(() => import('./screen.tsx')), 'SettingsScreen'),
})

const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyRouteComponent(() => loaded(() => import('./profile.tsx')), 'Profile'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => loaded(() => import('./sessions.tsx')), 'Sessions'),
})

const organizationRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/organization',
  component: lazyRouteComponent(() => loaded(() => import('./organization.tsx')), 'OrganizationSettings'),
})

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  component: lazyRouteComponent(() => loaded(() => import('./people/people.tsx')), 'People'),
})

const keysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/keys',
  component: lazyRouteComponent(() => loaded(() => import('./keys/keys.tsx')), 'Keys'),
})

const fieldsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/fields',
  component: lazyRouteComponent(() => loaded(() => import('./fields.tsx')), 'Fields'),
})

const callsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/calls',
  component: lazyRouteComponent(() => loaded(() => import('./calls/voice.tsx')), 'Voice'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => loaded(() => import('./webhooks/endpoints.tsx')), 'Webhooks'),
})

export const endpointRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/$endpointId',
  validateSearch: searchParams({ state: oneOf(webhookDeliveryStateValues), delivery: id }),
  component: lazyRouteComponent(() => loaded(() => import('./webhooks/endpoint.tsx')), 'WebhookEndpoint'),
})

const embeddingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/embedding',
  component: lazyRouteComponent(() => loaded(() => import('./embedding.tsx')), 'Embedding'),
})

export const settingsRoutes = [
  settingsRoute.addChildren([
    profileRoute,
    sessionsRoute,
    organizationRoute,
    membersRoute,
    keysRoute,
    webhooksRoute,
    endpointRoute,
    embeddingRoute,
    fieldsRoute,
    callsRoute,
  ]),
] as const
