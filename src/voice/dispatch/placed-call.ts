// A call in the form that requests to its provider need: with the agent's current number and address, and the instructions of the agent's
// version at the time of the call.

import { contactAt } from '../../contacts/contact/contact.sql.ts'
import type { Queries } from '../../database/queries.ts'
import { batcherPerKey } from '../../kernel/batching/batcher-per-key.ts'
import type { Context } from '../../kernel/context.ts'
import { perObject } from '../../kernel/per-object.ts'
import { fillText, placeholdersIn } from '../agents/placeholders.ts'
import { setupFor } from '../agents/provisioning.ts'
import type { CallRecord } from '../calls/row.ts'
import { relayUrl } from '../conversations/relay/address.ts'
import { openLine } from '../conversations/relay/line.ts'
import type { AgentSetup, DialOrder, PlacedCall } from '../providers/telephony.ts'
import { selectSetup } from './dispatch.sql.ts'

async function setupAt(context: Context, { orgId, agentId, agentVersion }: CallRecord): Promise<AgentSetup> {
  const key = `${agentId} ${agentVersion}`
  const found = await setupsOf(context.services.database).send(key, { orgId, agentId, agentVersion })
  if (!found) throw new Error(`Voice agent ${agentId} has no version ${agentVersion}`)
  const [agent, { setup: pinned }] = found
  return { ...setupFor(context.services, agent), ...pinned, version: agentVersion }
}

type OfAgent = Pick<CallRecord, 'orgId' | 'agentId' | 'agentVersion'>
// Calls that are dialled together are usually of one agent, which they read once.
const setupsOf = perObject((database: Queries) =>
  batcherPerKey(async (_key: string, calls: readonly OfAgent[]) => {
    const [found] = await database.query(selectSetup, [calls[0]?.orgId, calls[0]?.agentId, calls[0]?.agentVersion])
    return calls.map(() => found)
  }),
)

export async function orderOf(context: Context, call: CallRecord): Promise<DialOrder> {
  const { id: callId, toNumber, contactId, variables, metadata, maxDurationSeconds, ringTimeoutSeconds, record, voicemail } = call
  const { agent, message } = await textsOf(context, call, await setupAt(context, call))
  const order: DialOrder = {
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
    voicemail: { ...voicemail, message },
    relayUrl: null,
  }
  // Without a server of its own, the agent talks through this one.
  const talksHere = context.services.telephony[call.provider]?.relay !== undefined && agent.dispatchUrl === null
  return talksHere ? { ...order, relayUrl: relayUrl(context.services.config, await openLine(context, order)) } : order
}

/** The agent with the placeholders of its texts filled, and the voicemail's message. The contact is read only if a text has a placeholder. */
async function textsOf(context: Context, call: CallRecord, agent: AgentSetup) {
  const {
    variables,
    voicemail: { message },
  } = call
  const { instructions, firstMessage } = agent
  if (placeholdersIn(instructions, firstMessage, message).length === 0) return { agent, message }
  const contact = await contactOf(context, call)
  const filled = (text: string | null) => text && fillText(text, variables, contact)
  return { agent: { ...agent, instructions: filled(instructions), firstMessage: filled(firstMessage) }, message: filled(message) }
}

/** A text of the call with its placeholders filled. */
export async function filledText(context: Context, call: CallRecord, text: string): Promise<string> {
  return placeholdersIn(text).length === 0 ? text : fillText(text, call.variables, await contactOf(context, call))
}

const contactOf = async (context: Context, { orgId, contactId }: CallRecord) =>
  contactId === null ? null : ((await contactAt(context, orgId, contactId)) ?? null)

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
