// The list of voice agents, and the page of one. The address holds the filter, and whether the form for a new agent is open.

import { IconRobot } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, type Param, searchParams, someOf } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { voiceAgentSortValues, voiceAgentStatusValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'
import { type NewAgentStep, steps } from './form/steps.ts'

export const place = { to: '/agents', label: frameWords.places.agents, icon: IconRobot, group: 'main', order: 5 } as const

/** `true`: nothing is chosen yet. Other pages link to the templates, such as /agents?new=renewal-check. */
const newAgentStep: Param<NewAgentStep> = ([value]) => (value === 'true' ? 'choose' : steps.find(step => step === value))

export const agentsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/agents',
  validateSearch: searchParams({ status: someOf(voiceAgentStatusValues), sort: oneOf(voiceAgentSortValues), new: newAgentStep }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'AgentsScreen'),
})

export const agentRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/agents/$agentId',
  component: lazyRouteComponent(() => loadPart(() => import('./agent-screen.tsx')), 'AgentScreen'),
})

export const routes = [agentsRoute, agentRoute] as const
