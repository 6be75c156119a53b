// Rows of turns: the input of an agent, the replies of its model, and its tool calls.

import type { Queries } from '../../database/client.ts'
import type { GatewayTurnFindManyArgs, GatewayTurnModel } from '../../generated/prisma/models.ts'
import type { Run } from './row.ts'
import { selectHistory } from './run.sql.ts'

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
 * The turns of earlier runs of the session that the run may see, each with its run's error: the newest whose texts together have at most
 * `maxBytes` bytes, in their order. Turns of runs with a scope that this run does not have are left out.
 */
export async function historyOf(
  db: Queries,
  { sessionId, id, scopes }: Pick<Run, 'sessionId' | 'id' | 'scopes'>,
  maxBytes: number,
): Promise<(Turn & { error: string | null })[]> {
  const visible = await db.query(selectHistory, [sessionId, id, maxBytes, scopes])
  if (visible.length === 0) return []
  const turns = await db.prisma.gatewayTurn.findMany({
    where: { sessionId, id: { in: visible.map(turn => turn.id) } },
    include: { run: { select: { error: true } } },
    orderBy: { seq: 'asc' },
  })
  return turns.map(({ run, ...turn }) => ({ ...(turn as Turn), error: run.error }))
}
