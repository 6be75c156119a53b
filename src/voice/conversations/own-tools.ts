// The tools of every conversation: ending it, transferring it, pressing keys, and recording its result.

import type { Tool, ToolCall } from '../../gateway/models/runtime.ts'
import { callOutcomes, type ExtractedField } from '../providers/telephony.ts'
import type { Ending, Speaker } from './thinker.ts'
import type { Called } from './turn.ts'

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

const transferTool = (names: readonly string[]): Tool => ({
  name: 'transfer',
  description: 'Transfers the call to a person, and ends the conversation. Say first that you put the caller through.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string', enum: names, description: 'Name of the person or team.' } },
    required: ['to'],
    additionalProperties: false,
  },
})

const pressTool: Tool = {
  name: 'press_digits',
  description: 'Presses keys, in answer to a menu of an automatic system.',
  inputSchema: {
    type: 'object',
    properties: { digits: { type: 'string', pattern: '^[0-9*#w]{1,20}$', description: 'Keys. A w waits half a second.' } },
    required: ['digits'],
    additionalProperties: false,
  },
}

/** The tools of the agent besides ending the call. */
export const toolsOf = ({ transferTo = [] }: Speaker): Tool[] => [
  ...(transferTo.length > 0 ? [transferTool(transferTo.map(({ name }) => name))] : []),
  pressTool,
]

export interface Line {
  /** Presses keys. Absent in writing. */
  press?: (digits: string) => void
}

/** Calls the tools of an agent. */
export const calling =
  ({ transferTo = [] }: Speaker, { press }: Line) =>
  async ({ name, input }: ToolCall): Promise<Called> => {
    const given = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>
    if (name === 'transfer') {
      const found = transferTo.find(destination => destination.name === given.to)
      if (!found)
        return refusal(`There is nobody of that name to transfer to; there are ${transferTo.map(one => one.name).join(', ') || 'none'}`)
      return { output: { transferredTo: found.name }, ending: { outcome: 'transferred', reason: 'transferred', transferTo: found.phone } }
    }
    if (name === 'press_digits') {
      const { digits } = given
      if (typeof digits !== 'string' || !/^[0-9*#w]{1,20}$/.test(digits)) return refusal('digits are 1 to 20 of 0-9, *, # and w')
      if (!press) return { output: { pressed: digits, note: 'In writing there is no telephone: nothing was pressed.' } }
      press(digits)
      return { output: { pressed: digits } }
    }
    return { output: { error: { code: 'NOT_FOUND', message: `There is no tool named ${name}` } } }
  }

const refusal = (message: string): Called => ({ output: { error: { code: 'INVALID', message } } })
