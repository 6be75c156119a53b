// Writes agents: each change with its event, and with a copy of the version for the calls that will keep to it.

import type { Context } from '../context.ts'
import { sqlState } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { eventValues } from '../events.ts'
import { agentValues, changedValues, insertAgent, setupOf, updateAgentRow, type VoiceAgent } from './agent.sql.ts'

/** Adds an agent. Throws ALREADY_EXISTS where another agent of the provider has the number. */
export async function addAgent(context: Context, agent: VoiceAgent): Promise<VoiceAgent> {
  const event = { type: 'agent.created', entityId: agent.id, changes: { name: agent.name, provider: agent.provider } }
  await unlessTaken(agent, () => context.db.query(insertAgent, [...agentValues(agent), setupOf(agent), ...eventValues(context, event)]))
  context.services.outbox.announce()
  return agent
}

/** Writes what has changed of a locked agent; nothing when nothing has. */
export async function changeAgent(
  context: Context,
  before: VoiceAgent,
  change: Partial<VoiceAgent>,
  type = 'agent.updated',
): Promise<VoiceAgent> {
  const changes = Object.fromEntries(
    (Object.keys(change) as (keyof VoiceAgent)[])
      .filter(field => JSON.stringify(before[field]) !== JSON.stringify(change[field]))
      .map(field => [field, [before[field], change[field]]]),
  )
  if (Object.keys(changes).length === 0) return before
  const now = context.now().toISOString()
  const after = { ...before, ...change, updatedAt: now > before.updatedAt ? now : before.updatedAt }
  const event = { type, entityId: after.id, changes, orgId: after.orgId }
  await unlessTaken(after, () =>
    context.db.query(updateAgentRow, [after.id, ...changedValues(after), setupOf(after), ...eventValues(context, event)]),
  )
  context.services.outbox.announce()
  return after
}

async function unlessTaken({ provider, phoneNumber }: VoiceAgent, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    // Whose it is stays untold: the number may belong to another organization's agent.
    throw new AppError('ALREADY_EXISTS', `Another agent of ${provider} has the number ${phoneNumber} already`, {
      field: 'phoneNumber',
      existingId: null,
      cause: error,
    })
  }
}
