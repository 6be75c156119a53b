// Rows of runs, with the keys of their sessions.

import type { ChannelChoice, ThinkingLevel, WakeMode } from '../../config/gateway/enums.ts'
import type { Queries } from '../../database/client.ts'
import type { GatewayRunFindManyArgs, GatewayRunGetPayload } from '../../generated/prisma/models.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'

export const runEvents = eventsOf('agent_run', {
  accepted: 'A run of an agent was accepted, or is tried again.',
  advanced: 'A run of an agent has further turns, or a tool has answered.',
  completed: 'An agent has replied.',
  failed: 'A run of an agent ended without a reply.',
  started: 'An agent began a run.',
})

export type RunKind = 'hook' | 'heartbeat'
export const runStatuses = ['accepted', 'running', 'completed', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

const withSession = { session: { select: { key: true } } } as const

/** A row of `gateway_runs` with the key of its session. The rules write these values to its text columns and no others. */
export interface Run extends GatewayRunGetPayload<{ include: typeof withSession }> {
  kind: RunKind
  wakeMode: WakeMode
  channel: ChannelChoice
  thinking: ThinkingLevel | null
  status: RunStatus
}

export async function findRuns({ prisma }: Queries, query: Omit<GatewayRunFindManyArgs, 'include' | 'select' | 'omit'>): Promise<Run[]> {
  return (await prisma.gatewayRun.findMany({ ...query, include: withSession })) as Run[]
}
