// The values of an agent's form: from the agent, and back to an input.

import type { VoiceAgentSetupFragment } from '../generated/operations.ts'
import type { TelephoneProvider } from '../generated/schema.ts'

export interface AgentValues {
  name: string
  firstMessage: string
  instructions: string
  extraction: string
  provider: TelephoneProvider
  phoneNumber: string
  dispatchUrl: string
}

export const labels = {
  name: 'Name',
  firstMessage: 'First message',
  instructions: 'Instructions',
  extraction: 'Extracted values',
  provider: 'Provider',
  phoneNumber: 'Calls from',
  dispatchUrl: 'Dispatch address',
} satisfies Record<keyof AgentValues, string>

export const emptyAgent: AgentValues = {
  name: '',
  firstMessage: '',
  instructions: '',
  extraction: '',
  provider: 'SIMULATOR',
  phoneNumber: '',
  dispatchUrl: '',
}

export const valuesOf = (agent: VoiceAgentSetupFragment): AgentValues => ({
  name: agent.name,
  firstMessage: agent.firstMessage ?? '',
  instructions: agent.instructions ?? '',
  extraction: Object.keys(agent.extraction).length > 0 ? JSON.stringify(agent.extraction, null, 2) : '',
  provider: agent.provider,
  phoneNumber: agent.phoneNumber ?? '',
  dispatchUrl: agent.dispatchUrl ?? '',
})

export const checks = {
  name: (value: string) => (value.trim() === '' ? 'Enter a name' : null),
  extraction: (value: string) => (objectIn(value) ? null : 'Enter a JSON object, such as {"job_title": {"type": "string"}}'),
}

/** An empty text is written as null, which clears the stored value. */
export const inputOf = ({ name, provider, extraction, ...texts }: AgentValues) => ({
  name,
  provider,
  extraction: objectIn(extraction) ?? {},
  firstMessage: texts.firstMessage || null,
  instructions: texts.instructions || null,
  phoneNumber: texts.phoneNumber.trim() || null,
  dispatchUrl: texts.dispatchUrl.trim() || null,
})

/** Null when the text is not a JSON object. */
function objectIn(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : null
  } catch {
    return null
  }
}
