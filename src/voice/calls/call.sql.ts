// The statements that read and write a single call.

import { followMerges } from '../../contacts/merge/move.sql.ts'
import { pageRead, statement } from '../../database/statement.ts'
import { jsonb, rows, text, uuid } from '../../database/table.ts'
import { insertEventsSql } from '../../kernel/events/event.sql.ts'
import type { TranscriptLine } from '../providers/telephony.ts'
import { callRecords, calls, jsonObject } from './row.ts'
import { transcriptOf, writeTranscriptsSql } from './transcript.sql.ts'

const { all } = calls
const { all: record } = callRecords

export const callById = statement('call_by_id', `select ${all.sql} from calls where org_id = $1 and id = $2`, all)
export const callsById = statement('calls_by_id', `select ${all.sql} from calls where org_id = $1 and id = any($2::uuid[])`, all)
export const callRecord = statement('call_record', `select ${record.sql} from calls where org_id = $1 and id = $2`, record)
/** Locks the call for rules that change it. */
export const lockedCall = statement('call_locked', `select ${record.sql} from calls where org_id = $1 and id = $2 for update`, record)
/** Locks several calls, in the order of their ids, so that two transactions never wait for each other. */
export const lockedCalls = statement(
  'calls_locked',
  `select ${record.sql} from calls where org_id = $1 and id = any($2::uuid[]) order by id for update`,
  record,
)
/** The calls of an agent that are waiting to be dialled. */
export const waitingCalls = statement(
  'calls_waiting',
  `select ${record.sql} from calls where org_id = $1 and agent_id = $2 and dispatch_state in ('pending', 'scheduled') order by id for update`,
  record,
)

/** The transcript, extracted values and variables of calls. */
const content = rows({
  id: uuid,
  transcript: jsonb.as<TranscriptLine[]>().computed(transcriptOf),
  extracted: jsonObject,
  variables: jsonObject,
})
export const callContents = pageRead(
  'call_contents',
  `select ${content.of('calls')} from calls where org_id = $1 and id = any($2::uuid[])`,
  content,
)

const ofProvider = calls.select(['id', 'orgId', 'agentId'])
export const callsOfProvider = statement(
  'calls_of_provider',
  `select ${ofProvider.sql} from calls where id = any($1::uuid[]) and provider = $2`,
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
  'dealId',
  'provider',
  'isTrial',
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
/** $1 the calls, $2 their events, each as JSON. */
export const insertCalls = statement(
  'calls_insert',
  `with event as (${insertEventsSql(2)})
   insert into calls (${inserted.columns})
   select ${inserted.columns} from json_to_recordset($1) as given (${inserted.definitions}) returning ${record.sql}`,
  record,
)

/** The columns that a transition may change. */
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
  'reported',
  'creditsCharged',
  'dispatchAfter',
  'dispatchAttempts',
  'claimedAt',
  'dispatchedAt',
  'lookups',
  'cancelRequestedAt',
  'transcriptLines',
])
const written = calls.select(['id', 'updatedAt', 'version'])
const assignments = changed.columns.split(', ').map(column => `${column} = given.${column}`)
const updateSql = `update calls set ${assignments.join(', ')}, version = calls.version + 1, updated_at = greatest(calls.updated_at, $3)
   from json_to_recordset($1) as given (id uuid, ${changed.definitions})
   where calls.id = given.id returning ${written.of('calls')}`
/**
 * $1 the calls as JSON: their ids and the columns of `changed`. $2 the events of the published changes, $3 now. One statement for
 * several calls, because its trigger, which counts calls, costs more than the rows.
 */
export const updateCalls = statement('calls_update', `with event as (${insertEventsSql(2)}) ${updateSql}`, written)
/** The same; $4 the transcripts of the calls, as `writeTranscriptsSql` takes them. */
export const updateSaidCalls = statement(
  'calls_update_said',
  `with event as (${insertEventsSql(2)}), said as (${writeTranscriptsSql(4, 3)}) ${updateSql}`,
  written,
)

const id = rows({ id: uuid })
export const liveContacts = statement(
  'call_contacts_by_id',
  'select id from contacts where org_id = $1 and id = any($2::uuid[]) and deleted_at is null order by id for key share',
  id,
)
export const liveDeals = statement(
  'call_deals_by_id',
  'select id from deals where org_id = $1 and id = any($2::uuid[]) and deleted_at is null',
  id,
)
/**
 * The oldest contact with each of the numbers, before those that have it as a further one. `coalesce` hides the condition of the partial indexes by name and time: while a table grows
 * faster than its statistics, the planner prefers them, and reads all contacts of the organization.
 */
export const contactsByPhone = statement(
  'call_contacts_by_phone',
  `select given.phone, c.id from unnest($2::text[]) as given (phone) cross join lateral (
     select id from contacts where id = any(array(
       select id from contacts where org_id = $1 and phone = given.phone and coalesce(deleted_at, 'infinity') = 'infinity'
       union all select contact_id from contact_numbers
       where org_id = $1 and phone_key(number) = phone_key(given.phone) and number = given.phone
     )) and coalesce(deleted_at, 'infinity') = 'infinity'
     order by phone is distinct from given.phone, created_at, id limit 1 for key share
   ) c`,
  rows({ phone: text, id: uuid }),
)
/**
 * Serializes calls to one number, so that two calls to a new number create one contact. Several numbers are locked in the order of their
 * keys, so that two transactions never wait for each other.
 */
export const lockNumbers = statement(
  'call_number_locks',
  `select from (
     select distinct hashtextextended('voice number ' || $1 || phone, 0) as key from unnest($2::text[]) as given (phone) order by 1
   ) numbers, pg_advisory_xact_lock(key)`,
)

followMerges('calls', { name: 'calls', description: 'Calls', isLockedFirst: true })
