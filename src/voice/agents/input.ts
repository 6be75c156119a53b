// What callers say about an agent, read into what is stored. Pure.

import { at, Failed, type Read, text, webAddress } from '../contacts/contact-value.ts'
import type { Problem } from '../errors.ts'
import type { AgentFields } from './agent.sql.ts'
import { dialable, extraction, problem } from './input.ts'
import type { ProviderName, Telephony } from './telephony.ts'

/** An absent field is left as it is, null clears it. */
export interface AgentInput {
  name?: string | null
  hostAppId?: string | null
  instructions?: string | null
  firstMessage?: string | null
  extraction?: Record<string, unknown> | null
  phoneNumber?: string | null
  provider?: ProviderName | null
  dispatchUrl?: string | null
}

const emptyAgent = {
  hostAppId: null,
  instructions: null,
  firstMessage: null,
  extraction: {},
  phoneNumber: null,
  dispatchUrl: null,
} satisfies Partial<AgentFields>

type Field = keyof typeof emptyAgent
const readers: { [F in Field]: Read<NonNullable<AgentInput[F]>, AgentFields[F]> } = {
  hostAppId: text(200),
  // 32,768: longer than that, models begin to forget the beginning.
  instructions: text(32_768),
  firstMessage: text(2000),
  extraction,
  phoneNumber: dialable,
  dispatchUrl: webAddress,
}
const fieldNames = Object.keys(readers) as Field[]
const nameReader = text(200)

/** The agent that the input makes of `current`, or of nothing; with everything that is wrong with it. */
export function readAgent(
  input: AgentInput,
  current: AgentFields | null,
  { telephony, defaultProvider }: { telephony: Telephony; defaultProvider: ProviderName },
): { agent: AgentFields; problems: Problem[] } {
  const problems: Problem[] = []
  const agent: AgentFields = current
    ? { ...current }
    : { ...emptyAgent, name: '', provider: input.provider ?? (input.dispatchUrl ? 'http' : defaultProvider) }
  for (const field of fieldNames) {
    const given = input[field]
    if (given === undefined) continue
    const value = given === null ? emptyAgent[field] : (readers[field] as Read<unknown, unknown>)(given)
    if (value instanceof Failed) problems.push(...at(field, value))
    // The reader of a field gives what the field holds.
    else agent[field] = value as never
  }
  if (input.name !== undefined || !current) {
    const name = nameReader(input.name ?? '')
    if (name instanceof Failed) problems.push(...at('name', name))
    else if (name === null)
      problems.push({
        path: ['name'],
        type: 'string_too_short',
        message: 'String should have at least 1 character',
        input: input.name,
        context: { min_length: 1 },
      })
    else agent.name = name
  }
  if (input.provider) agent.provider = input.provider
  if (problems.length === 0) problems.push(...contradictions(agent, telephony))
  return { agent, problems }
}

// What no single field can see.
function contradictions({ provider, phoneNumber, dispatchUrl }: AgentFields, telephony: Telephony): Problem[] {
  if (telephony[provider] === null) return [problem('provider', provider, `${provider} is not configured on this server`)]
  if (provider === 'http' && dispatchUrl === null)
    return [problem('dispatchUrl', null, 'an agent of the provider http needs the address its calls are sent to')]
  if ((provider === 'twilio' || provider === 'vapi') && phoneNumber === null)
    return [problem('phoneNumber', null, `an agent of ${provider} needs the number it calls from`)]
  return []
}
