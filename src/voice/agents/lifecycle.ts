// What becomes of an agent's waiting calls when it is resumed, archived, or stopped because its maker may be an intruder.

import { type Context, inTransaction } from '../context.ts'
import { statement } from '../database/client.ts'
import { onBehalfOf } from './acting.ts'
import { agentColumns, agentRow, type VoiceAgent } from './agent.sql.ts'
import { changing, unfit } from './agent.ts'
import { changeAgent } from './agent-write.ts'
import { closing, dispatch } from './call-dispatch.ts'
import { moveCall } from './call-move.ts'
import { type CallRecord, recordColumns, recordRow } from './call-row.ts'

/** Lets a paused agent place calls again, those that waited first. */
export function resumeAgent(context: Context, id: string): Promise<VoiceAgent> {
  return changing(context, id, async (inside, agent) => {
    if (agent.status === 'active' || agent.status === 'provisioning') return agent
    if (agent.status !== 'paused') throw unfit(agent, 'only a paused agent can be resumed')
    // Changed while it was paused: its provider has to know first.
    const isKnown = agent.provisionedVersion !== null
    const resumed = await changeAgent(inside, agent, { status: isKnown ? 'active' : 'provisioning', statusReason: null }, 'agent.resumed')
    await inside.db.afterCommit(() => void dispatch(context.services, agent.orgId))
    return resumed
  })
}

const selectWaiting = statement<CallRecord>(
  'agent_waiting_calls',
  `select ${recordColumns('calls')} from calls where org_id = $1 and agent_id = $2 and dispatch_state in ('pending', 'scheduled')
   order by id for update`,
  recordRow,
)

/** Ends an agent for good: what waits is canceled, what rings goes on, the number is free again. */
export function archiveAgent(context: Context, id: string): Promise<VoiceAgent> {
  return changing(context, id, async (inside, agent) => {
    if (agent.status === 'archived') return agent
    await cancelWaiting(inside, agent, 'agent_archived')
    return changeAgent(inside, agent, { status: 'archived' }, 'agent.archived')
  })
}

const agentsOf = statement<VoiceAgent>(
  'voice_agents_of_organization',
  `select ${agentColumns} from voice_agents where org_id = $1 and status <> 'archived' order by id for update`,
  agentRow,
)
const stopReason =
  'Stopped, because it was made before the address of its owner was verified: check its instructions, phone_number and dispatch_url, ' +
  'fetch its new signing secret, and resume it'

/**
 * Stops every agent of the organizations, in the context's transaction: none places a call until it is resumed, what waits is canceled, and
 * the secrets that were known until now sign nothing any more, without an overlap.
 */
export async function stopAgents(context: Context, orgIds: readonly string[]): Promise<void> {
  for (const orgId of orgIds) {
    const inside = inTransaction(onBehalfOf(context.services, orgId, 'stopAgents'), context.db)
    for (const agent of await inside.db.query(agentsOf, [orgId])) {
      await cancelWaiting(inside, agent, 'agent_stopped')
      const isInUse = agent.status === 'active' || agent.status === 'provisioning' || agent.status === 'paused'
      const stopped = isInUse ? ({ status: 'paused', statusReason: stopReason } as const) : {}
      await changeAgent(inside, agent, { ...stopped, secretVersion: agent.secretVersion + 1, secretRotatedAt: null }, 'agent.stopped')
    }
  }
}

async function cancelWaiting(context: Context, { orgId, id }: VoiceAgent, endedReason: string): Promise<void> {
  const end = { status: 'canceled', outcome: 'unknown', endedReason } as const
  for (const call of await context.db.query(selectWaiting, [orgId, id]))
    await moveCall(context, call, closing(call, end, context.now(), 'canceled'))
}
