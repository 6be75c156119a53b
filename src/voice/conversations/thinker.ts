// The port that makes an agent's next words: the embedded interviewer, or a model.

import type { Tool, ToolCall } from '../../gateway/models/runtime.ts'
import type { CallOutcome, Destination, ExtractedField } from '../providers/telephony.ts'

/** The agent of a conversation, as it was when the conversation began. The placeholders of its texts are filled. */
export interface Speaker {
  name: string
  instructions: string | null
  firstMessage: string | null
  extraction: Readonly<Record<string, ExtractedField>>
  /** BCP 47; null for English. */
  language: string | null
  /** `provider/model`, tried in this order; empty for the interviewer. */
  models: readonly string[]
  /** Where the agent may transfer the call. Absent in conversations of an earlier release. */
  transferTo?: readonly Destination[]
}

/** One turn of the history. */
export interface PastTurn {
  role: 'agent' | 'user' | 'tool'
  /** The words; of an interrupted agent, only those that were heard. Empty for a tool. */
  text: string
  /** The tool's call and result, for the role `tool`. */
  tool?: { id: string; name: string; input: unknown; output: unknown } | undefined
  /** The state of the interviewer after its turn. */
  memory?: unknown
}

export interface ThinkRequest {
  speaker: Speaker
  /** Begins with a turn of the agent, unless it has said nothing yet. */
  turns: readonly PastTurn[]
  tools: readonly Tool[]
  now: Date
  signal: AbortSignal
}

/** The end of a conversation that the agent decided on. */
export interface Ending {
  outcome: CallOutcome
  /** In snake_case, such as `declined`. */
  reason: string
  /** The number to which the call goes on. */
  transferTo?: string
}

/** A part of an answer, in the order in which it is spoken. */
type Thought =
  | { kind: 'text'; text: string }
  | { kind: 'tool'; call: ToolCall }
  | { kind: 'end'; ending: Ending }
  /** The last part. */
  | { kind: 'done'; memory?: unknown; inputTokens: number; outputTokens: number; model: string | null }

/** The result of a conversation that is over. */
export interface Conclusion {
  outcome: CallOutcome
  /** At most three sentences; null if nobody spoke with the agent. */
  summary: string | null
  extracted: Record<string, unknown>
  inputTokens: number
  outputTokens: number
}

export interface Thinker {
  /** Answers the last turn; without turns, greets. Throws the signal's reason, or ModelError if no model answers. */
  think(request: ThinkRequest): AsyncIterable<Thought>
  /** Reads the result out of the history. `ending`: null if the other side ended the conversation. */
  conclude(request: ThinkRequest, ending: Ending | null): Promise<Conclusion>
}

declare module '../../kernel/context.ts' {
  interface Services {
    thinker: Thinker
  }
}
