// An agent that a model speaks for. Without models, the interviewer does.

import {
  type AgentRuntime,
  type Message,
  ModelError,
  type ModelPart,
  type ModelRequest,
  type ToolCall,
} from '../../gateway/models/runtime.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { fitting } from '../fields.ts'
import { callOutcomes, longest } from '../providers/telephony.ts'
import { interviewer } from './interviewer/interviewer.ts'
import { endCallTool, endingIn, recordTool } from './own-tools.ts'
import { conclusionPrompt, systemPrompt } from './prompt.ts'
import type { Conclusion, Ending, PastTurn, Thinker, ThinkRequest } from './thinker.ts'

export interface ThinkerOptions {
  runtime: AgentRuntime
  /** How long a model may take for its first word. The next model is asked then. */
  firstWordMs?: number
}

// 400: about two minutes of speech, far more than an answer on the telephone.
export const maxAnswerTokens = 400
export const maxConclusionTokens = 2000

export function createThinker({ runtime, firstWordMs = 6000 }: ThinkerOptions): Thinker {
  /** The parts of the first model that answers, with its name. A model that fails after its first word fails the answer. */
  async function* streamOf(models: readonly string[], request: Omit<ModelRequest, 'model'>): AsyncIterable<ModelPart & { model: string }> {
    let failure: unknown = new ModelError('no model is configured')
    for (const model of models) {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new ModelError(`the model ${model} did not begin within ${firstWordMs} ms`)), firstWordMs)
      let hasBegun = false
      try {
        for await (const part of runtime.stream({ ...request, model, signal: AbortSignal.any([request.signal, late.signal]) })) {
          clearTimeout(timer)
          hasBegun ||= part.kind !== 'usage'
          yield { ...part, model }
        }
        if (hasBegun) return
        failure = new ModelError(`the model ${model} answered nothing`)
      } catch (error) {
        request.signal.throwIfAborted()
        if (hasBegun) throw error
        failure = error
      } finally {
        clearTimeout(timer)
      }
    }
    throw failure
  }

  return {
    async *think(request) {
      const { speaker, turns, tools, signal } = request
      if (speaker.models.length === 0) return yield* interviewer.think(request)
      if (turns.length === 0 && speaker.firstMessage !== null) {
        yield { kind: 'text', text: speaker.firstMessage }
        yield { kind: 'done', inputTokens: 0, outputTokens: 0, model: null }
        return
      }
      const asked = { system: systemPrompt(request), messages: messagesOf(turns), thinking: null, maxOutputTokens: maxAnswerTokens, signal }
      let usage = { inputTokens: 0, outputTokens: 0 }
      let answeredBy: string | null = null
      let ending: Ending | null = null
      for await (const part of streamOf(speaker.models, { ...asked, tools: [endCallTool, ...tools] })) {
        answeredBy = part.model
        if (part.kind === 'text') yield { kind: 'text', text: storableText(part.text) }
        else if (part.kind === 'usage') usage = part
        else if (part.call.name === endCallTool.name) ending = endingIn(part.call.input)
        else yield { kind: 'tool', call: storableCall(part.call) }
      }
      if (ending) yield { kind: 'end', ending }
      yield { kind: 'done', ...usage, model: answeredBy }
    },

    async conclude(request, ending) {
      const { speaker, turns, signal } = request
      const [model] = speaker.models
      if (model === undefined) return interviewer.conclude(request, ending)
      const nothing: Conclusion = { outcome: ending?.outcome ?? 'unknown', summary: null, extracted: {}, inputTokens: 0, outputTokens: 0 }
      if (!turns.some(({ role }) => role === 'user')) return nothing
      const messages: Message[] = [...messagesOf(turns), { role: 'user', text: conclusionPrompt }]
      const { calls, inputTokens, outputTokens } = await runtime.answer({
        ...{ model, system: systemPrompt(request), messages, tools: [recordTool(speaker)], thinking: null },
        ...{ maxOutputTokens: maxConclusionTokens, signal },
      })
      return { ...nothing, ...recorded(calls[0]?.input, speaker.extraction, ending), inputTokens, outputTokens }
    },
  }
}

/** The result in the model's call of the tool; only what fits the agent's fields. */
function recorded(input: unknown, fields: ThinkRequest['speaker']['extraction'], ending: Ending | null): Partial<Conclusion> {
  if (typeof input !== 'object' || input === null) return {}
  const { outcome, summary, extracted } = input as Record<string, unknown>
  const known = callOutcomes.find(one => one === outcome)
  return {
    // The outcome that the agent gave during the call counts more than its later judgement.
    ...(ending === null && known && { outcome: known }),
    ...(typeof summary === 'string' && summary.trim() !== '' && { summary: storableText(summary, { maxLength: longest.summary }) }),
    ...(typeof extracted === 'object' && extracted !== null && { extracted: fitting(fields, extracted as Record<string, unknown>) }),
  }
}

// A model begins with a user's message.
const answered = '(The call is answered.)'

/** The history as a model reads it. Neighbouring turns of one side become one message. */
function messagesOf(turns: readonly PastTurn[]): Message[] {
  const messages: Message[] = [{ role: 'user', text: answered }]
  for (const { role, text, tool } of turns) {
    const last = messages.at(-1)
    if (role === 'user') {
      if (last?.role === 'user') messages[messages.length - 1] = { role: 'user', text: `${last.text}\n${text}` }
      else messages.push({ role: 'user', text })
    } else if (role === 'agent') {
      messages.push({ role: 'assistant', text, calls: [] })
    } else if (tool) {
      const { id, name, input, output } = tool
      const call = { id, name, input }
      const result = { id, name, output }
      // A tool's call belongs to the agent's words before it.
      if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, calls: [...last.calls, call] }
      else if (last?.role === 'tool') {
        const before = messages.at(-2)
        if (before?.role === 'assistant') messages[messages.length - 2] = { ...before, calls: [...before.calls, call] }
        messages[messages.length - 1] = { role: 'tool', results: [...last.results, result] }
        continue
      } else messages.push({ role: 'assistant', text: '', calls: [call] })
      messages.push({ role: 'tool', results: [result] })
    }
  }
  return messages
}

const storableCall = ({ id, name, input }: ToolCall): ToolCall => ({
  id: storableText(cutText(id, 200)),
  name: storableText(cutText(name, 200)),
  input,
})
