// The end of a conversation: its result, and the agent's own words when no model answers.

import { ModelError } from '../../gateway/models/runtime.ts'
import type { Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { sentencesIn } from './interviewer/languages/all.ts'
import type { Conclusion, Ending, Speaker, ThinkRequest } from './thinker.ts'
import type { Answer, NewTurn } from './turn.ts'

export interface Ended {
  ending: Ending
  conclusion: Conclusion
}

/** A turn that no model wrote. */
export const ownTurn = (text: string): NewTurn => ({ role: 'agent', text, latencyMs: 0, inputTokens: 0, outputTokens: 0, model: null })

const noAnswer = new Set(['model_failed', 'out_of_credits'])

/** The answer of an agent for whom no model answers, or whose payer has no credits: it apologizes and ends, and never goes silent. */
export function apology({ log }: Pick<Services, 'log'>, { id, speaker }: { id: string; speaker: Speaker }, error: unknown): Answer {
  const isUnpaid = error instanceof AppError && error.code === 'INSUFFICIENT_CREDITS'
  const isExpected = isUnpaid || error instanceof ModelError || (error instanceof Error && error.name === 'TimeoutError')
  log[isExpected ? 'warn' : 'error']({ err: error, conversationId: id }, 'an agent could not answer')
  const reason = isUnpaid ? 'out_of_credits' : 'model_failed'
  return { turns: [ownTurn(sentencesIn(speaker.language).trouble)], ending: { outcome: 'failed', reason } }
}

/** Reads the result of a conversation. `ending`: null if the other side ended it. Never throws: what cannot be read is empty. */
export async function conclusionOf({ thinker, log }: Services, request: ThinkRequest, ending: Ending | null): Promise<Conclusion> {
  const unread = { outcome: ending?.outcome ?? 'unknown', summary: null, extracted: {}, inputTokens: 0, outputTokens: 0 } as const
  if (ending && noAnswer.has(ending.reason)) return unread
  try {
    return await thinker.conclude(request, ending)
  } catch (error) {
    log.warn({ err: error }, 'the result of a conversation could not be read')
    return unread
  }
}
