// Rows of runs, with the keys of their sessions.

import type { ChannelChoice, ThinkingLevel, WakeMode } from '../../config/gateway/enums.ts'
import type { Queries } from '../../database/client.ts'
import type { GatewayRunFindManyArgs, GatewayRunGetPayload } from '../../generated/prisma/models.ts'

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
