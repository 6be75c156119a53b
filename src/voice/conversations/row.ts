// Conversations as they are stored, and their events.

import type { Conversation as Row, ConversationTurn as TurnRow } from '../../generated/prisma/client.ts'
import type { InputJsonValue } from '../../generated/prisma/internal/prismaNamespace.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import type { CallOutcome } from '../providers/telephony.ts'
import type { PastTurn, Speaker } from './thinker.ts'
import type { NewTurn } from './turn.ts'

export const conversationEvents = eventsOf('conversation', {
  answered: 'The agent of a conversation has said something, or called tools.',
  ended: 'A conversation is over.',
  started: 'Somebody began to talk with an agent in writing.',
})

export type ConversationStatus = 'active' | 'ended'

export interface Conversation extends Omit<Row, 'speaker' | 'status' | 'outcome' | 'extracted'> {
  speaker: Speaker
  status: ConversationStatus
  outcome: CallOutcome | null
  extracted: Record<string, unknown>
}

// `as`: only this folder writes the columns.
export const asConversation = (row: Row): Conversation => ({
  ...row,
  speaker: row.speaker as unknown as Speaker,
  status: row.status as ConversationStatus,
  outcome: row.outcome as CallOutcome | null,
  extracted: row.extracted as Record<string, unknown>,
})

export type ConversationTurn = Omit<TurnRow, 'role'> & { role: PastTurn['role'] }

// `as`: only this folder writes the column.
export const asTurn = (row: TurnRow): ConversationTurn => ({ ...row, role: row.role as PastTurn['role'] })

/** A stored turn as thinkers read it. */
export const pastTurn = ({ role, text, memory, toolCallId, toolName, toolInput, toolOutput }: ConversationTurn): PastTurn => ({
  role,
  text,
  ...(memory !== null && { memory }),
  ...(role === 'tool' && { tool: { id: toolCallId ?? '', name: toolName ?? '', input: toolInput, output: toolOutput } }),
})

/** The columns of a turn. */
export const turnColumns = (turn: NewTurn | { role: 'user'; text: string }) => {
  if (turn.role === 'user') return { role: turn.role, text: turn.text }
  const { role, text, tool, memory, latencyMs, wasInterrupted, inputTokens, outputTokens, model } = turn as NewTurn
  return {
    ...{ role, text, latencyMs, inputTokens, outputTokens, model },
    ...(wasInterrupted && { wasInterrupted }),
    ...(memory !== undefined && { memory: memory as InputJsonValue }),
    ...(tool && {
      toolCallId: tool.id,
      toolName: tool.name,
      toolInput: tool.input as InputJsonValue,
      toolOutput: tool.output as InputJsonValue,
    }),
  }
}
