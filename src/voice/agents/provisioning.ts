// Makes agents known to their providers: once when they are made, and again for every change that the provider has to know.

import { type Context, inTransaction, type Services } from '../context.ts'
import { onBehalfOf } from './acting.ts'
import { agentAt, lockedAgent, type VoiceAgent } from './agent.sql.ts'
import { secretsOf } from './agent-secret.ts'
import { changeAgent } from './agent-write.ts'
import { refusedProvider } from './paid-provider.ts'
import { type AgentSetup, ProvisioningError } from './telephony.ts'

/** The task's payload: it does nothing for an agent whose provider is up to date. */
export interface ProvisionAgent {
  orgId: string
  agentId: string
}

// 10 s: the request itself tries first; the task is for what that could not finish.
const laterMs = 10_000

/** Queues the provisioning with the change that made it necessary. */
export async function provisionLater(context: Context, { orgId, id: agentId }: VoiceAgent): Promise<void> {
  const startAfter = new Date(context.now().getTime() + laterMs)
  await context.services.tasks.enqueue('agent-provision', { orgId, agentId }, { db: context.db, startAfter })
}

/** Provisions at once, for at most `withinMs`; then the agent as it is by then. What takes longer goes on by itself. */
export async function provisionSoon(context: Context, agent: VoiceAgent, withinMs: number): Promise<VoiceAgent> {
  const { services } = context
  const running = provisionAgent(services, { orgId: agent.orgId, agentId: agent.id }, { isLast: false }).catch((error: unknown) =>
    services.log.warn({ err: error, agentId: agent.id }, 'provisioning will be tried again'),
  )
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, withinMs)
  await Promise.race([running, late])
  clearTimeout(timer)
  const current = await agentAt({ db: services.database }, agent.orgId, agent.id)
  return current ?? agent
}

/** Throws when trying again may help, unless this is the last attempt. */
export async function provisionAgent(
  services: Services,
  { orgId, agentId }: ProvisionAgent,
  { isLast }: { isLast: boolean },
): Promise<void> {
  const context = onBehalfOf(services, orgId, 'provisionAgent')
  // Changed meanwhile: the newer version is made known as well. 10 changes during one request are somebody's loop.
  for (let round = 0; round < 10; round++) {
    const agent = await agentAt({ db: services.database }, orgId, agentId)
    if (!agent || !isDue(agent)) return
    const provider = services.telephony[agent.provider]
    try {
      if (!provider) throw new ProvisioningError(`${agent.provider} is not configured on this server`, { isFinal: true })
      const refused = await refusedProvider(services, agent.provider, orgId)
      if (refused !== null) throw new ProvisioningError(refused, { isFinal: true })
      const provisioned = await provider.provision(setupFor(services, agent))
      await settle(context, agent, { ...provisioned, provisionedVersion: agent.version, statusReason: null }, 'active')
    } catch (error) {
      if (!(error instanceof ProvisioningError)) throw error
      if (!error.isFinal && !isLast) throw error
      services.log.warn({ err: error, agentId }, 'the agent could not be provisioned')
      await settle(context, agent, { statusReason: error.message }, 'failed')
      return
    }
  }
}

/** The agent as its provider is told of it. */
export function setupFor({ config, now }: Services, agent: VoiceAgent): AgentSetup {
  return { ...agent, secrets: secretsOf(config, agent, now()) }
}

const isDue = ({ status, version, provisionedVersion }: VoiceAgent) =>
  status === 'provisioning' || ((status === 'active' || status === 'paused') && provisionedVersion !== version)

// Only an agent that still waits becomes active or failed; one in use goes on with what its provider knows.
async function settle(
  context: Context,
  { orgId, id }: VoiceAgent,
  change: Partial<VoiceAgent>,
  status: 'active' | 'failed',
): Promise<void> {
  await context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const [agent] = await tx.query(lockedAgent, [orgId, id])
    if (!agent || !isDue(agent)) return
    const isCurrent = change.provisionedVersion === undefined || change.provisionedVersion === agent.version
    const waits = agent.status === 'provisioning' && isCurrent
    const type = status === 'failed' ? 'agent.provisioning_failed' : 'agent.provisioned'
    await changeAgent(inside, agent, { ...change, ...(waits && { status }) }, type)
  })
}
