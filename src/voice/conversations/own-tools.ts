// The tools of every conversation: ending it, and recording its result.

import type { Tool } from '../../gateway/models/runtime.ts'
import { callOutcomes, type ExtractedField } from '../providers/telephony.ts'
import type { Ending, Speaker } from './thinker.ts'

const outcome = { type: 'string', enum: [...callOutcomes] }

/** Ends the conversation. */
export const endCallTool: Tool = {
  name: 'end_call',
  description: 'Ends the call after the words of this answer. Say goodbye in the same answer.',
  inputSchema: {
    type: 'object',
    properties: {
      outcome: { ...outcome, description: 'How the call went.' },
      reason: { type: 'string', description: 'In snake_case, such as declined or goal_met.' },
    },
    required: ['outcome'],
    additionalProperties: false,
  },
}

/** The ending in the input of `end_call`. */
export function endingIn(input: unknown): Ending {
  const { outcome: given, reason } = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>
  return {
    outcome: callOutcomes.find(one => one === given) ?? 'unknown',
    reason: typeof reason === 'string' && /^[a-z][a-z0-9_]{0,62}$/.test(reason) ? reason : 'agent_hung_up',
  }
}

/** Records the result of a conversation that is over. */
export const recordTool = ({ extraction }: Speaker): Tool => ({
  name: 'record_result',
  description: 'Records the result of the call. Leave out values that were not said.',
  inputSchema: {
    type: 'object',
    properties: {
      outcome,
      summary: { type: 'string', description: 'At most three sentences, in the language of the call.' },
      extracted: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(extraction).map(([name, field]) => [name, schemaOf(field)])),
        additionalProperties: Object.keys(extraction).length === 0,
      },
    },
    required: ['outcome', 'summary', 'extracted'],
    additionalProperties: false,
  },
})

const schemaOf = ({ type, title, description, format, enum: values }: ExtractedField) => ({
  type,
  ...((title ?? description) && { description: [title, description].filter(Boolean).join(': ') }),
  ...(format && { format }),
  ...(values && { enum: values }),
})
