// The price of the tokens of a conversation: reserved before an answer is made, charged when it is stored.

import type { Config } from '../../config/environment.ts'
import type { Context } from '../../kernel/context.ts'
import { roundToMicro } from '../../kernel/money.ts'
import { maxAnswerTokens, maxConclusionTokens } from './model-thinker.ts'
import type { PastTurn, Speaker } from './thinker.ts'
import { maxSteps } from './turn.ts'

const costOf = ({ gateway }: Config, tokens: number): number =>
  Math.ceil((tokens * roundToMicro(gateway.agents.pricePerThousandTokens)) / 1000)

// Two: scripts other than Latin take more tokens than characters of English, which take four.
const charactersPerToken = 2
// Instructions of every conversation, and the descriptions of its own tools.
const fixedTokens = 1500
// An hour: longer than any answer takes.
const heldMs = 3_600_000

/**
 * Reserves the most that an answer and the conclusion after it may cost. Null when it is free: without models, or without a price. Throws
 * INSUFFICIENT_CREDITS.
 */
export async function reserveAnswer(context: Context, id: string, speaker: Speaker, turns: readonly PastTurn[]): Promise<string | null> {
  const { config, money } = context.services
  if (speaker.models.length === 0 || config.gateway.agents.pricePerThousandTokens === 0) return null
  const characters = JSON.stringify([speaker, turns]).length
  const input = Math.ceil(characters / charactersPerToken) + fixedTokens
  const tokens = (input + maxAnswerTokens) * maxSteps + input + maxConclusionTokens
  const userId = await money.payerOf(context)
  const expiresAt = new Date(context.now().getTime() + heldMs)
  const amountMicro = BigInt(costOf(config, tokens))
  const held = await money.reserve(context, { userId, amountMicro, reference: `conversation:${id}:${turns.length}`, expiresAt })
  return held?.holdId ?? null
}

/** Charges the tokens of an answer, at most the reserved amount. Resolves with the micro-credits. */
export async function chargeAnswer(context: Context, holdId: string | null, tokens: number): Promise<bigint> {
  if (holdId === null) return 0n
  const { config, money } = context.services
  const { chargedMicro } = await money.settle(context, holdId, BigInt(costOf(config, tokens)))
  return chargedMicro
}
