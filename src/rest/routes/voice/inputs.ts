// The request bodies of calls and voice agents.

import { z } from 'zod'
import type {
  CallOutcome,
  CallStatus,
  DispatchState,
  TelephoneProvider,
  VoiceAgentStatus,
  VoicemailAction,
} from '../../../generated/operations.ts'
import { e164 } from '../../../kernel/input/problem.ts'
import { anyOf, camelCased, enumOf, filterIds, filterText, id, text, time, yesOrNo } from '../inputs.ts'

const dialable = z.string().regex(e164)
const data = z.record(z.string(), z.unknown())

const provider = enumOf<TelephoneProvider>('TelephoneProvider')
const status = enumOf<CallStatus>('CallStatus')
const outcome = enumOf<CallOutcome>('CallOutcome')
const dispatchState = enumOf<DispatchState>('DispatchState')

export const newCall = z
  .strictObject({
    agent_id: id(),
    to_number: dialable,
    contact_id: id().nullish(),
    from_number: dialable.nullish(),
    variables: data.nullish(),
    metadata: data.nullish(),
    schedule: z.strictObject({ earliest_at: time.nullish(), latest_at: time.nullish() }).transform(camelCased).nullish(),
    max_duration_seconds: z.int().min(30).max(7200).nullish(),
    ring_timeout_seconds: z.int().min(5).max(120).nullish(),
    record: z.boolean().nullish(),
    is_trial: z.boolean().nullish(),
    deal_id: id().nullish(),
    voicemail: z.strictObject({ action: enumOf<VoicemailAction>('VoicemailAction').nullish(), message: text(1000).nullish() }).nullish(),
  })
  .meta({ id: 'NewCall' })

export const callFilter = {
  status: anyOf(status),
  outcome: anyOf(outcome),
  dispatch_state: anyOf(dispatchState),
  agent_id: filterIds(),
  contact_id: filterIds(),
  deal_id: filterIds(),
  to_number: filterText(64),
  created_since: time.optional(),
  created_until: time.optional(),
  is_trial: yesOrNo().optional(),
}

export const callSort = z
  .enum(['created_at', '-created_at'])
  .transform(sort => (sort === '-created_at' ? 'created_at_desc' : sort))
  .meta({ title: 'CallOrder', unlessGiven: '-created_at' })

const agentFields = {
  host_app_id: text(200).nullish(),
  instructions: text(32_768).nullish(),
  first_message: text(2000).nullish(),
  extraction: data.nullish(),
  phone_number: dialable.nullish(),
  language: text(35).nullish(),
  voice: text(200).nullish(),
  model: text(200).nullish(),
  transfer_to: z
    .array(z.strictObject({ name: text(100), phone: dialable }))
    .max(20)
    .nullish(),
  dispatch_url: text(2048).nullish(),
}

export const newAgent = z
  .strictObject({ name: text(200), ...agentFields, provider: provider.nullish(), draft: z.boolean().nullish() })
  .meta({ id: 'NewVoiceAgent' })
export const agentChange = z
  .strictObject({ name: text(200).optional(), ...agentFields, provider: provider.optional() })
  .meta({ id: 'VoiceAgentChange' })

export const agentFilter = {
  status: anyOf(enumOf<VoiceAgentStatus>('VoiceAgentStatus')),
  provider: anyOf(provider),
}
