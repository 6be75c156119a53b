// The payloads of the wake and agent hooks, validated strictly: no coercion, no unknown fields. Models and agents are checked by the rules.

import { channelChoices, maxSeconds, thinkingLevels } from '../config/gateway/enums.ts'
import type { RunAgentMutationVariables, WakeMutationVariables } from '../generated/operations.ts'
import { AppError } from '../kernel/errors.ts'
import { cutText } from '../kernel/input/cut.ts'

/** The variables of the wake hook's document. */
export type WakePayload = WakeMutationVariables

/** The variables of the agent hook's document. */
export type AgentPayload = RunAgentMutationVariables

type Field = (value: unknown, name: string) => unknown

const wakeFields: Record<string, Field> = { text: nonBlankText(), mode: wakeMode }
const agentFields: Record<string, Field> = {
  message: nonBlankText(),
  name: nonBlankText(200),
  agentId: nonBlankText(63),
  sessionKey: nonBlankText(255),
  wakeMode,
  deliver: flag,
  channel: oneOf(channelChoices),
  to: nonBlankText(500),
  model: nonBlankText(200),
  thinking: oneOf(thinkingLevels),
  timeoutSeconds: seconds,
}

/** The variables of the wake hook, with defaults. Throws INVALID, naming the field and its allowed values. */
export function wakePayload(given: Readonly<Record<string, unknown>>): WakePayload {
  const { text, mode = 'now' } = checkFields(given, wakeFields)
  return { text: requireText(text, 'text'), mode: mode as WakePayload['mode'] }
}

/** The variables of the agent hook, with defaults. Throws INVALID, naming the field and its allowed values. */
export function agentPayload(given: Readonly<Record<string, unknown>>): AgentPayload {
  const { message, ...rest } = checkFields(given, agentFields)
  return {
    wakeMode: 'now',
    deliver: true,
    channel: 'last',
    ...(rest as Partial<AgentPayload>),
    message: requireText(message, 'message'),
  }
}

/** The spelling of wake modes in hooks. */
export const spellMode = (mode: string) => (mode === 'next_heartbeat' ? 'next-heartbeat' : mode)

function checkFields(given: Readonly<Record<string, unknown>>, fields: Record<string, Field>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) throw refusal(cutText(name, 100), `unknown field; allowed are ${Object.keys(fields).join(', ')}`)
    values[name] = field(given[name], name)
  }
  return values
}

const refusal = (name: string, problem: string) => new AppError('INVALID', `${name}: ${problem}`)

function requireText(value: unknown, name: string): string {
  if (typeof value !== 'string') throw refusal(name, 'is required')
  return value
}

// Leading and trailing blanks are kept; blank text is refused.
function nonBlankText(maxLength = Number.POSITIVE_INFINITY): Field {
  return (value, name) => {
    if (typeof value !== 'string') throw refusal(name, 'must be a string')
    if (value.trim() === '') throw refusal(name, 'must not be blank')
    if (value.length > maxLength) throw refusal(name, `must have at most ${maxLength} characters`)
    return value
  }
}

function oneOf(allowed: readonly string[]): Field {
  return (value, name) => {
    if (typeof value !== 'string' || !allowed.includes(value)) throw refusal(name, `must be one of ${allowed.join(', ')}`)
    return value
  }
}

function wakeMode(value: unknown, name: string): unknown {
  if (value !== 'now' && value !== 'next-heartbeat') throw refusal(name, 'must be one of now, next-heartbeat')
  return value === 'now' ? value : 'next_heartbeat'
}

function flag(value: unknown, name: string): unknown {
  if (typeof value !== 'boolean') throw refusal(name, 'must be true or false')
  return value
}

function seconds(value: unknown, name: string): unknown {
  if (typeof value !== 'number' || !(value >= 1 && value <= maxSeconds)) throw refusal(name, `must be a number from 1 to ${maxSeconds}`)
  return value
}
