// Validates the input of an agent. Pure.

import { type ModelNames, modelNamed } from '../../config/gateway/models.ts'
import { type Read, text, webAddress } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { destinations, dialable, extraction } from '../fields.ts'
import type { Destination, ProviderName, Telephony } from '../providers/telephony.ts'
import type { AgentFields } from './agent.sql.ts'
import { language } from './language.ts'

/** An absent field stays unchanged, null clears it. */
export interface AgentInput {
  name?: string | null
  hostAppId?: string | null
  instructions?: string | null
  firstMessage?: string | null
  extraction?: Record<string, unknown> | null
  phoneNumber?: string | null
  language?: string | null
  voice?: string | null
  model?: string | null
  transferTo?: readonly Destination[] | null
  provider?: ProviderName | null
  dispatchUrl?: string | null
}

const emptyAgent = {
  hostAppId: null,
  instructions: null,
  firstMessage: null,
  extraction: {},
  phoneNumber: null,
  language: null,
  voice: null,
  model: null,
  transferTo: [],
  dispatchUrl: null,
} satisfies Partial<AgentFields>

type Field = keyof typeof emptyAgent
const readers: { [F in Field]: Read<NonNullable<AgentInput[F]>, AgentFields[F]> } = {
  hostAppId: text(200),
  // 32,768: with longer instructions, models forget the beginning.
  instructions: text(32_768),
  firstMessage: text(2000),
  extraction,
  phoneNumber: dialable,
  language,
  voice: text(200),
  model: text(200),
  transferTo: destinations,
  dispatchUrl: webAddress,
}
const fieldNames = Object.keys(readers) as Field[]
const nameReader = text(200)

/** The agent with the input applied to `current`, or to a new agent, and all problems of the input. */
export function readAgent(
  input: AgentInput,
  current: AgentFields | null,
  { telephony, defaultProvider, models }: { telephony: Telephony; defaultProvider: ProviderName; models: ModelNames },
): { agent: AgentFields; problems: Problem[] } {
  const problems: Problem[] = []
  const agent: AgentFields = current
    ? { ...current }
    : { ...emptyAgent, name: '', provider: input.provider ?? (input.dispatchUrl ? 'http' : defaultProvider) }
  for (const field of fieldNames) {
    const given = input[field]
    if (given === undefined) continue
    const value = given === null ? emptyAgent[field] : (readers[field] as Read<unknown, unknown>)(given)
    if (value instanceof Invalid) problems.push(...at(field, value))
    // `as`: each reader returns the type of its field.
    else agent[field] = value as never
  }
  if (input.name !== undefined || !current) {
    const name = nameReader(input.name ?? '')
    if (name instanceof Invalid) problems.push(...at('name', name))
    else if (name === null) problems.push(problem('name', 'string_too_short', input.name, { min_length: 1 }))
    else agent.name = name
  }
  if (input.provider) agent.provider = input.provider
  const model = input.model && agent.model !== null ? modelNamed(models, agent.model).problem : undefined
  if (model) problems.push(valueError('model', model, input.model))
  if (problems.length === 0) problems.push(...contradictions(agent, telephony))
  return { agent, problems }
}

// Problems that involve several fields.
function contradictions({ provider, phoneNumber, dispatchUrl, voice }: AgentFields, telephony: Telephony): Problem[] {
  if (telephony[provider] === null) return [valueError('provider', `${provider} is not configured on this server`, provider)]
  if (provider === 'http' && dispatchUrl === null)
    return [valueError('dispatchUrl', 'an agent of the provider http needs the address its calls are sent to', null)]
  if ((provider === 'twilio' || provider === 'vapi') && phoneNumber === null)
    return [valueError('phoneNumber', `an agent of ${provider} needs the number it calls from`, null)]
  const form = voiceForms[provider]
  if (voice !== null && form && !form.like.test(voice))
    return [valueError('voice', `a voice of ${provider} is like ${form.example}`, voice)]
  return []
}

const voiceForms: Partial<Record<ProviderName, { like: RegExp; example: string }>> = {
  twilio: { like: /^(?:(?:Polly|Google)\.[A-Za-z0-9-]{1,100}|man|woman|alice)$/, example: 'Polly.Vicki-Neural' },
  vapi: { like: /^[a-z0-9-]{2,30}:\S{1,100}$/, example: 'azure:de-DE-KatjaNeural' },
}
