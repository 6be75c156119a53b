// Conversations in writing: a person tries an agent, turn by turn. No phone rings, and no contact or statistic knows of it.
//
// The rows are the history: each answer is stored before it is shown, and any process can make the next one.

import type { InputJsonValue } from '../../generated/prisma/internal/prismaNamespace.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { inTwoSteps } from '../../kernel/idempotency/idempotency.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { at, Invalid, problem, valueError } from '../../kernel/input/problem.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { agentAt, type VoiceAgent } from '../agents/agent.sql.ts'
import { unfit } from '../agents/agent.ts'
import { fillText } from '../agents/placeholders.ts'
import { liveContacts } from '../calls/call.sql.ts'
import { trialVariables } from '../calls/trial-values.ts'
import { data } from '../fields.ts'
import { concludeIn, makeAnswer } from './answer.ts'
import { turnsOfConversation } from './history.ts'
import { maxSaid, maxTurns, turnMs } from './limits.ts'
import { speakingModels } from './models.ts'
import { reserveAnswer } from './price.ts'
import { asConversation, type Conversation, conversationEvents, pastTurn } from './row.ts'
import type { Speaker } from './thinker.ts'

export interface NewConversation {
  voiceAgentId: string
  /** Fills the placeholders of the agent's texts. Default: a sample person. */
  contactId?: string | null | undefined
  /** Values of placeholders, as for a call. */
  variables?: Record<string, unknown> | null | undefined
}

/** Begins a conversation: the agent greets. Throws INVALID, CONFLICT for an archived agent, and INSUFFICIENT_CREDITS. */
export function startConversation(context: Context, input: NewConversation): Promise<Conversation> {
  const orgId = organizationOf(context)
  return inTwoSteps(
    context,
    async inside => {
      const agent = await agentFor(inside, input)
      const speaker = await speakerOf(inside, agent, input)
      const id = newId()
      const now = inside.now()
      const row = await inside.db.prisma.conversation.create({
        data: {
          ...{ id, orgId, agentId: agent.id, agentVersion: agent.version },
          speaker: speaker as unknown as InputJsonValue,
          holdId: await reserveAnswer(inside, id, speaker, []),
          claimedUntil: new Date(now.getTime() + turnMs),
          ...createdByColumns(actorOf(inside.principal)),
          createdAt: now,
        },
      })
      await recordEvent(inside, { type: conversationEvents.started, entityId: id, changes: { agentId: agent.id } })
      return asConversation(row)
    },
    makeAnswer,
    turnMs,
  )
}

async function agentFor(context: Context, { voiceAgentId }: NewConversation): Promise<VoiceAgent> {
  const agent = isId(voiceAgentId) ? await agentAt(context, organizationOf(context), voiceAgentId.toLowerCase()) : undefined
  if (!agent) throw invalid(valueError('voiceAgentId', 'there is no voice agent with this id', voiceAgentId))
  if (agent.status === 'archived') throw unfit(agent, 'nobody can talk with it')
  return agent
}

async function speakerOf(context: Context, agent: VoiceAgent, { contactId, variables }: NewConversation): Promise<Speaker> {
  const given = data(variables ?? {})
  if (given instanceof Invalid) throw invalid(at('variables', given))
  const contact = contactId == null ? null : await contactNamed(context, contactId)
  const values = await trialVariables(context, agent, { variables: given, voicemailMessage: null }, contact)
  const filled = (text: string | null) => text && fillText(text, values, null)
  const { name, extraction, language } = agent
  return {
    ...{ name, extraction, language },
    instructions: filled(agent.instructions),
    firstMessage: filled(agent.firstMessage),
    models: speakingModels(context.services.config, agent.model),
    transferTo: agent.transferTo,
  }
}

async function contactNamed(context: Context, id: string): Promise<string> {
  const [found] = isId(id) ? await context.db.query(liveContacts, [organizationOf(context), [id]]) : []
  if (!found) throw invalid(valueError('contactId', 'there is no contact with this id', id))
  return found.id
}

