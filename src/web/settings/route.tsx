// The addresses of the settings: one for each section. What they show is loaded when somebody goes there.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, oneOf, searchParams } from '../address/params.ts'
import { frameRoute } from '../app/root-route.tsx'
import { webhookDeliveryStateValues } from '../generated/schema.ts'

const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SettingsScreen'),
})

const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./profile.tsx'), 'Profile'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./sessions.tsx'), 'Sessions'),
})

const organizationRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/organization',
  component: lazyRouteComponent(() => import('./organization.tsx'), 'OrganizationSettings'),
})

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('./people/people.tsx'), 'People'),
})

const keysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys/keys.tsx'), 'Keys'),
})

const fieldsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/fields',
  component: lazyRouteComponent(() => import('./fields.tsx'), 'Fields'),
})

const callsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/calls',
  component: lazyRouteComponent(() => import('./calls/voice.tsx'), 'Voice'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/endpoints.tsx'), 'Webhooks'),
})

export const endpointRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/$endpointId',
  validateSearch: searchParams({ state: oneOf(webhookDeliveryStateValues), delivery: id }),
  component: lazyRouteComponent(() => import('./webhooks/endpoint.tsx'), 'WebhookEndpoint'),
})

const embeddingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/embedding',
  component: lazyRouteComponent(() => import('./embedding.tsx'), 'Embedding'),
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
