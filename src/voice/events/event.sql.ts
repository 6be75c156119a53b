// Events of providers: the statements that every webhook runs.

import { statement } from '../../database/statement.ts'
import { integer, jsonb, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { deathReason } from '../../kernel/queue/deaths.ts'
import type { ExtractedField, ProviderName } from '../providers/telephony.ts'

export type EventState = 'received' | 'applied' | 'ignored' | 'failed'

const { all: recorded } = table('events', {
  type: text,
  entityId: text,
  contactId: uuid.orNull(),
  companyId: uuid.orNull(),
  dealId: uuid.orNull(),
  changes: jsonb.as<Readonly<Record<string, unknown>>>(),
})
/** The events of calls that this transaction has recorded so far. */
export const selectRecorded = statement(
  'voice_events_of_transaction',
  `select ${recorded.sql} from events where transaction_id = pg_current_xact_id()::text::bigint and entity = 'call' order by sequence`,
  recorded,
)

export const { record: storedRecord } = table('provider_events', {
  id: uuid,
  provider: text.as<ProviderName>(),
  eventKey: text,
  callId: uuid.orNull(),
  orgId: uuid.orNull(),
  body: text,
  path: text,
  contentType: text,
  receivedAt: timestamptz,
  state: text.as<EventState>(),
  note: text.orNull(),
  appliedAt: timestamptz,
}).values()
/**
 * $1 the events with their states, as JSON, none twice. Stores each once by its key. A repeated event that could not be applied before gets the
 * new state; for one that was settled nothing is written, and no row is returned.
 */
export const storeEvents = statement(
  'provider_events_store',
  'select stored_provider as provider, stored_key as event_key from store_provider_events($1)',
  rows({ provider: text, eventKey: text }),
)

export const setState = statement(
  'provider_event_state',
  'update provider_events set state = $2, note = $3, applied_at = $4, call_id = coalesce(call_id, $5), org_id = coalesce(org_id, $6) where id = $1',
)

/**
 * Without those at which too many processes died, and with those first whose last attempt was the longest ago, so that those that fail each
 * time do not stop the others. SQL, because the planner uses the partial index only if the condition is literal, and Prisma sends it as a
 * parameter.
 */
export const selectUnapplied = statement(
  'provider_events_unapplied',
  `select id, provider, org_id, path as url, content_type, body, null::text as message_id
   from provider_events where state in ('received', 'failed') and received_at < $1::timestamptz
     and received_at > $1::timestamptz - interval '1 day' and note is distinct from '${deathReason}' order by coalesce(applied_at, received_at), id limit 100`,
  rows({
    id: uuid,
    provider: text.as<ProviderName>(),
    orgId: uuid.orNull(),
    url: text,
    contentType: text,
    body: text,
    messageId: text.orNull(),
  }),
)

/** The fields that agents extract from a conversation, in the versions that calls use. */
export const selectExtractions = statement(
  'voice_agent_extractions',
  `select agent_id, version, coalesce(setup -> 'extraction', '{}') as extraction from voice_agent_versions
   where (agent_id, version) in (select * from unnest($1::uuid[], $2::int[]))`,
  rows({ agentId: uuid, version: integer, extraction: jsonb.as<Readonly<Record<string, ExtractedField>>>() }),
)
