// The voice agents of the demo organization, and two months of their calls, as the simulator would have produced them.

import { v7 as uuid } from 'uuid'
import type { Contact } from '../../src/contacts/contact/row.ts'
import type { Context } from '../../src/kernel/context.ts'
import type { EventType } from '../../src/kernel/nouns/events.ts'
import { actorOf } from '../../src/kernel/principal.ts'
import type { AgentFields, VoiceAgent } from '../../src/voice/agents/agent.sql.ts'
import { addAgent } from '../../src/voice/agents/write.ts'
import { callEvents } from '../../src/voice/calls/row.ts'
import { type Script, stepsOf } from '../../src/voice/providers/simulator-script.ts'
import type { TranscriptLine } from '../../src/voice/providers/telephony.ts'
import { advance, type CallState } from '../../src/voice/transitions/state.ts'
import { seedActor } from './contacts.ts'
import { insertCalls } from './seed.sql.ts'

const agents: readonly Pick<AgentFields, 'name' | 'instructions' | 'firstMessage' | 'extraction' | 'phoneNumber'>[] = [
  {
    name: 'Appointment desk',
    instructions: 'Agree on an appointment next week. Offer two times, be brief, and confirm the one they choose.',
    firstMessage: 'Hello, this is the appointment desk of Rolocom. Do you have a minute?',
    extraction: { job_title: { type: 'string', description: 'your job' }, interested: { type: 'boolean', description: 'the appointment' } },
    phoneNumber: '+15550100101',
  },
  {
    name: 'Renewal desk',
    instructions: 'Ask whether they want to renew, and for how many seats. Never promise a discount.',
    firstMessage: 'Hello, I am calling about your renewal.',
    extraction: { seats: { type: 'integer', description: 'the number of seats' } },
    phoneNumber: '+15550100102',
  },
  {
    name: 'Welcome calls',
    instructions: 'Welcome new customers, ask how they are getting on, and note what they need.',
    firstMessage: 'Hello and welcome! How are you getting on?',
    extraction: { company_name: { type: 'string', description: 'your company' } },
    phoneNumber: '+15550100103',
  },
]

// The scripts of calls with realistic shares of each ending.
const endings: readonly Script[] = [
  ...Array<Script>(11).fill('talk'),
  ...Array<Script>(4).fill('no_answer'),
  ...Array<Script>(2).fill('voicemail'),
  ...(['busy', 'callback', 'declined', 'wrong_number', 'transferred', 'failed'] as const),
]

const day = 86_400_000
const days = 60
const callsPerDay = 3

interface DemoCall {
  row: Record<string, unknown>
  events: Record<string, unknown>[]
}

/** Creates an agent of the simulator that is ready to call. */
export function givenAgent(context: Context, orgId: string, fields: Partial<AgentFields> & { name: string }): Promise<VoiceAgent> {
  const id = uuid()
  const now = context.now().toISOString()
  return addAgent(context, {
    hostAppId: null,
    instructions: null,
    firstMessage: null,
    extraction: {},
    phoneNumber: null,
    language: null,
    voice: null,
    provider: 'simulator',
    dispatchUrl: null,
    ...fields,
    id,
    orgId,
    providerAssistantId: `sim_${id}`,
    providerPhoneId: null,
    status: 'active',
    statusReason: null,
    version: 1,
    provisionedVersion: 1,
    secretVersion: 1,
    secretRotatedAt: null,
    createdBy: actorOf(context.principal),
    createdAt: now,
    updatedAt: now,
  })
}

