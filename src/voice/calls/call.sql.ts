// The statements that read and write a single call.

import { moveOf } from '../../contacts/merge/move.sql.ts'
import { statement } from '../../database/statement.ts'
import { jsonb, rows, uuid } from '../../database/table.ts'
import { eventColumns, eventParameters } from '../../kernel/events/event.sql.ts'
import type { TranscriptLine } from '../providers/telephony.ts'
import { callRecords, calls, jsonObject } from './row.ts'

const { all } = calls
const { all: record } = callRecords

export const callById = statement('call_by_id', `select ${all.sql} from calls where org_id = $1 and id = $2`, all)
export const callsById = statement('calls_by_id', `select ${all.sql} from calls where org_id = $1 and id = any($2::uuid[])`, all)
export const callRecord = statement('call_record', `select ${record.sql} from calls where org_id = $1 and id = $2`, record)
/** Locks the call for rules that change it. */
export const lockedCall = statement('call_locked', `select ${record.sql} from calls where org_id = $1 and id = $2 for update`, record)
/** The calls of an agent that are waiting to be dialled. */
export const waitingCalls = statement(
  'calls_waiting',
  `select ${record.sql} from calls where org_id = $1 and agent_id = $2 and dispatch_state in ('pending', 'scheduled') order by id for update`,
  record,
)

/** The transcript, extracted values and variables of calls. */
const content = rows({ id: uuid, transcript: jsonb.as<TranscriptLine[]>(), extracted: jsonObject, variables: jsonObject })
export const callContents = statement(
  'call_contents',
  `select ${content.sql} from calls where org_id = $1 and id = any($2::uuid[])`,
  content,
)

const ofProvider = calls.select(['id', 'orgId', 'agentId'])
export const callOfProvider = statement(
  'call_of_provider',
  `select ${ofProvider.sql} from calls where id = $1 and provider = $2`,
  ofProvider,
)
export const callByProviderId = statement(
  'call_by_provider_id',
  `select ${ofProvider.sql} from calls where provider = $1 and provider_call_id = $2`,
  ofProvider,
)

export const inserted = callRecords.values([
  'id',
  'orgId',
  'agentId',
  'agentVersion',
  'contactId',
  'provider',
  'dispatchState',
  'status',
  'outcome',
  'fromNumber',
  'toNumber',
  'endedAt',
  'endedReason',
  'variables',
  'metadata',
  'schedule',
  'maxDurationSeconds',
  'ringTimeoutSeconds',
  'record',
  'voicemail',
  'holdId',
  'creditsReserved',
  'dispatchAfter',
  'createdBy',
  'createdAt',
  'updatedAt',
])
/** The values of `inserted`, then the event. */
export const insertCall = statement(
  'call_insert',
  `with event as (insert into events (${eventColumns}) values (${eventParameters(inserted.count + 1)}))
   insert into calls (${inserted.columns}) values (${inserted.parameters()}) returning ${all.sql}`,
  all,
)

/** The columns that a transition may change, without the transcript. */
export const changed = callRecords.values([
  'dispatchState',
  'status',
  'outcome',
  'providerCallId',
  'recordingUrl',
  'summary',
  'answeredBy',
  'answeredAt',
  'endedAt',
  'durationSeconds',
  'endedReason',
  'providerReason',
  'extracted',
  'creditsCharged',
  'dispatchAfter',
  'dispatchAttempts',
  'claimedAt',
  'dispatchedAt',
  'lookups',
  'cancelRequestedAt',
])
const written = calls.select(['updatedAt', 'version'])
const update = `update calls set ${changed.assignments(4)}, transcript = coalesce($3::jsonb, transcript), version = version + 1,
     updated_at = greatest(updated_at, $2) where id = $1 returning ${written.sql}`
/** $1 id, $2 now, $3 the transcript or null to keep it, then the values of `changed`, then the event. */
export const updateCall = statement(
  'call_update',
  `with event as (insert into events (${eventColumns}) values (${eventParameters(changed.count + 4)})) ${update}`,
  written,
)
/** Like `updateCall` without an event, for changes that only dispatch needs. */
export const updateCallSilently = statement('call_update_silently', update, written)

const contactId = rows({ id: uuid })
export const liveContact = statement(
  'call_contact_by_id',
  'select id from contacts where org_id = $1 and id = $2 and deleted_at is null for key share',
  contactId,
)
export const contactByPhone = statement(
  'call_contact_by_phone',
  'select id from contacts where org_id = $1 and phone = $2 and deleted_at is null order by created_at, id limit 1 for key share',
  contactId,
)
/** Serializes calls to one number, so that two calls to a new number create one contact. */
export const lockNumber = statement(
  'call_number_lock',
  `select from pg_advisory_xact_lock(hashtextextended('voice number ' || $1 || $2, 0))`,
)

/** A call is locked before its contact wherever both are, so calls are moved before the contacts are locked. */
export const moveCalls = moveOf('calls_move', 'calls')
