// Models, as the gateway uses them: one answer at a time, to a conversation, with tools it may ask for.

import type { ThinkingLevel } from './words.ts'

export interface ToolCall {
  id: string
  name: string
  input: unknown
}

export interface ToolResult {
  id: string
  name: string
  output: unknown
}

export type Message =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ToolCall[] }
  | { role: 'tool'; results: readonly ToolResult[] }

/** A tool as a model is told about it. */
export interface Tool {
  name: string
  description: string
  /** JSON Schema of its input. */
  inputSchema: Record<string, unknown>
}

export interface ModelRequest {
  /** `provider/model`. */
  model: string
  system: string
  messages: readonly Message[]
  tools: readonly Tool[]
  thinking: ThinkingLevel | null
  signal: AbortSignal
}

export interface ModelAnswer {
  text: string
  calls: readonly ToolCall[]
  inputTokens: number
  outputTokens: number
}

export interface AgentRuntime {
  /** Asks once; nothing is executed. Throws ModelError, or the signal's reason. */
  answer(request: ModelRequest): Promise<ModelAnswer>
}

/** A model that did not answer; the message may be read by whoever reads the run. */
export class ModelError extends Error {}

/** What an agent may use: the platform's own operations, as far as its scopes go. */
export interface AgentTools {
  /** The tools a run with these scopes may be offered. */
  offered(scopes: readonly string[]): readonly Tool[]
  /** Calls one, at most once per key. Never throws: a failure is an answer too. */
  call(call: ToolCall, run: ToolCaller, key: string): Promise<unknown>
}

/** On whose behalf a tool is called. */
export interface ToolCaller {
  runId: string
  orgId: string
  name: string
  scopes: readonly string[]
  /** Micro-credits that the run may reserve in all. */
  creditCeiling: number
}
