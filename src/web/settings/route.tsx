// The addresses of the settings, one for each section. Their screens are loaded at the first visit.

import { IconSettings } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { flag, id, oneOf, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { webhookDeliveryStateValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/settings', label: frameWords.places.settings, icon: IconSettings, group: 'last', order: 1 } as const

const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'SettingsScreen'),
})

const section = <const Path extends string>(path: Path, component: RouteComponent, staticData = {}) =>
  createRoute({ getParentRoute: () => settingsRoute, path, component, staticData })

export const organizationRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/organization',
  validateSearch: searchParams({ new: flag }),
  component: lazyRouteComponent(() => loadPart(() => import('./organization.tsx')), 'OrganizationSettings'),
})

export const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  validateSearch: searchParams({ invite: flag }),
  component: lazyRouteComponent(() => loadPart(() => import('./people/people.tsx')), 'People'),
})

export const endpointRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/$endpointId',
  staticData: { isForDevelopers: true },
  validateSearch: searchParams({ state: oneOf(webhookDeliveryStateValues), delivery: id }),
  component: lazyRouteComponent(() => loadPart(() => import('./webhooks/endpoint.tsx')), 'WebhookEndpoint'),
})

export const routes = [
  settingsRoute.addChildren([
    section(
      '/',
      lazyRouteComponent(() => loadPart(() => import('./profile.tsx')), 'Profile'),
    ),
    section(
      '/notifications',
      lazyRouteComponent(() => loadPart(() => import('./notifications/notifications.tsx')), 'Notifications'),
    ),
    section(
      '/sessions',
      lazyRouteComponent(() => loadPart(() => import('./sessions.tsx')), 'Sessions'),
    ),
    organizationRoute,
    membersRoute,
    section(
      '/assignment',
      lazyRouteComponent(() => loadPart(() => import('./assignment/assignment.tsx')), 'Assignment'),
    ),
    section(
      '/keys',
      lazyRouteComponent(() => loadPart(() => import('./keys/keys.tsx')), 'Keys'),
      { isForDevelopers: true },
    ),
    section(
      '/fields',
      lazyRouteComponent(() => loadPart(() => import('./fields.tsx')), 'Fields'),
    ),
    section(
      '/pipelines',
      lazyRouteComponent(() => loadPart(() => import('./pipelines/pipelines.tsx')), 'Pipelines'),
    ),
    section(
      '/calls',
      lazyRouteComponent(() => loadPart(() => import('./calls/voice.tsx')), 'Voice'),
    ),
    section(
      '/webhooks',
      lazyRouteComponent(() => loadPart(() => import('./webhooks/endpoints.tsx')), 'Webhooks'),
      { isForDevelopers: true },
    ),
    section(
      '/embedding',
      lazyRouteComponent(() => loadPart(() => import('./embedding.tsx')), 'Embedding'),
      { isForDevelopers: true },
    ),
    endpointRoute,
  ]),
] as const
