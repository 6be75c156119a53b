// One turn of an agent: its words as they come, the tools that it calls, and its answer to their results.

import type { Tool, ToolCall } from '../../gateway/models/runtime.ts'
import { storableJson, storableText } from '../../kernel/input/storable.ts'
import { sentencesIn } from './interviewer/languages/all.ts'
import { maxTurn } from './limits.ts'
import type { Ending, PastTurn, Speaker, Thinker } from './thinker.ts'

/** A turn to store. */
export interface NewTurn extends PastTurn {
  /** Milliseconds from the other side's last word to the agent's first, or of the tool. */
  latencyMs: number
  wasInterrupted?: boolean
  inputTokens: number
  outputTokens: number
  model: string | null
}

export interface Answer {
  turns: NewTurn[]
  ending: Ending | null
}

/** The result of a tool. */
export interface Called {
  output: unknown
  /** The end of the conversation that it brings. */
  ending?: Ending
}

export interface AnswerRequest {
  thinker: Thinker
  speaker: Speaker
  turns: readonly PastTurn[]
  tools: readonly Tool[]
  /** Calls a tool. Never throws: the output says what failed. */
  callTool(call: ToolCall): Promise<Called>
  /** Receives the agent's words as they come. */
  say(text: string): void
  now(): Date
  signal: AbortSignal
}

// 5: a look-up, a second one, a write and a correction, then the agent answers without tools.
export const maxSteps = 5
// 800 ms: a longer silence makes people ask whether somebody is there.
const fillerMs = 800

/** Answers the last turn of the other side. Throws the signal's reason, or ModelError. */
export async function answer(request: AnswerRequest): Promise<Answer> {
  const added: NewTurn[] = []
  for (let step = 1; ; step++) {
    const tools = step < maxSteps ? request.tools : []
    const { turn, calls, ending } = await think({ ...request, tools, turns: [...request.turns, ...added] })
    // An answer without words is not a turn; its tokens count for the first tool that it calls.
    const isSilent = turn.text.trim() === '' && calls.length > 0
    if (!isSilent) added.push(turn)
    if (ending || calls.length === 0 || step >= maxSteps) return { turns: added, ending }
    let decided: Ending | undefined
    for (const [index, call] of calls.entries()) {
      const { ending: brought, ...called } = await toolTurn(request, call, isSilent)
      const { inputTokens, outputTokens, model } = turn
      added.push(isSilent && index === 0 ? { ...called, inputTokens, outputTokens, model } : called)
      decided ??= brought
    }
    if (decided) return { turns: added, ending: decided }
  }
}

interface Step {
  turn: NewTurn
  calls: ToolCall[]
  ending: Ending | null
}

async function think({ thinker, speaker, turns, tools, say, now, signal }: AnswerRequest): Promise<Step> {
  const startedAt = performance.now()
  const turn: NewTurn = { role: 'agent', text: '', latencyMs: 0, inputTokens: 0, outputTokens: 0, model: null }
  const step: Step = { turn, calls: [], ending: null }
  let hasBegun = false
  for await (const thought of thinker.think({ speaker, turns, tools, now: now(), signal })) {
    signal.throwIfAborted()
    if (!hasBegun) turn.latencyMs = Math.round(performance.now() - startedAt)
    hasBegun = true
    if (thought.kind === 'text') {
      const said = thought.text.slice(0, maxTurn - turn.text.length)
      turn.text += said
      if (said !== '') say(said)
      // A model that never stops is not listened to for ever.
      if (turn.text.length >= maxTurn) break
    } else if (thought.kind === 'tool') step.calls.push(thought.call)
    else if (thought.kind === 'end') step.ending = thought.ending
    else {
      const { memory, inputTokens, outputTokens, model } = thought
      Object.assign(turn, { memory, inputTokens, outputTokens, model })
    }
  }
  return step
}

async function toolTurn(
  { callTool, say, speaker }: AnswerRequest,
  call: ToolCall,
  isSilent: boolean,
): Promise<NewTurn & { ending?: Ending | undefined }> {
  const startedAt = performance.now()
  const filler = isSilent && setTimeout(() => say(`${sentencesIn(speaker.language).oneMoment} `), fillerMs)
  try {
    const { output, ending } = await callTool(call)
    const tool = { id: call.id, name: storableText(call.name), input: storableJson(call.input ?? {}), output: storableJson(output ?? null) }
    const latencyMs = Math.round(performance.now() - startedAt)
    return { role: 'tool', text: '', tool, latencyMs, inputTokens: 0, outputTokens: 0, model: null, ending }
  } finally {
    if (filler) clearTimeout(filler)
  }
}
