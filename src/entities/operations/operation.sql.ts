// The statements that read the events of a write.
//
// An event has its write's id as `request_id`, without an index: one more would cost every write, and receipts are rarely read. Ids of
// writes and of events are UUIDv7, so the events stand in the minute after the write's id, read by the primary key.

import { statement } from '../../database/statement.ts'
import { bigint, integer, jsonb, object, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import type { Door } from '../../kernel/door.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { actorColumns } from '../../kernel/principal.ts'

const { all: events } = table('events', {
  id: uuid,
  type: text.as<EventType>(),
  entityId: text,
  contactId: uuid.orNull(),
  companyId: uuid.orNull(),
  dealId: uuid.orNull(),
  actor: object(actorColumns),
  door: text.as<Door>(),
  operation: text,
  changes: jsonb.as<Readonly<Record<string, unknown>>>(),
  createdAt: timestamptz,
})
export type OperationEvent = ReturnType<typeof events.row>

/**
 * $1 organization, $2 operation, $3 and $4 the bounds of its events' ids, $5 entities, $6 the account whose events are visible, $7 the user
 * whose events of personal nouns are visible, $8 whether only what the account spent for the organization is visible, $9 the personal nouns. Events of `tasks` and `tools` are excluded, because they are not writes of a caller.
 */
const ofOperation = `from events where id > $3 and id < $4 and org_id = $1 and request_id = $2 and entity = any($5::text[])
  and (entity <> 'credits' or (entity_id = $6 and (not $8 or changes @> '{"forOrganization": true}'))) and (entity <> all ($9::text[]) or actor_id = $7) and door in ('graphql', 'rest', 'hooks', 'mcp')`

const micro = (member: string, sign: '' | '-') =>
  `coalesce(sum(greatest(${sign}(changes->>'${member}')::bigint, 0)) filter (where entity = 'credits') over (), 0)::bigint`

const summary = rows({
  eventCount: integer,
  takenMicro: bigint,
  reservedMicro: bigint,
  operation: text,
  door: text.as<Door>(),
  actor: object(actorColumns),
  createdAt: timestamptz,
})
export const readOperation = statement(
  'operation',
  `select count(*) over ()::integer as event_count, ${micro('micro', '-')} as taken_micro, ${micro('reservedMicro', '')} as reserved_micro,
     operation, door, actor_type, actor_id, actor_name, created_at
   ${ofOperation} order by id limit 1`,
  summary,
)

const readEvents = (direction: 'asc' | 'desc') =>
  statement(`operation_events_${direction}`, `select ${events.sql} ${ofOperation} order by id ${direction} limit $10`, events)
/** $10: the number of events: the first above $3, or, in descending order, the last below $4. */
export const readOperationEvents = { asc: readEvents('asc'), desc: readEvents('desc') }