/** Says something to the agent, and resolves when it has answered. Throws CONFLICT when the conversation is over, or the agent still answers. */
export async function sayInConversation(context: Context, { id, text }: { id: string; text: string }): Promise<Conversation> {
  const said = storableText(text).trim()
  if (said === '') throw invalid(problem('text', 'string_too_short', text, { min_length: 1 }))
  if (said.length > maxSaid) throw invalid(problem('text', 'string_too_long', null, { max_length: maxSaid }))
  return inTwoSteps(
    context,
    async inside => {
      const conversation = await claim(inside, id)
      if (conversation.turnCount >= maxTurns)
        throw new AppError('CONFLICT', `A conversation has at most ${maxTurns} turns: end it, and begin another`)
      const seq = conversation.turnCount + 1
      const turns = [...(await turnsOfConversation(inside, id)).map(pastTurn), { role: 'user' as const, text: said }]
      const holdId = await reserveAnswer(inside, id, conversation.speaker, turns)
      await inside.db.prisma.conversationTurn.create({
        data: { conversationId: conversation.id, seq, orgId: conversation.orgId, role: 'user', text: said, createdAt: inside.now() },
      })
      const row = await inside.db.prisma.conversation.update({ where: { id: conversation.id }, data: { turnCount: seq, holdId } })
      await recordEvent(inside, { type: conversationEvents.answered, entityId: conversation.id, changes: { turns: seq } })
      return asConversation(row)
    },
    makeAnswer,
    turnMs,
  )
}

/** Ends a conversation, and reads its result from the history. Ending one that is over changes nothing. */
export async function endConversation(context: Context, id: string): Promise<Conversation> {
  return inTwoSteps(
    context,
    async inside => {
      const conversation = await getConversation(inside, id)
      if (conversation.status === 'ended') return conversation
      const claimed = await claim(inside, id)
      const turns = (await turnsOfConversation(inside, claimed.id)).map(pastTurn)
      const holdId = await reserveAnswer(inside, claimed.id, claimed.speaker, turns)
      return asConversation(await inside.db.prisma.conversation.update({ where: { id: claimed.id }, data: { holdId } }))
    },
    async (outside, conversation) => (conversation.status === 'ended' ? conversation : concludeIn(outside, conversation)),
    turnMs,
  )
}

/** Claims the next turn. Throws NOT_FOUND, or CONFLICT. */
async function claim(context: Context, id: string): Promise<Conversation> {
  const conversation = await getConversation(context, id)
  if (conversation.status === 'ended') throw new AppError('CONFLICT', 'The conversation is over: begin another')
  const now = context.now()
  const free = [{ claimedUntil: null }, { claimedUntil: { lt: now } }]
  const claimed = await context.db.prisma.conversation.updateManyAndReturn({
    where: { id: conversation.id, status: 'active', OR: free },
    data: { claimedUntil: new Date(now.getTime() + turnMs) },
  })
  const [row] = claimed
  if (!row) throw new AppError('CONFLICT', 'The agent is still answering: wait for its answer, then go on', { retryAfter: 1 })
  return asConversation(row)
}

/** Throws NOT_FOUND. */
export async function getConversation(context: Context, id: string): Promise<Conversation> {
  const orgId = organizationOf(context)
  const row = isId(id) ? await context.db.prisma.conversation.findFirst({ where: { id, orgId } }) : null
  if (!row) throw notFound('conversation', id)
  return asConversation(row)
}

export async function loadConversations(context: Context, ids: readonly string[]): Promise<(Conversation | null)[]> {
  const rows = await context.db.prisma.conversation.findMany({ where: { orgId: organizationOf(context), id: { in: [...ids] } } })
  return inOrder(ids, rows.map(asConversation), ({ id }) => id)
}
