// The gateway: conversations, runs, events, deliveries and hooks. The address holds the tab and its open item.

import { IconRoute } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, oneOf, searchParams, text } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { agentRunStatusValues, ageSortValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/gateway', label: frameWords.places.gateway, icon: IconRoute, group: 'more', order: 1 } as const

export const gatewayTabs = ['conversations', 'runs', 'events', 'deliveries', 'hooks'] as const

export const gatewayRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/gateway',
  validateSearch: searchParams({
    tab: oneOf(gatewayTabs),
    session: text(512),
    status: oneOf(agentRunStatusValues),
    sort: oneOf(ageSortValues),
    run: id,
    ask: oneOf(['wake', 'run']),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'GatewayScreen'),
})

export const routes = [gatewayRoute] as const
