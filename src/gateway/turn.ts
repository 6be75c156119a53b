// A turn of an agent, from what it is given to its reply. Every step is written down as it is taken, so that a worker that takes over
// goes on where the last one stopped: no tool is called twice, and no event is seen by two turns.

import { v7 as uuid } from 'uuid'
import { type Context, inTransaction, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import type { AgentRuntime, AgentTools, ModelAnswer } from './agent-runtime.ts'
import { refusalAfter } from './charge.ts'
import { type Claim, hold, workingOn } from './claim.ts'
import { messagesOf } from './conversation.ts'
import { answerTool, insertTurns, selectHistory, selectOwnTurns, type Turn, type TurnRole } from './turn.sql.ts'
import { untrustedRule, wrapUntrusted } from './untrusted.ts'

/** What an agent works with. */
export interface AgentPorts {
  runtime: AgentRuntime
  tools: AgentTools
}

/** What a turn came to. */
export interface Reply {
  text: string
  step: number
  inputTokens: number
  outputTokens: number
}

const countStep = statement<never>(
  'gateway_count_step',
  'update gateway_runs set steps = $2, input_tokens = input_tokens + $3, output_tokens = output_tokens + $4 where id = $1',
)

/** Takes the claimed run's turn. Throws LeaseLost, ModelError, Unaffordable, or the signal's reason. */
export async function takeTurn(services: Services, ports: AgentPorts, claim: Claim, signal: AbortSignal): Promise<Reply> {
  const { run } = claim
  const { agents } = services.config.gateway
  const context = workingOn(services, run.orgId, run.id)
  let own = await services.database.query(selectOwnTurns, [run.sessionId, run.id])
  if (own.length === 0) {
    const text = run.origin === null ? run.message : wrapUntrusted(run.message, run.origin)
    own = await write(context, claim, 0, [{ role: 'user', text }])
  }
  const history = await services.database.query(selectHistory, [run.sessionId, run.id, agents.historyCharacters])
  const offered = ports.tools.offered(run.scopes)

  for (;;) {
    own = await callTools(context, ports.tools, claim, own, signal)
    const step = (own.at(-1)?.step ?? 0) + 1
    const isLast = step >= agents.maxSteps
    const answer = await ports.runtime.answer({
      model: run.model,
      system: systemPrompt(services, claim, isLast),
      messages: messagesOf(history, own),
      // Without tools the last step has to be an answer.
      tools: isLast ? [] : offered,
      thinking: run.thinking,
      signal,
    })
    signal.throwIfAborted()
    const refusal = await refusalAfter(context, run, answer.inputTokens + answer.outputTokens)
    if (refusal) {
      // Used is used, whatever becomes of the answer.
      await writeStep(context, claim, step, { ...answer, text: storable(answer.text), calls: [] })
      throw refusal
    }
    const text = storable(answer.text)
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
  toolInput?: unknown
}

/** Writes turns of the run, while its lease is held. */
export async function write(context: Context, claim: Claim, step: number, turns: readonly NewTurn[]): Promise<Turn[]> {
  return context.db.transaction(async db => {
    const first = await hold(inTransaction(context, db), claim, turns.length)
    const { run } = claim
    const createdAt = context.now().toISOString()
    const rows = turns.map((turn, index): Turn => {
      const { role, text, toolCallId = null, toolName = null, toolInput = null } = turn
      const place = { id: uuid(), sessionId: run.sessionId, runId: run.id, seq: first + index, step, createdAt }
      return { ...place, role, text, toolCallId, toolName, toolInput, toolOutput: null }
    })
    await db.query(insertTurns, [
      run.orgId,
      run.sessionId,
      run.id,
      createdAt,
      rows.map(({ id }) => id),
      rows.map(({ seq }) => seq),
      rows.map(({ step }) => step),
      rows.map(({ role }) => role),
      rows.map(({ text }) => text),
      rows.map(({ toolCallId }) => toolCallId),
      rows.map(({ toolName }) => toolName),
      rows.map(({ toolInput }) => (toolInput === null ? null : JSON.stringify(toolInput))),
    ])
    return rows
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
        toolCallId: storable(id),
        toolName: storable(name),
        toolInput: storableJson(input ?? {}),
      }),
    )
    const written = await write(tx, claim, step, text === '' ? turns : [{ role: 'assistant', text }, ...turns])
    await db.query(countStep, [claim.run.id, step, inputTokens, outputTokens])
    return written
  })
}

// Calls what the model asked for and has no answer yet. The key makes a call that a dead worker began the same call.
async function callTools(context: Context, tools: AgentTools, claim: Claim, own: readonly Turn[], signal: AbortSignal): Promise<Turn[]> {
  const { run } = claim
  const caller = { runId: run.id, orgId: run.orgId, name: run.name ?? run.agentId, scopes: run.scopes, creditCeiling: run.creditCeiling }
  const answered: Turn[] = []
  for (const turn of own) {
    if (turn.role !== 'tool' || turn.toolOutput !== null) {
      answered.push(turn)
      continue
    }
    signal.throwIfAborted()
    const call = { id: turn.toolCallId ?? '', name: turn.toolName ?? '', input: turn.toolInput }
    const toolOutput = storableJson(await tools.call(call, caller, `${run.id}:${turn.seq}`))
    await context.db.transaction(async db => {
      await hold(inTransaction(context, db), claim)
      await db.query(answerTool, [turn.id, JSON.stringify(toolOutput)])
    })
    answered.push({ ...turn, toolOutput })
  }
  return answered
}

/** Models may write what no database takes. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storable(name), storableJson(item)]))
}
