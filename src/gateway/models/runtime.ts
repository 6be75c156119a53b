// The ports of models and of tools: a model answers a conversation, and may ask for tools.

import type { ThinkingLevel } from '../../config/gateway/enums.ts'

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

/** A tool that a model may ask for. */
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
  /** The most tokens of the answer. Default: the model's own limit. */
  maxOutputTokens?: number
  signal: AbortSignal
}

export interface ModelAnswer {
  text: string
  calls: readonly ToolCall[]
  inputTokens: number
  outputTokens: number
}

/** A part of an answer that arrives while the model is still writing. `usage` is the last. */
export type ModelPart =
  | { kind: 'text'; text: string }
  | { kind: 'call'; call: ToolCall }
  | { kind: 'usage'; inputTokens: number; outputTokens: number }

export interface AgentRuntime {
  /** Asks once, and executes no tools. Throws ModelError, or the signal's reason. */
  answer(request: ModelRequest): Promise<ModelAnswer>
  /** Like `answer`, as it is written. Does not repeat a failed request: the caller has another model to ask. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>
}

/** A model did not answer. The message is shown with the run. */
export class ModelError extends Error {}

/** The tools of agents: operations of the platform, within the scopes of the run. */
export interface AgentTools {
  /** The tools that these scopes allow. */
  listFor(scopes: readonly string[]): readonly Tool[]
  /** Calls a tool, at most once per key. Never throws: the result says what failed. */
  call(call: ToolCall, run: ToolCaller, key: string): Promise<unknown>
}

/** The run that a tool is called for. */
export interface ToolCaller {
  runId: string
  orgId: string
  name: string
  scopes: readonly string[]
  /** The most micro-credits that the run may reserve in all. */
  creditCeiling: number
}
