// Stores the turns of a conversation, and its end.

import type { InputJsonValue } from '../../generated/prisma/internal/prismaNamespace.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import type { Ended } from './conclusion.ts'
import { chargeAnswer } from './price.ts'
import { asConversation, asTurn, type Conversation, type ConversationTurn, conversationEvents, turnColumns } from './row.ts'
import type { NewTurn } from './turn.ts'

export interface NewTurns {
  turns: readonly (NewTurn | { role: 'user'; text: string })[]
  ended: Ended | null
  /** Whether the next turn is free. Default: true. */
  isReleased?: boolean
}

export interface Stored {
  conversation: Conversation
  /** The appended turns. */
  stored: ConversationTurn[]
}

/** Another process has continued the conversation. */
export class ClaimLost extends Error {}

/**
 * Appends turns, and charges the tokens of the answer to its reservation. The conversation is as it was when this process claimed it. Throws
 * ClaimLost, and then stores nothing.
 */
export async function storeTurns(
  context: Context,
  { id, orgId, turnCount, holdId, claimId }: Conversation,
  { turns, ended, isReleased = true }: NewTurns,
): Promise<Stored> {
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const createdAt = context.now()
    const of = (kind: 'inputTokens' | 'outputTokens') =>
      turns.reduce((total, turn) => total + (kind in turn ? (turn as NewTurn)[kind] : 0), ended?.conclusion[kind] ?? 0)
    const inputTokens = of('inputTokens')
    const outputTokens = of('outputTokens')
    const charged = isReleased ? await chargeAnswer(tx, holdId, inputTokens + outputTokens) : 0n
    const [row] = await db.prisma.conversation.updateManyAndReturn({
      where: { id, claimId, turnCount, status: 'active' },
      data: {
        turnCount: turnCount + turns.length,
        inputTokens: { increment: inputTokens },
        outputTokens: { increment: outputTokens },
        creditsCharged: { increment: charged },
        ...(isReleased && { holdId: null, ...(claimId === null && { claimedUntil: null }) }),
        ...(ended && {
          status: 'ended',
          endedAt: createdAt,
          endedReason: ended.ending.reason,
          transferTo: ended.ending.transferTo ?? null,
          outcome: ended.conclusion.outcome,
          summary: ended.conclusion.summary,
          extracted: ended.conclusion.extracted as InputJsonValue,
        }),
      },
    })
    if (!row) throw new ClaimLost('Another process has continued the conversation')
    const rows = await db.prisma.conversationTurn.createManyAndReturn({
      data: turns.map((turn, index) => ({ conversationId: id, orgId, createdAt, seq: turnCount + 1 + index, ...turnColumns(turn) })),
    })
    const type = ended ? conversationEvents.ended : conversationEvents.answered
    await recordEvent(tx, { type, entityId: id, changes: { turns: row.turnCount, ...(ended && { outcome: row.outcome }) } })
    return { conversation: asConversation(row), stored: rows.map(asTurn) }
  })
}
