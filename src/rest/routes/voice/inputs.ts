// The request bodies of calls and voice agents.

import { z } from 'zod'
import { e164 } from '../../../kernel/input/problem.ts'
import { anyOf, camelCased, filterIds, filterText, id, text, time } from '../inputs.ts'

const dialable = z.string().regex(e164)
const data = z.record(z.string(), z.unknown())

const provider = z.enum(['simulator', 'twilio', 'vapi', 'http'])
const status = z.enum(['queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled'])
const outcome = z.enum([
  'goal_met',
  'goal_not_met',
  'callback_requested',
  'transferred',
  'voicemail',
  'no_answer',
  'busy',
  'declined',
  'wrong_number',
  'do_not_call',
  'failed',
  'unknown',
])
const dispatchState = z.enum(['pending', 'scheduled', 'dispatching', 'dispatched', 'unconfirmed', 'blocked', 'failed', 'canceled'])

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
    voicemail: z
      .strictObject({ action: z.enum(['hang_up', 'leave_message', 'continue']).nullish(), message: text(1000).nullish() })
      .nullish(),
  })
  .meta({ id: 'NewCall' })

export const callFilter = {
  status: anyOf(status),
  outcome: anyOf(outcome),
  dispatch_state: anyOf(dispatchState),
  agent_id: filterIds(),
  contact_id: filterIds(),
  to_number: filterText(64),
  created_since: time.optional(),
  created_until: time.optional(),
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
  dispatch_url: text(2048).nullish(),
}

export const newAgent = z
  .strictObject({ name: text(200), ...agentFields, provider: provider.nullish(), draft: z.boolean().nullish() })
  .meta({ id: 'NewVoiceAgent' })
export const agentChange = z
  .strictObject({ name: text(200).optional(), ...agentFields, provider: provider.optional() })
  .meta({ id: 'VoiceAgentChange' })

export const agentFilter = {
  status: anyOf(z.enum(['draft', 'provisioning', 'active', 'paused', 'failed', 'archived'])),
  provider: anyOf(provider),
}
