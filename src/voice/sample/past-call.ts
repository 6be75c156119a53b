// Calls of the past, as the simulator would have produced them: rows with transcripts and events, for the demo organization and for sample data.

import { v7 as uuid } from 'uuid'
import type { Contact } from '../../contacts/contact/row.ts'
import type { Context } from '../../kernel/context.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { eventRow } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import type { VoiceAgent } from '../agents/agent.sql.ts'
import { callEvents } from '../calls/row.ts'
import { type Script, stepsOf } from '../providers/simulator-script.ts'
import type { CallNews, TranscriptLine } from '../providers/telephony.ts'
import { advance, type CallState } from '../transitions/state.ts'
import { type Conversation, type Facts, filled } from './conversations.ts'
import { insertPastCalls } from './past-call.sql.ts'

export interface PastCall {
  agent: VoiceAgent
  contact: Pick<Contact, 'id' | 'phone'>
  at: Date
  /** The conversation, or the end of a call without one. */
  ending: Conversation | Exclude<Script, 'talk'>
  facts: Facts
}

/** Writes calls that have ended, with their events. Resolves with their ids. */
export async function writePastCalls(context: Context, calls: readonly PastCall[]): Promise<string[]> {
  const made = calls.map(call => rowOf(context, call))
  const events = made.flatMap(({ row, contactId, created, ended }) => [
    eventOf(context, {
      type: callEvents.created,
      id: row.id,
      contactId,
      at: created,
      changes: { agentId: row.agent_id, toNumber: row.to_number },
    }),
    eventOf(context, {
      ...{ type: callEvents.ended, id: row.id, contactId, at: ended },
      changes: {
        ...{ status: ['queued', row.status], outcome: [null, row.outcome], durationSeconds: [null, row.duration_seconds] },
        ...(Object.keys(row.extracted).length > 0 && { extracted: [{}, row.extracted] }),
      },
    }),
  ])
  await context.db.query(insertPastCalls, [storedJson(made.map(({ row }) => row)), storedJson(events)])
  return made.map(({ row }) => row.id)
}

interface PastEvent {
  type: (typeof callEvents)[keyof typeof callEvents]
  id: string
  contactId: string
  at: string
  changes: Record<string, unknown>
}

function eventOf(context: Context, { type, id, contactId, at, changes }: PastEvent) {
  const then = { ...context, now: () => new Date(at) }
  return eventRecord({ ...eventRow(then, { type, entityId: id, contactId, changes }), id: uuid({ msecs: Date.parse(at) }) })
}

const queued: CallState = {
  ...{ dispatchState: 'dispatched', status: 'queued', outcome: null, providerCallId: null, answeredBy: null, answeredAt: null },
  ...{ endedAt: null, durationSeconds: null, endedReason: null, providerReason: null, recordingUrl: null, summary: null },
  ...{ transcriptLines: 0, extracted: {}, reported: null },
}

function rowOf(context: Context, { agent, contact, at, ending, facts }: PastCall) {
  const id = uuid({ msecs: at.getTime() })
  let state = queued
  let lines: readonly TranscriptLine[] = []
  let time = at.getTime()
  for (const { afterMs, news } of newsOf(agent, ending, facts)) {
    time += afterMs
    const step = advance(state, { ...news, providerCallId: `sim_${id}` }, new Date(time))
    state = step?.state ?? state
    lines = step?.transcript ?? lines
  }
  const created = at.toISOString()
  const ended = state.endedAt ?? created
  const by = createdByColumns(actorOf(context.principal))
  const row = {
    ...{ id, org_id: agent.orgId, agent_id: agent.id, agent_version: agent.version, contact_id: contact.id },
    ...{ provider: 'simulator', is_trial: false, direction: 'outbound', dispatch_state: state.dispatchState, status: state.status },
    ...{ outcome: state.outcome, from_number: agent.phoneNumber, to_number: contact.phone, provider_call_id: state.providerCallId },
    ...{ recording_url: null, extracted: state.extracted, summary: state.summary, lines, transcript_lines: lines.length },
    ...{ answered_by: state.answeredBy, answered_at: state.answeredAt, ended_at: ended, duration_seconds: state.durationSeconds },
    ...{ ended_reason: state.endedReason, provider_reason: state.providerReason, variables: {}, metadata: {}, max_duration_seconds: 600 },
    ...{ ring_timeout_seconds: 30, record: false, voicemail_action: 'hang_up', credits_reserved: 0, credits_charged: 0 },
    ...{ dispatch_after: created, dispatch_attempts: 1, lookups: 0, claimed_at: created, dispatched_at: created },
    ...{ created_by_type: by.createdByType, created_by_id: by.createdById, created_by_name: by.createdByName },
    ...{ created_at: created, updated_at: ended, version: 5 },
  }
  return { row, contactId: contact.id, created, ended }
}

function newsOf(agent: VoiceAgent, ending: PastCall['ending'], facts: Facts): { afterMs: number; news: CallNews }[] {
  if (typeof ending === 'string') {
    const { name: agentName, firstMessage, extraction } = agent
    return stepsOf(ending, { agentName, firstMessage, extraction, ringTimeoutSeconds: 30 })
  }
  const transcript: TranscriptLine[] = []
  let atMs = 0
  for (const [index, line] of ending.said.entries()) {
    const text = filled(line, facts)
    // People speak about 14 characters a second, and pause between turns.
    const endMs = atMs + 600 + Math.round(text.length / 0.014)
    transcript.push({ seq: index + 1, role: index % 2 === 0 ? 'agent' : 'user', text, startMs: atMs, endMs })
    atMs = endMs + 400
  }
  const extracted = Object.entries(ending.extracted ?? {}).map(([name, value]) => [name, extractedValue(value, facts)])
  const durationSeconds = Math.ceil(atMs / 1000)
  return [
    { afterMs: 0, news: { status: 'ringing' } },
    { afterMs: 3000 + (facts.seats % 7) * 1000, news: { status: 'in_progress', answeredBy: 'human' } },
    {
      afterMs: durationSeconds * 1000,
      news: {
        ...{ status: 'completed', durationSeconds, outcome: ending.outcome, summary: filled(ending.summary, facts), transcript },
        ...{ endedReason: ending.outcome === 'transferred' ? 'transferred' : 'agent_hung_up', extracted: Object.fromEntries(extracted) },
      },
    },
  ]
}

const extractedValue = (value: string | boolean, facts: Facts) =>
  value === '{seats}' ? facts.seats : typeof value === 'string' ? filled(value, facts) : value
