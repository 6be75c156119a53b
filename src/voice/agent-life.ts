// What becomes of an agent's waiting calls when it is resumed or archived.

import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import type { VoiceAgent } from './agent.sql.ts'
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
    const resumed = await changeAgent(inside, agent, { status: isKnown ? 'active' : 'provisioning' }, 'agent.resumed')
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
    const end = { status: 'canceled', outcome: 'unknown', endedReason: 'agent_archived' } as const
    for (const call of await inside.db.query(selectWaiting, [agent.orgId, agent.id]))
      await moveCall(inside, call, closing(call, end, context.now(), 'canceled'))
    return changeAgent(inside, agent, { status: 'archived' }, 'agent.archived')
  })
}
