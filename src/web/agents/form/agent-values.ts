// The values of an agent's form: from the agent, and back to an input.

import type { VoiceAgentSetupFragment } from '../../generated/operations.ts'
import type { TelephoneProvider } from '../../generated/schema.ts'
import { agentPageWords } from '../../language/en/screens/agents.ts'
import { fieldLabel } from '../../language/values.ts'
import { extractionOf, type Wanted, wantedOf } from './wanted.ts'

export interface AgentValues {
  name: string
  instructions: string
  firstMessage: string
  extraction: Wanted[]
  provider: TelephoneProvider
  phoneNumber: string
  dispatchUrl: string
  language: string
  voice: string
}

export const emptyAgent: AgentValues = {
  name: '',
  instructions: '',
  firstMessage: '',
  extraction: [],
  provider: 'SIMULATOR',
  phoneNumber: '',
  dispatchUrl: '',
  language: '',
  voice: '',
}

export const valuesOf = (agent: VoiceAgentSetupFragment): AgentValues => ({
  name: agent.name,
  instructions: agent.instructions ?? '',
  firstMessage: agent.firstMessage ?? '',
  extraction: wantedOf(agent.extraction, fieldLabel),
  provider: agent.provider,
  phoneNumber: agent.phoneNumber ?? '',
  dispatchUrl: agent.dispatchUrl ?? '',
  language: agent.language ?? '',
  voice: agent.voice ?? '',
})

export const checks = { name: (value: string) => (value.trim() === '' ? agentPageWords.enterName : null) }

/** An empty text is written as null, which clears the stored value. */
export const inputOf = ({ name, provider, extraction, ...texts }: AgentValues) => ({
  name,
  provider,
  extraction: extractionOf(extraction),
  firstMessage: texts.firstMessage || null,
  instructions: texts.instructions || null,
  phoneNumber: texts.phoneNumber.trim() || null,
  dispatchUrl: texts.dispatchUrl.trim() || null,
  language: texts.language || null,
  voice: texts.voice.trim() || null,
})

/** Without a language the server chooses the one of the organization's country. */
export const newInputOf = (values: AgentValues) => {
  const { language, ...input } = inputOf(values)
  return language === null ? input : { ...input, language }
}

/** A value as a text, for conflicts. */
export const textOf = (values: AgentValues, field: keyof AgentValues): string => {
  const value = values[field]
  return Array.isArray(value) ? value.map(({ title }) => title).join(', ') : value
}
