// The work of a run: the model is asked, and the tools it asks for are called, until it replies. Every step is stored before the next, so
// that another worker can continue: no tool is called twice.

import type { InputJsonValue } from '../../generated/prisma/internal/prismaNamespace.ts'
import { type Context, inTransaction, type Services } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { storableJson, storableText } from '../../kernel/input/storable.ts'
import { refusalAfter } from '../charges/charge.ts'
import type { AgentRuntime, AgentTools, ModelAnswer } from '../models/runtime.ts'
import { refusalOfAsker } from './asker.ts'
import { type Claim, renew, workerContext } from './claim.ts'
import { messagesOf } from './conversation.ts'
import { historyOf, type Turn, type TurnRole, turnsOfRun } from './history.ts'
import { runEvents } from './row.ts'
import { untrustedRule, wrapUntrusted } from './untrusted.ts'

/** The services that an agent uses. */
export interface AgentPorts {
  runtime: AgentRuntime
  tools: AgentTools
}

/** The reply, and the step and tokens of the answer that it came with. */
export interface Reply {
  text: string
  step: number
  inputTokens: number
  outputTokens: number
}

/** Executes a claimed run. Throws LeaseLost, ModelError, NotAllowedAnyMore, Unaffordable, or the signal's reason. */
export async function takeTurn(services: Services, ports: AgentPorts, claim: Claim, signal: AbortSignal): Promise<Reply> {
  const { run } = claim
  const { agents } = services.config.gateway
  const context = workerContext(services, run.orgId, run.id)
  const goneBefore = await refusalOfAsker(context, run)
  if (goneBefore) throw goneBefore
  let own = await turnsOfRun(services.database, run)
  if (own.length === 0) {
    const text = run.origin === null ? run.message : wrapUntrusted(run.message, run.origin)
    own = await write(context, claim, 0, [{ role: 'user', text }])
  }
  const history = await historyOf(services.database, run, agents.historyCharacters)
  const offered = ports.tools.listFor(run.scopes)

  for (;;) {
    own = await callTools(context, ports.tools, claim, own, signal)
    const step = (own.at(-1)?.step ?? 0) + 1
    const isLast = step >= agents.maxSteps
    const answer = await ports.runtime.answer({
      model: run.model,
      system: systemPrompt(services, claim, isLast),
      messages: messagesOf(history, own),
      // No tools in the last step, so that the model must reply.
      tools: isLast ? [] : offered,
      thinking: run.thinking,
      signal,
    })
    signal.throwIfAborted()
    const refusal = (await refusalAfter(context, run, answer.inputTokens + answer.outputTokens)) ?? (await refusalOfAsker(context, run))
    if (refusal) {
      // The tokens are charged although the answer is discarded.
      await writeStep(context, claim, step, { ...answer, text: storableText(answer.text), calls: [] })
      throw refusal
    }
    const text = storableText(answer.text)
    if (answer.calls.length === 0 || isLast) return { text, step, inputTokens: answer.inputTokens, outputTokens: answer.outputTokens }
    own = [...own, ...(await writeStep(context, claim, step, { ...answer, text }))]
  }
}

function systemPrompt({ config, now }: Services, { run }: Claim, isLast: boolean): string {
  const { agents } = config.gateway
  const instructions = Object.hasOwn(agents.list, run.agentId) ? agents.list[run.agentId]?.instructions : undefined
  return [
    instructions ?? 'You are the agent of a contact-management service. Answer briefly and exactly; use the tools for facts, do not guess.',
    untrustedRule,
    `It is ${now().toISOString()}.`,
    ...(isLast ? ['There are no tools left for this turn: conclude with what you know.'] : []),
  ].join('\n\n')
}

interface NewTurn {
  role: TurnRole
  text: string
  toolCallId?: string
  toolName?: string
  toolInput?: InputJsonValue
}

/** Stores turns of the run. Throws LeaseLost. */
export async function write(context: Context, claim: Claim, step: number, turns: readonly NewTurn[]): Promise<Turn[]> {
  return context.db.transaction(async db => {
    const first = await renew(inTransaction(context, db), claim, turns.length)
    const { run } = claim
    const place = { orgId: run.orgId, sessionId: run.sessionId, runId: run.id, step, createdAt: context.now() }
    const written = await db.prisma.gatewayTurn.createManyAndReturn({
      data: turns.map((turn, index) => ({ id: newId(), ...place, seq: first + index, ...turn })),
    })
    await recordEvent(inTransaction(context, db), { type: runEvents.advanced, entityId: run.id, changes: { step, turns: turns.length } })
    return written as Turn[]
  })
}

async function writeStep(context: Context, claim: Claim, step: number, answer: ModelAnswer): Promise<Turn[]> {
  const { text, calls, inputTokens, outputTokens } = answer
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const turns = calls.map(
      ({ id, name, input }): NewTurn => ({
        role: 'tool',
        text: '',
        toolCallId: storableText(id),
        toolName: storableText(name),
        toolInput: storableJson(input ?? {}) as InputJsonValue,
      }),
    )
    const written = await write(tx, claim, step, text === '' ? turns : [{ role: 'assistant', text }, ...turns])
    await db.prisma.gatewayRun.update({
      where: { id: claim.run.id },
      data: { steps: step, inputTokens: { increment: inputTokens }, outputTokens: { increment: outputTokens } },
      select: { id: true },
    })
    return written
  })
}

// Calls the tools that have not answered yet. The idempotency key repeats a call that a worker began before it died.
async function callTools(context: Context, tools: AgentTools, claim: Claim, own: readonly Turn[], signal: AbortSignal): Promise<Turn[]> {
  const { run } = claim
  const caller = {
    runId: run.id,
    orgId: run.orgId,
    name: run.name ?? run.agentId,
    scopes: run.scopes,
    creditCeiling: Number(run.creditCeiling),
  }
  const answered: Turn[] = []
  for (const turn of own) {
    if (turn.role !== 'tool' || turn.toolOutput !== null) {
      answered.push(turn)
      continue
    }
    signal.throwIfAborted()
    const call = { id: turn.toolCallId ?? '', name: turn.toolName ?? '', input: turn.toolInput }
    const toolOutput = storableJson((await tools.call(call, caller, `${run.id}:${turn.seq}`)) ?? {})
    await context.db.transaction(async db => {
      await renew(inTransaction(context, db), claim)
      answered.push(
        (await db.prisma.gatewayTurn.update({ where: { id: turn.id }, data: { toolOutput: toolOutput as InputJsonValue } })) as Turn,
      )
      await recordEvent(inTransaction(context, db), {
        type: runEvents.advanced,
        entityId: run.id,
        changes: { step: turn.step, turns: 0 },
      })
    })
  }
  return answered
}
