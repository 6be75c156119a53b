// The second step of a turn in writing, after the other side's words are stored: the agent answers, and its answer is stored.

import type { Context } from '../../kernel/context.ts'
import { apology, conclusionOf } from './conclusion.ts'
import { turnsOfConversation } from './history.ts'
import { answerMs } from './limits.ts'
import { calling, toolsOf } from './own-tools.ts'
import { type Conversation, pastTurn } from './row.ts'
import { storeTurns } from './store.ts'
import { answer } from './turn.ts'

/** Makes the agent's answer, and stores it. */
export async function makeAnswer(context: Context, conversation: Conversation): Promise<Conversation> {
  const turns = (await turnsOfConversation(context, conversation.id)).map(pastTurn)
  const signal = AbortSignal.timeout(answerMs)
  const { services, now } = context
  const { speaker } = conversation
  const made = await answer({
    ...{ thinker: services.thinker, speaker, turns, signal, now },
    tools: toolsOf(speaker),
    callTool: calling(speaker, {}),
    say: () => {},
  }).catch((error: unknown) => apology(services, conversation, error))
  const asked = { speaker, turns: [...turns, ...made.turns], tools: [], now: now(), signal }
  const ended = made.ending && { ending: made.ending, conclusion: await conclusionOf(services, asked, made.ending) }
  return (await storeTurns(context, conversation, { turns: made.turns, ended })).conversation
}

/** Ends a conversation that the other side leaves. */
export async function concludeIn(context: Context, conversation: Conversation): Promise<Conversation> {
  const { speaker } = conversation
  const turns = (await turnsOfConversation(context, conversation.id)).map(pastTurn)
  const asked = { speaker, turns, tools: [], now: context.now(), signal: AbortSignal.timeout(answerMs) }
  const conclusion = await conclusionOf(context.services, asked, null)
  const ending = { outcome: conclusion.outcome, reason: 'user_hung_up' }
  return (await storeTurns(context, conversation, { turns: [], ended: { ending, conclusion } })).conversation
}
