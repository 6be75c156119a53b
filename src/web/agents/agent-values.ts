// The values of an agent's form: from the agent, and back to an input.

import type { VoiceAgentSetupFragment } from '../generated/operations.ts'
import type { TelephoneProvider } from '../generated/schema.ts'
import { callWords } from '../language/en/calls.ts'
import { extractionOf, problemOfQuestions, type Question, questionsOf } from './question.ts'

export interface AgentValues {
  name: string
  firstMessage: string
  instructions: string
  /** The values that it takes from a conversation. */
  extraction: readonly Question[]
  provider: TelephoneProvider
  phoneNumber: string
  dispatchUrl: string
}

export const labels = {
  name: 'Name',
  firstMessage: 'First message',
  instructions: 'Instructions',
  extraction: 'Answers to find out',
  provider: 'Provider',
  phoneNumber: 'Calls from',
  dispatchUrl: 'Dispatch address',
} satisfies Record<keyof AgentValues, string>

export const emptyAgent: AgentValues = {
  name: '',
  firstMessage: '',
  instructions: '',
  extraction: [],
  provider: 'SIMULATOR',
  phoneNumber: '',
  dispatchUrl: '',
}

export const valuesOf = (agent: VoiceAgentSetupFragment): AgentValues => ({
  name: agent.name,
  firstMessage: agent.firstMessage ?? '',
  instructions: agent.instructions ?? '',
  extraction: questionsOf(agent.extraction),
  provider: agent.provider,
  phoneNumber: agent.phoneNumber ?? '',
  dispatchUrl: agent.dispatchUrl ?? '',
})

export const checks = {
  name: (value: string) => (value.trim() === '' ? 'Enter a name' : null),
  extraction: problemOfQuestions,
}

/** An empty text is written as null, which clears the stored value. */
export const inputOf = ({ name, provider, extraction, ...texts }: AgentValues) => ({
  name,
  provider,
  extraction: extractionOf(extraction),
  firstMessage: texts.firstMessage || null,
  instructions: texts.instructions || null,
  phoneNumber: texts.phoneNumber.trim() || null,
  dispatchUrl: texts.dispatchUrl.trim() || null,
})

/** A value of the form as a text, for people who changed the same field. */
export function textOf(values: AgentValues, field: keyof AgentValues): string {
  if (field === 'extraction') return values.extraction.map(({ name }) => name).join(', ')
  return field === 'provider' ? callWords.provider[values.provider] : values[field]
}
