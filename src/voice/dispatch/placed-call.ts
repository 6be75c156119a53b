// A call as its provider is asked about it: with the agent as it is reached now, saying what it said when the call was made.

import type { Context } from '../context.ts'
import { type Statement, statement } from '../database/client.ts'
import { agentColumns, agentRow, type PinnedSetup, type VoiceAgent } from './agent.sql.ts'
import type { CallRecord } from './call-row.ts'
import { setupFor } from './provisioning.ts'
import type { AgentSetup, DialOrder, PlacedCall } from './telephony.ts'

const selectSetup: Statement<{ agent: VoiceAgent; pinned: PinnedSetup }> = statement(
  'voice_agent_setup',
  `select ${agentColumns.map(column => `a.${column}`)}, v.setup from voice_agents a
   join voice_agent_versions v on v.agent_id = a.id and v.version = $3 where a.org_id = $1 and a.id = $2`,
  columns => ({ agent: agentRow(columns), pinned: columns[agentColumns.length] as unknown as PinnedSetup }),
)

async function setupAt(context: Context, { orgId, agentId, agentVersion }: CallRecord): Promise<AgentSetup> {
  const [found] = await context.services.database.query(selectSetup, [orgId, agentId, agentVersion])
  if (!found) throw new Error(`Voice agent ${agentId} has no version ${agentVersion}`)
  return { ...setupFor(context.services, found.agent), ...found.pinned, version: agentVersion }
}

export async function orderOf(context: Context, call: CallRecord): Promise<DialOrder> {
  const { id: callId, toNumber, contactId, variables, metadata, maxDurationSeconds, ringTimeoutSeconds, record, voicemail } = call
  const agent = await setupAt(context, call)
  return {
    callId,
    agent,
    toNumber,
    fromNumber: call.fromNumber ?? agent.phoneNumber,
    contactId,
    variables,
    metadata,
    maxDurationSeconds,
    ringTimeoutSeconds,
    record,
    voicemail,
  }
}

export async function placedCall(context: Context, call: CallRecord): Promise<PlacedCall> {
  const agent = await setupAt(context, call)
  return {
    callId: call.id,
    providerCallId: call.providerCallId,
    agent,
    toNumber: call.toNumber,
    fromNumber: call.fromNumber ?? agent.phoneNumber,
    dialledAt: new Date(call.claimedAt ?? call.createdAt),
    answered: call.answeredAt !== null,
  }
}
