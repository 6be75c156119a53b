// Rows of turns: the input of an agent, the replies of its model, and its tool calls.

import type { Queries } from '../../database/client.ts'
import type { GatewayTurnFindManyArgs, GatewayTurnModel } from '../../generated/prisma/models.ts'
import { selectHistoryStart } from './run.sql.ts'

export type TurnRole = 'user' | 'assistant' | 'tool'

/** A row of `gateway_turns`. The rules write these roles and no others. */
export interface Turn extends GatewayTurnModel {
  role: TurnRole
}

export async function findTurns({ prisma }: Queries, query: Omit<GatewayTurnFindManyArgs, 'include' | 'select' | 'omit'>): Promise<Turn[]> {
  return (await prisma.gatewayTurn.findMany(query)) as Turn[]
}

/** The turns of a run, in their order. */
export const turnsOfRun = (db: Queries, { sessionId, id }: { sessionId: string; id: string }): Promise<Turn[]> =>
  findTurns(db, { where: { sessionId, runId: id }, orderBy: { seq: 'asc' } })

/**
 * The turns of earlier runs of the session, each with its run's error: the newest whose texts together have at most `maxBytes` bytes, in
 * their order.
 */
export async function historyOf(
  db: Queries,
  { sessionId, id }: { sessionId: string; id: string },
  maxBytes: number,
): Promise<(Turn & { error: string | null })[]> {
  const [start] = await db.query(selectHistoryStart, [sessionId, id, maxBytes])
  if (start?.seq == null) return []
  const turns = await db.prisma.gatewayTurn.findMany({
    where: { sessionId, runId: { not: id }, seq: { gte: start.seq } },
    include: { run: { select: { error: true } } },
    orderBy: { seq: 'asc' },
  })
  return turns.map(({ run, ...turn }) => ({ ...(turn as Turn), error: run.error }))
}