/** Writes agents and calls for an organization that has contacts and no calls yet. */
export async function writeDemoCalls(context: Context, orgId: string, contacts: readonly Contact[]): Promise<void> {
  const today = context.now().getTime()
  const first = { ...context, now: () => new Date(today - (days + 1) * day) }
  const desks: VoiceAgent[] = []
  for (const fields of agents) desks.push(await givenAgent(first, orgId, fields))

  const callable = contacts.filter(({ phone, doNotCall }) => phone?.startsWith('+') && !doNotCall)
  const calls = Array.from({ length: days * callsPerDay }, (_, index) => {
    const agent = desks[index % desks.length]
    // Spread over eight hours of each day, never in the future.
    const at = new Date(today - (days - Math.floor(index / callsPerDay)) * day - ((index * 97) % 480) * 60_000)
    // Only contacts that existed at that time are called.
    const known = callable.filter(({ createdAt }) => createdAt < at.toISOString())
    const contact = known[(index * 7) % known.length]
    return agent && contact ? demoCall(agent, contact, at, endings[(index * 5) % endings.length] ?? 'talk') : []
  }).flat()
  await context.db.query(insertCalls, [JSON.stringify(calls.map(({ row }) => row)), JSON.stringify(calls.flatMap(({ events }) => events))])
}

const queued: CallState = {
  dispatchState: 'dispatched',
  status: 'queued',
  outcome: null,
  providerCallId: null,
  answeredBy: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  endedReason: null,
  providerReason: null,
  recordingUrl: null,
  summary: null,
  transcriptLines: 0,
  extracted: {},
  reported: null,
}

function demoCall(agent: VoiceAgent, contact: Contact, at: Date, script: Script): DemoCall {
  const id = uuid({ msecs: at.getTime() })
  const setting = {
    agentName: agent.name,
    firstMessage: agent.firstMessage,
    extraction: agent.extraction,
    ringTimeoutSeconds: 30,
    record: false,
    callId: id,
  }
  let state = queued
  let transcript: readonly TranscriptLine[] = []
  let time = at.getTime()
  for (const { afterMs, news } of stepsOf(script, setting)) {
    time += afterMs
    const step = advance(state, { ...news, providerCallId: `sim_${id}` }, new Date(time))
    state = step?.state ?? state
    transcript = step?.transcript ?? transcript
  }
  const created = at.toISOString()
  const ended = state.endedAt ?? created
  const by = { created_by_type: 'system', created_by_id: null, created_by_name: seedActor }
  const row = {
    ...{
      id,
      org_id: agent.orgId,
      agent_id: agent.id,
      agent_version: 1,
      contact_id: contact.id,
      provider: 'simulator',
      direction: 'outbound',
      is_trial: false,
    },
    ...{
      dispatch_state: state.dispatchState,
      status: state.status,
      outcome: state.outcome,
      from_number: agent.phoneNumber,
      to_number: contact.phone,
    },
    ...{ provider_call_id: state.providerCallId, recording_url: null, extracted: state.extracted, summary: state.summary },
    ...{ lines: transcript, transcript_lines: transcript.length },
    ...{ answered_by: state.answeredBy, answered_at: state.answeredAt, ended_at: ended, duration_seconds: state.durationSeconds },
    ...{ ended_reason: state.endedReason, provider_reason: state.providerReason, variables: {}, metadata: {}, max_duration_seconds: 600 },
    ...{
      ring_timeout_seconds: 30,
      record: false,
      is_trial: false,
      voicemail_action: 'hang_up',
      credits_reserved: 0,
      credits_charged: 0,
      dispatch_after: created,
    },
    ...{
      dispatch_attempts: 1,
      lookups: 0,
      claimed_at: created,
      dispatched_at: created,
      ...by,
      created_at: created,
      updated_at: ended,
      version: 5,
    },
  }
  const event = (type: EventType, when: string, changes: object) => ({
    ...{ id: uuid({ msecs: Date.parse(when) }), org_id: agent.orgId, type, entity: 'call', entity_id: id, contact_id: contact.id },
    ...{ actor_type: 'system', actor_name: seedActor, door: 'system', operation: 'seed', request_id: 'seed', changes, created_at: when },
  })
  return {
    row,
    events: [
      event(callEvents.created, created, { agentId: agent.id, toNumber: contact.phone }),
      event(callEvents.ended, ended, { status: ['queued', state.status], outcome: [null, state.outcome] }),
    ],
  }
}
