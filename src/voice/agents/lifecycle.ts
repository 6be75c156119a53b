// The agent lifecycle, where it affects waiting calls: resuming, archiving, and stopping agents of an account that was taken over.

import { type Context, inTransaction } from '../../kernel/context.ts'
import { waitingCalls } from '../calls/call.sql.ts'
import { closing, dispatch } from '../dispatch/dispatch.ts'
import { systemContext } from '../system-context.ts'
import { applyTransition } from '../transitions/transition.ts'
import { lockedAgent, type VoiceAgent } from './agent.sql.ts'
import { changing, unfit } from './agent.ts'
import { agentEvents, changeAgent } from './write.ts'

/** Lets a paused agent place calls again, waiting ones first. */
export function resumeAgent(context: Context, id: string): Promise<VoiceAgent> {
  return changing(context, id, async (inside, agent) => {
    if (agent.status === 'active' || agent.status === 'provisioning') return agent
    if (agent.status !== 'paused') throw unfit(agent, 'only a paused agent can be resumed')
    // An agent that was never provisioned must be provisioned before it can call.
    const isKnown = agent.provisionedVersion !== null
    const resumed = await changeAgent(
      inside,
      agent,
      { status: isKnown ? 'active' : 'provisioning', statusReason: null },
      agentEvents.resumed,
    )
    await inside.db.afterCommit(() => void dispatch(context.services, agent.orgId))
    return resumed
  })
}

/** Archives an agent permanently. Its waiting calls are canceled, calls in progress continue, and its number becomes free. */
export function archiveAgent(context: Context, id: string): Promise<VoiceAgent> {
  return changing(context, id, async (inside, agent) => {
    if (agent.status === 'archived') return agent
    await cancelWaiting(inside, agent, 'agent_archived')
    return changeAgent(inside, agent, { status: 'archived' }, agentEvents.archived)
  })
}

const stopReason =
  'Stopped, because it was made before the address of its owner was verified: check its instructions, phone_number and dispatch_url, ' +
  'fetch its new signing secret, and resume it'

/**
 * Pauses all agents of the organizations, in the context's transaction: waiting calls are canceled, and the signing secrets are replaced
 * without an overlap.
 */
export async function stopAgents(context: Context, orgIds: readonly string[]): Promise<void> {
  for (const orgId of orgIds) {
    const inside = inTransaction(systemContext(context.services, orgId, 'stopAgents'), context.db)
    const where = { orgId, status: { not: 'archived' } }
    for (const { id } of await inside.db.prisma.voiceAgent.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })) {
      const [agent] = await inside.db.query(lockedAgent, [orgId, id])
      if (!agent || agent.status === 'archived') continue
      await cancelWaiting(inside, agent, 'agent_stopped')
      const isInUse = agent.status === 'active' || agent.status === 'provisioning' || agent.status === 'paused'
      const stopped = isInUse ? ({ status: 'paused', statusReason: stopReason } as const) : {}
      await changeAgent(inside, agent, { ...stopped, secretVersion: agent.secretVersion + 1, secretRotatedAt: null }, agentEvents.stopped)
    }
  }
}

async function cancelWaiting(context: Context, { orgId, id }: VoiceAgent, endedReason: string): Promise<void> {
  const end = { status: 'canceled', outcome: 'unknown', endedReason } as const
  for (const call of await context.db.query(waitingCalls, [orgId, id]))
    await applyTransition(context, call, closing(call, end, context.now(), 'canceled'))
}
