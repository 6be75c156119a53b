// The second step of a turn, after the other side's words are stored: the agent answers, and its answer is stored.

import { ModelError, type ToolCall } from '../../gateway/models/runtime.ts'
import type { InputJsonValue } from '../../generated/prisma/internal/prismaNamespace.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { turnsOfConversation } from './history.ts'
import { sentencesIn } from './interviewer/languages/all.ts'
import { chargeAnswer } from './price.ts'
import { asConversation, type Conversation, conversationEvents, pastTurn, turnColumns } from './row.ts'
import type { Conclusion, Ending, PastTurn, ThinkRequest } from './thinker.ts'
import { answer, type NewTurn } from './turn.ts'

/** The longest that an answer, with its tools and the conclusion, may take. */
export const turnMs = 60_000
// The last ten seconds are for storing it.
const answerMs = 50_000

/** Makes the agent's answer, and stores it. */
export async function makeAnswer(context: Context, conversation: Conversation): Promise<Conversation> {
  const turns = (await turnsOfConversation(context, conversation.id)).map(pastTurn)
  const signal = AbortSignal.timeout(answerMs)
  const { speaker } = conversation
  const { thinker } = context.services
  const made = await answer({
    ...{ thinker, speaker, turns, signal },
    tools: [],
    callTool: noTool,
    say: () => {},
    now: context.now,
  }).catch((error: unknown) => apology(context, conversation, error))
  const asked = { speaker, turns: [...turns, ...made.turns], tools: [], now: context.now(), signal }
  const { ending } = made
  const conclusion = ending && (ending.reason === modelFailed ? unread(ending) : await conclusionOf(context, asked, ending))
  return store(context, conversation, made.turns, ending, conclusion)
}

/** Ends a conversation that the other side leaves. */
export async function concludeIn(context: Context, conversation: Conversation): Promise<Conversation> {
  const { speaker } = conversation
  const turns = (await turnsOfConversation(context, conversation.id)).map(pastTurn)
  const signal = AbortSignal.timeout(answerMs)
  const conclusion = await conclusionOf(context, { speaker, turns, tools: [], now: context.now(), signal }, null)
  return store(context, conversation, [], { outcome: conclusion.outcome, reason: 'user_hung_up' }, conclusion)
}

const noTool = ({ name }: ToolCall) => Promise.resolve({ error: { code: 'NOT_FOUND', message: `There is no tool named ${name}` } })

const modelFailed = 'model_failed'

/** The agent's own words when no model answers: it never goes silent. */
function apology({ services }: Context, { id, speaker }: Conversation, error: unknown): { turns: NewTurn[]; ending: Ending } {
  const isExpected = error instanceof ModelError || (error instanceof Error && error.name === 'TimeoutError')
  services.log[isExpected ? 'warn' : 'error']({ err: error, conversationId: id }, 'an agent could not answer')
  const text = sentencesIn(speaker.language).trouble
  const turn: NewTurn = { role: 'agent', text, latencyMs: 0, inputTokens: 0, outputTokens: 0, model: null }
  return { turns: [turn], ending: { outcome: 'failed', reason: modelFailed } }
}

async function conclusionOf({ services }: Context, request: ThinkRequest, ending: Ending | null): Promise<Conclusion> {
  try {
    return await services.thinker.conclude(request, ending)
  } catch (error) {
    services.log.warn({ err: error }, 'the result of a conversation could not be read')
    return unread(ending)
  }
}

const unread = (ending: Ending | null): Conclusion => ({
  ...{ outcome: ending?.outcome ?? 'unknown', summary: null, extracted: {}, inputTokens: 0, outputTokens: 0 },
})

async function store(
  context: Context,
  conversation: Conversation,
  turns: readonly (NewTurn & PastTurn)[],
  ending: Ending | null,
  conclusion: Conclusion | null,
): Promise<Conversation> {
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const { id, orgId, turnCount, holdId } = conversation
    const createdAt = context.now()
    await db.prisma.conversationTurn.createMany({
      data: turns.map((turn, index) => ({ conversationId: id, orgId, createdAt, seq: turnCount + 1 + index, ...turnColumns(turn) })),
    })
    const of = (kind: 'inputTokens' | 'outputTokens') => turns.reduce((total, turn) => total + turn[kind], conclusion?.[kind] ?? 0)
    const inputTokens = of('inputTokens')
    const outputTokens = of('outputTokens')
    const charged = await chargeAnswer(tx, holdId, inputTokens + outputTokens)
    const row = await db.prisma.conversation.update({
      where: { id },
      data: {
        turnCount: turnCount + turns.length,
        inputTokens: { increment: inputTokens },
        outputTokens: { increment: outputTokens },
        creditsCharged: { increment: charged },
        ...{ holdId: null, claimedUntil: null },
        ...(ending &&
          conclusion && {
            ...{
              status: 'ended',
              endedAt: createdAt,
              endedReason: ending.reason,
              outcome: conclusion.outcome,
              summary: conclusion.summary,
            },
            extracted: conclusion.extracted as InputJsonValue,
          }),
      },
    })
    const type = ending ? conversationEvents.ended : conversationEvents.answered
    await recordEvent(tx, { type, entityId: id, changes: { turns: row.turnCount, ...(ending && { outcome: row.outcome }) } })
    return asConversation(row)
  })
}
