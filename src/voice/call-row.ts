// A call as a row: its fields, their columns, and what a page of rows is made of.

import type { Contact } from '../contacts/contact-row.ts'
import type { Actor } from '../identity/principal.ts'
import type { VoiceAgent } from './agent.sql.ts'
import type { CallState, DispatchState } from './call-state.ts'
import { shaping } from './shape.ts'
import type { AnsweredBy, CallOutcome, CallStatus, ProviderName, TranscriptLine, VoicemailAction } from './telephony.ts'

/** A call as lists show it. Property names are the schema's; times are ISO 8601 text. What was said is read when it is asked for. */
export interface Call {
  id: string
  orgId: string
  agentId: string
  agentVersion: number
  contactId: string | null
  provider: ProviderName
  direction: 'outbound' | 'inbound'
  dispatchState: DispatchState
  status: CallStatus
  outcome: CallOutcome | null
  fromNumber: string | null
  toNumber: string
  providerCallId: string | null
  recordingUrl: string | null
  summary: string | null
  answeredBy: AnsweredBy | null
  answeredAt: string | null
  endedAt: string | null
  durationSeconds: number | null
  endedReason: string | null
  providerReason: string | null
  metadata: Record<string, unknown>
  schedule: { earliestAt: string | null; latestAt: string | null }
  maxDurationSeconds: number
  ringTimeoutSeconds: number
  record: boolean
  voicemail: { action: VoicemailAction; message: string | null }
  /** In credits; null until the call has ended. */
  creditsReserved: number
  creditsCharged: number | null
  dispatchedAt: string | null
  createdBy: Actor
  createdAt: string
  updatedAt: string
  version: number
  /** Read with the page, where the page was asked for them; undefined where they have to be looked up. */
  loadedAgent: VoiceAgent | null | undefined
  loadedContact: Contact | null | undefined
}

/** A call with everything that its moves depend on. */
export interface CallRecord extends Call, CallState {
  variables: Record<string, unknown>
  holdId: string | null
  /** Not dialled before. */
  dispatchAfter: string
  dispatchAttempts: number
  /** When the last dial began. */
  claimedAt: string | null
  lookups: number
  cancelRequestedAt: string | null
}

/** What was said in a call. */
export interface CallContent {
  id: string
  transcript: TranscriptLine[]
  extracted: Record<string, unknown>
  variables: Record<string, unknown>
}

/** The columns of `callRow`, in its order. */
export const callColumns: readonly string[] = [
  ...['id', 'org_id', 'agent_id', 'agent_version', 'contact_id', 'provider', 'direction', 'dispatch_state', 'status', 'outcome'],
  ...['from_number', 'to_number', 'provider_call_id', 'recording_url', 'summary', 'answered_by', 'answered_at', 'ended_at'],
  ...['duration_seconds', 'ended_reason', 'provider_reason', 'metadata', 'earliest_at', 'latest_at', 'max_duration_seconds'],
  ...['ring_timeout_seconds', 'record', 'voicemail_action', 'voicemail_message', 'credits_reserved', 'credits_charged', 'dispatched_at'],
  ...['created_by_type', 'created_by_id', 'created_by_name', 'created_at', 'updated_at', 'version'],
]

type Cells = [
  ...[id: string, orgId: string, agentId: string, agentVersion: number, contactId: string | null, provider: ProviderName],
  ...[direction: Call['direction'], dispatchState: DispatchState, status: CallStatus, outcome: CallOutcome | null],
  ...[fromNumber: string | null, toNumber: string, providerCallId: string | null, recordingUrl: string | null, summary: string | null],
  ...[answeredBy: AnsweredBy | null, answeredAt: string | null, endedAt: string | null, durationSeconds: number | null],
  ...[endedReason: string | null, providerReason: string | null, metadata: Record<string, unknown>, earliestAt: string | null],
  ...[latestAt: string | null, maxDurationSeconds: number, ringTimeoutSeconds: number, record: boolean, voicemailAction: VoicemailAction],
  ...[voicemailMessage: string | null, creditsReserved: number, creditsCharged: number | null, dispatchedAt: string | null],
  ...[createdByType: Actor['type'], createdById: string | null, createdByName: string | null, createdAt: string, updatedAt: string],
  ...[version: number],
]

