// Copies the turns of a conversation to its call, as the transcript, and at the end the result.

import type { Context } from '../../../kernel/context.ts'
import { changeCall } from '../../dispatch/dispatch.ts'
import { transitionAfter } from '../../events/news.ts'
import type { CallNews, TranscriptLine } from '../../providers/telephony.ts'
import type { Conversation, ConversationTurn } from '../row.ts'

/** `turns`: all turns of the conversation. */
export async function tellCall(context: Context, conversation: Conversation, turns: readonly ConversationTurn[]): Promise<void> {
  const { callId, status, outcome, summary, extracted, endedReason } = conversation
  if (callId === null) return
  const transcript = linesOf(turns)
  const news: CallNews = {
    transcript,
    ...(status === 'ended' && {
      ...{ outcome: outcome ?? undefined, summary: summary ?? undefined, endedReason: endedReason ?? undefined },
      extracted,
    }),
  }
  await changeCall(context, callId, { decide: (call, inside) => transitionAfter(inside, call, news) })
}

function linesOf(turns: readonly ConversationTurn[]): TranscriptLine[] {
  const begun = turns[0]?.createdAt.getTime() ?? 0
  return turns.flatMap(({ role, text, toolName, createdAt }, index): TranscriptLine[] => {
    const words = role === 'tool' ? (toolName ?? '') : text
    return words === '' ? [] : [{ seq: index + 1, role, text: words, startMs: createdAt.getTime() - begun, endMs: null }]
  })
}
