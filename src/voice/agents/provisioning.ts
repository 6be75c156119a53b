// Provisioning: sends agents to their providers, after their creation and after each change.

import { type Context, inTransaction, type Services } from '../../kernel/context.ts'
import { storableJson, storableText } from '../../kernel/input/storable.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { refusalOfProvider } from '../providers/paid.ts'
import { type AgentSetup, type Provisioned, ProvisioningError } from '../providers/telephony.ts'
import { systemContext } from '../system-context.ts'
import { endsWithin } from '../time-limit.ts'
import { agentAt, lockedAgent, type VoiceAgent } from './agent.sql.ts'
import { secretsOf } from './secret.ts'
import { agentEvents, changeAgent } from './write.ts'

interface ProvisionAgent {
  orgId: string
  agentId: string
}

/** Sends a new or changed agent to its provider. Does nothing if the provider already has the current version. */
const provisionItem = queueItem<ProvisionAgent>('agent-provision', {
  retryLimit: 5,
  retryDelaySeconds: 10,
  timeoutSeconds: 60,
  concurrency: 2,
})

// 10 s: the request provisions the agent itself; the queue item is needed only if the request has not finished.
const laterMs = 10_000

/** Queues the provisioning in the transaction of the change. */
export async function provisionLater(context: Context, { orgId, id: agentId }: VoiceAgent): Promise<void> {
  const startAfter = new Date(context.now().getTime() + laterMs)
  await context.services.queue.enqueue(provisionItem, { orgId, agentId }, { db: context.db, startAfter })
}

/** Provisions now, and resolves with the agent after at most `withinMs`. A slower provider finishes afterwards. */
export async function provisionSoon(context: Context, agent: VoiceAgent, withinMs: number): Promise<VoiceAgent> {
  const { services } = context
  // A dry run calls no provider.
  if (context.dryRun) return agent
  const running = provisionAgent(services, { orgId: agent.orgId, agentId: agent.id }, { isLast: false }).catch((error: unknown) =>
    services.log.warn({ err: error, agentId: agent.id }, 'provisioning failed; the queue will retry'),
  )
  await endsWithin(withinMs, running)
  const current = await agentAt({ db: services.database }, agent.orgId, agent.id)
  return current ?? agent
}

/** Provisions the agent. Throws if another attempt may succeed, unless `isLast`. */
export async function provisionAgent(
  services: Services,
  { orgId, agentId }: ProvisionAgent,
  { isLast }: { isLast: boolean },
): Promise<void> {
  const context = systemContext(services, orgId, 'provisionAgent')
  // Repeated if the agent has changed meanwhile, at most 10 times, because a client might change it continuously.
  for (let round = 0; round < 10; round++) {
    const agent = await agentAt({ db: services.database }, orgId, agentId)
    if (!agent || !isDue(agent)) return
    const provider = services.telephony[agent.provider]
    try {
      if (!provider) throw new ProvisioningError(`${agent.provider} is not configured on this server`, { isFinal: true })
      const refused = await refusalOfProvider(services, agent.provider, orgId)
      if (refused !== null) throw new ProvisioningError(refused, { isFinal: true })
      const provisioned = storableJson(await provider.provision(setupFor(services, agent))) as Provisioned
      await settle(context, agent, { ...provisioned, provisionedVersion: agent.version, statusReason: null }, 'active')
    } catch (error) {
      if (!(error instanceof ProvisioningError)) throw error
      const reason = { statusReason: storableText(error.message, { maxLength: 1000 }) }
      // Says why it takes long: the attempts go on for minutes.
      if (!error.isFinal && !isLast) {
        await settle(context, agent, reason, 'provisioning')
        throw error
      }
      services.log.warn({ err: error, agentId }, 'the agent could not be provisioned')
      await settle(context, agent, reason, 'failed')
      return
    }
  }
}

/** Fails an agent that waits for its provider, because its queue item was given up. */
async function failProvisioning(services: Services, { orgId, agentId }: ProvisionAgent, reason: string): Promise<void> {
  const agent = await agentAt({ db: services.database }, orgId, agentId)
  const statusReason = `Provisioning was given up: ${reason}`
  if (agent && isDue(agent)) await settle(systemContext(services, orgId, 'provisionAgent'), agent, { statusReason }, 'failed')
}

export const provisionHandler = handlerOf(
  provisionItem,
  (services, { payload, isLast }) => provisionAgent(services, payload, { isLast }),
  failProvisioning,
)

/** The agent in the form that its provider receives. */
export function setupFor({ config, now }: Services, agent: VoiceAgent): AgentSetup {
  return { ...agent, secrets: secretsOf(config, agent, now()) }
}

const isDue = ({ status, version, provisionedVersion }: VoiceAgent) =>
  status === 'provisioning' || ((status === 'active' || status === 'paused') && provisionedVersion !== version)

const settledBy = {
  active: agentEvents.provisioned,
  failed: agentEvents.provisioning_failed,
  provisioning: agentEvents.updated,
} as const satisfies Partial<Record<VoiceAgent['status'], EventType>>

// Only an agent in the status `provisioning` becomes active or failed. An active agent keeps calling with the version that its provider
// has.
async function settle(
  context: Context,
  { orgId, id }: VoiceAgent,
  change: Partial<VoiceAgent>,
  status: keyof typeof settledBy,
): Promise<void> {
  await context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const [agent] = await tx.query(lockedAgent, [orgId, id])
    if (!agent || !isDue(agent)) return
    const isCurrent = change.provisionedVersion === undefined || change.provisionedVersion === agent.version
    const waits = agent.status === 'provisioning' && isCurrent
    await changeAgent(inside, agent, { ...change, ...(waits && { status }) }, settledBy[status])
  })
}