export const microPerCredit = 1_000_000

export function callRow(columns: readonly never[]): Call {
  // The statement selects `callColumns`, which are these.
  const c = columns as unknown as Cells
  return {
    id: c[0],
    orgId: c[1],
    agentId: c[2],
    agentVersion: c[3],
    contactId: c[4],
    provider: c[5],
    direction: c[6],
    dispatchState: c[7],
    status: c[8],
    outcome: c[9],
    fromNumber: c[10],
    toNumber: c[11],
    providerCallId: c[12],
    recordingUrl: c[13],
    summary: c[14],
    answeredBy: c[15],
    answeredAt: c[16],
    endedAt: c[17],
    durationSeconds: c[18],
    endedReason: c[19],
    providerReason: c[20],
    metadata: c[21],
    schedule: { earliestAt: c[22], latestAt: c[23] },
    maxDurationSeconds: c[24],
    ringTimeoutSeconds: c[25],
    record: c[26],
    voicemail: { action: c[27], message: c[28] },
    creditsReserved: c[29] / microPerCredit,
    creditsCharged: c[30] === null ? null : c[30] / microPerCredit,
    dispatchedAt: c[31],
    createdBy: { type: c[32], id: c[33], name: c[34] },
    createdAt: c[35],
    updatedAt: c[36],
    version: c[37],
    loadedAgent: undefined,
    loadedContact: undefined,
  }
}

/** The columns of `recordRow`, in its order; `of` is the table's name in the statement. */
export const recordColumns = (of: string) =>
  [
    ...[...callColumns, 'extracted', 'variables', 'hold_id', 'dispatch_after', 'dispatch_attempts', 'claimed_at', 'lookups'],
    'cancel_requested_at',
  ]
    .map(column => `${of}.${column}`)
    .join(', ')
    .concat(`, jsonb_array_length(${of}.transcript) as transcript_lines`)
export const recordWidth = callColumns.length + 9

type RecordCells = [
  ...[extracted: Record<string, unknown>, variables: Record<string, unknown>, holdId: string | null, dispatchAfter: string],
  ...[dispatchAttempts: number, claimedAt: string | null, lookups: number, cancelRequestedAt: string | null, transcriptLines: number],
]

export function recordRow(columns: readonly never[]): CallRecord {
  // `recordColumns` begins with `callColumns`, and ends with these.
  const c = columns.slice(callColumns.length) as unknown as RecordCells
  return {
    ...callRow(columns),
    extracted: c[0],
    variables: c[1],
    holdId: c[2],
    dispatchAfter: c[3],
    dispatchAttempts: c[4],
    claimedAt: c[5],
    lookups: c[6],
    cancelRequestedAt: c[7],
    transcriptLines: c[8],
  }
}

const columnName = (field: string) => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
// Money is converted, and what is made of several columns is made with the whole row.
const simple = [
  ...['id', 'orgId', 'agentId', 'agentVersion', 'contactId', 'provider', 'direction', 'dispatchState', 'status', 'outcome', 'fromNumber'],
  ...['toNumber', 'providerCallId', 'recordingUrl', 'summary', 'answeredBy', 'answeredAt', 'endedAt', 'durationSeconds', 'endedReason'],
  ...[
    'providerReason',
    'metadata',
    'maxDurationSeconds',
    'ringTimeoutSeconds',
    'record',
    'dispatchedAt',
    'createdAt',
    'updatedAt',
    'version',
  ],
]
/** Pages are sorted by the first two, and what a call leads to is found by the others. */
export const callShape = shaping<Call>({
  whole: { name: 'whole', columns: callColumns, row: callRow },
  columnOf: Object.fromEntries(simple.map(field => [field, columnName(field)])),
  found: ['agent', 'contact', 'transcript', 'extracted', 'variables', 'providerEvents'],
  always: ['createdAt', 'id', 'agentId', 'contactId'],
  later: ['loadedAgent', 'loadedContact'],
})
