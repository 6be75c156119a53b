// Calls: the prepared statements that read and write one.

import { statement } from '../database/client.ts'
import { eventColumns } from '../events.ts'
import { type Call, type CallContent, type CallRecord, callColumns, callRow, microPerCredit, recordColumns, recordRow } from './call-row.ts'

export const callById = statement<Call>('call_by_id', `select ${callColumns} from calls where org_id = $1 and id = $2`, callRow)
export const callContents = statement<CallContent>(
  'call_contents',
  'select id, transcript, extracted, variables from calls where org_id = $1 and id = any($2::uuid[])',
)
/** For those who move it: others wait until they are done. */
export const lockedCall = statement<CallRecord>(
  'call_locked',
  `select ${recordColumns('calls')} from calls where org_id = $1 and id = $2 for update`,
  recordRow,
)
export const callByProviderId = statement<{ id: string; orgId: string }>(
  'call_by_provider_id',
  'select id, org_id as "orgId" from calls where provider = $1 and provider_call_id = $2',
)

const parameters = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `$${from + index}`).join(', ')
const eventWidth = eventColumns.split(',').length

export const insertColumns = [
  ...[
    'id',
    'org_id',
    'agent_id',
    'agent_version',
    'contact_id',
    'provider',
    'dispatch_state',
    'status',
    'outcome',
    'from_number',
    'to_number',
  ],
  ...[
    'ended_at',
    'ended_reason',
    'variables',
    'metadata',
    'earliest_at',
    'latest_at',
    'max_duration_seconds',
    'ring_timeout_seconds',
    'record',
  ],
  ...['voicemail_action', 'voicemail_message', 'hold_id', 'credits_reserved', 'dispatch_after', 'created_by_type', 'created_by_id'],
  ...['created_by_name', 'created_at', 'updated_at'],
] as const

/** The values of `insertColumns`, then the event. */
export const insertCall = statement<Call>(
  'call_insert',
  `with event as (
     insert into events (${eventColumns}) values (${parameters(insertColumns.length + 1, insertColumns.length + eventWidth)})
   )
   insert into calls (${insertColumns}) values (${parameters(1, insertColumns.length)}) returning ${callColumns}`,
  callRow,
)

const moved = [
  ...['dispatch_state', 'status', 'outcome', 'provider_call_id', 'recording_url', 'summary', 'answered_by', 'answered_at', 'ended_at'],
  ...['duration_seconds', 'ended_reason', 'provider_reason', 'extracted', 'credits_charged', 'dispatch_after', 'dispatch_attempts'],
  ...['claimed_at', 'dispatched_at', 'lookups', 'cancel_requested_at'],
] as const

/** $1 id, $2 now, $3 the transcript or null to keep it, then the values of `movedValues`, then the event. */
export const moveCallRow = statement<{ updatedAt: string; version: number }>(
  'call_move',
  `with event as (
     insert into events (${eventColumns}) values (${parameters(moved.length + 4, moved.length + 3 + eventWidth)})
   )
   update calls set ${moved.map((column, index) => `${column} = $${index + 4}`).join(', ')},
     transcript = coalesce($3::jsonb, transcript), version = version + 1, updated_at = greatest(updated_at, $2)
   where id = $1 returning updated_at as "updatedAt", version`,
)
/** The same without an event: what nobody outside has to know. */
export const noteCallRow = statement<{ updatedAt: string; version: number }>(
  'call_note',
  `update calls set ${moved.map((column, index) => `${column} = $${index + 4}`).join(', ')},
     transcript = coalesce($3::jsonb, transcript), version = version + 1, updated_at = greatest(updated_at, $2)
   where id = $1 returning updated_at as "updatedAt", version`,
)

export const movedValues = (call: CallRecord): unknown[] => [
  call.dispatchState,
  call.status,
  call.outcome,
  call.providerCallId,
  call.recordingUrl,
  call.summary,
  call.answeredBy,
  call.answeredAt,
  call.endedAt,
  call.durationSeconds,
  call.endedReason,
  call.providerReason,
  JSON.stringify(call.extracted),
  call.creditsCharged === null ? null : Math.round(call.creditsCharged * microPerCredit),
  call.dispatchAfter,
  call.dispatchAttempts,
  call.claimedAt,
  call.dispatchedAt,
  call.lookups,
  call.cancelRequestedAt,
]
