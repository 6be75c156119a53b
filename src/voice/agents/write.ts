// Writes agents. Each change is written with its event, and with a copy of the new version for calls that use it.

import { sqlState } from '../../database/errors.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { type EventType, eventsOf, update } from '../../kernel/nouns/events.ts'
import type { PinnedSetup, VoiceAgent } from './agent.sql.ts'

export const agentEvents = eventsOf('agent', {
  archived: update('A voice agent was ended for good.'),
  created: 'A voice agent was added.',
  paused: update('A voice agent takes no more calls for now.'),
  provisioned: update('The provider of a voice agent knows it.'),
  provisioning_failed: update('The provider of a voice agent refused it, or did not answer.'),
  resumed: update('A paused voice agent takes calls again.'),
  secret_rotated: update('A voice agent has a new signing secret.'),
  stopped: update('A voice agent was paused and its secret replaced, because its account was taken over.'),
  updated: update('A voice agent was changed.'),
})

/** Adds an agent. Throws ALREADY_EXISTS if another agent of the provider has the number. */
export async function addAgent(context: Context, agent: VoiceAgent): Promise<VoiceAgent> {
  const { createdBy, ...row } = agent
  const data = {
    ...row,
    createdByType: createdBy.type,
    createdById: createdBy.id,
    createdByName: createdBy.name,
    versions: { create: { version: agent.version, setup: setupOf(agent), createdAt: agent.createdAt } },
  }
  await unlessTaken(agent, () => context.db.prisma.voiceAgent.create({ data }))
  await recordEvent(context, { type: agentEvents.created, entityId: agent.id, changes: { name: agent.name, provider: agent.provider } })
  return agent
}

type AgentChange = Partial<Omit<VoiceAgent, 'id' | 'orgId' | 'createdBy' | 'createdAt' | 'updatedAt'>>

/** Writes the changed properties of a locked agent; nothing if there are none. */
export async function changeAgent(
  context: Context,
  before: VoiceAgent,
  change: AgentChange,
  type: EventType = agentEvents.updated,
): Promise<VoiceAgent> {
  const fields = (Object.keys(change) as (keyof AgentChange)[]).filter(
    field => JSON.stringify(before[field]) !== JSON.stringify(change[field]),
  )
  if (fields.length === 0) return before
  const now = context.now().toISOString()
  const after: VoiceAgent = { ...before, ...change, updatedAt: now > before.updatedAt ? now : before.updatedAt }
  const { id, orgId, version, updatedAt } = after
  const { prisma } = context.db
  await unlessTaken(after, () => prisma.voiceAgent.update({ where: { id, orgId }, data: { ...change, updatedAt } }))
  if (version !== before.version)
    await prisma.voiceAgentVersion.create({ data: { agentId: id, version, setup: setupOf(after), createdAt: updatedAt } })
  const changes = Object.fromEntries(fields.map(field => [field, [before[field], change[field]]]))
  await recordEvent(context, { type, entityId: id, changes, orgId })
  return after
}

const setupOf = ({ name, instructions, firstMessage, extraction, language, voice, model, transferTo }: VoiceAgent): PinnedSetup => ({
  name,
  instructions,
  firstMessage,
  extraction,
  language,
  voice,
  model,
  transferTo,
})

async function unlessTaken({ provider, phoneNumber }: VoiceAgent, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    // The message does not show the other agent's id, because it may belong to another organization.
    throw new AppError('ALREADY_EXISTS', `Another agent of ${provider} has the number ${phoneNumber} already`, {
      field: 'phoneNumber',
      existingId: null,
      cause: error,
    })
  }
}
