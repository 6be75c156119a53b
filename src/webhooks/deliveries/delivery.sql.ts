// The table of deliveries, and the statements that list, repeat and end them. The worker's statements stand in sending/.

import { pageRead, shortRead, statement } from '../../database/statement.ts'
import { bigint, integer, jsonb, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import type { Actor } from '../../kernel/principal.ts'

export const deliveryStates = ['waiting', 'pending', 'sending', 'delivered', 'failed', 'canceled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The part of an event that is kept until it is sent. */
interface SentEvent {
  contactId: string | null
  /** Absent in deliveries that a release without them has added. */
  companyId?: string | null
  dealId?: string | null
  actor: Actor
  changes: Readonly<Record<string, unknown>>
  createdAt: string
}

/** One attempt to send a delivery. Answers are cut. */
export interface Attempt {
  at: string
  durationMs: number
  url: string
  requestHeaders: Readonly<Record<string, string>>
  /** Null without an answer. */
  status: number | null
  responseHeaders: Readonly<Record<string, string>> | null
  responseBody: string | null
  /** Why there was no answer. */
  error: string | null
}

const deliveries = table('webhook_deliveries', {
  id: uuid,
  orgId: uuid,
  endpointId: uuid,
  messageId: uuid,
  type: text.as<EventType>(),
  entity: text,
  entityId: text,
  event: jsonb.as<SentEvent>(),
  replayOf: uuid.orNull(),
  state: text.as<DeliveryState>(),
  reason: text.orNull(),
  body: text.orNull(),
  attempts: integer,
  attemptLog: jsonb.as<readonly Attempt[]>(),
  responseStatus: integer.orNull(),
  dueAt: timestamptz,
  finishedAt: timestamptz.orNull(),
  createdAt: timestamptz,
})
export interface Delivery extends RowOf<typeof deliveries> {}
export const { all: wholeDelivery } = deliveries

const added = deliveries.values([
  ...(['id', 'orgId', 'endpointId', 'messageId', 'type', 'entity', 'entityId', 'event', 'replayOf', 'dueAt', 'createdAt'] as const),
])
export const deliveryRecord = added.record
/**
 * Adds deliveries, in their order, under the lock of the reader: nobody else adds any. An entity's first delivery is due immediately if none
 * is open; returns the entities whose deliveries wait, for `promote`.
 */
export const insertDeliveries = statement(
  'webhook_deliveries_insert',
  `with added as (
     insert into webhook_deliveries (${added.columns}, state)
     select ${added.columns}, case when number = 1 and not exists (
       select from webhook_deliveries d
       where d.endpoint_id = given.endpoint_id and d.entity_id = given.entity_id and d.state in ('waiting', 'pending', 'sending')
     ) then 'pending' else 'waiting' end
     from (
       select *, row_number() over (partition by endpoint_id, entity_id order by ordinality) as number
       from rows from (json_to_recordset($1) as (${added.definitions})) with ordinality
     ) as given
     order by ordinality
     returning endpoint_id, entity_id, state
   )
   select distinct endpoint_id, entity_id from added where state = 'waiting'`,
  rows({ endpointId: uuid, entityId: text }),
)

export const deliveriesById = shortRead(
  'webhook_deliveries_by_id',
  `select ${wholeDelivery.sql} from webhook_deliveries where org_id = $1 and id = any($2::uuid[])`,
  wholeDelivery,
)

const filtered = `org_id = $1 and ($2::uuid is null or endpoint_id = $2) and ($3::text[] is null or state = any($3::text[]))
  and ($4::text[] is null or type = any($4::text[])) and ($5::uuid is null or message_id = $5) and ($6::text is null or entity_id = $6)
  and ($7::timestamptz is null or created_at >= $7) and ($8::timestamptz is null or created_at < $8)`
const select = (direction: 'asc' | 'desc') =>
  pageRead(
    `webhook_deliveries_${direction}`,
    `select ${wholeDelivery.sql} from webhook_deliveries where ${filtered}
       and ($10::timestamptz is null or (created_at, id) ${direction === 'asc' ? '>' : '<'} ($10, $11::uuid))
     order by created_at ${direction}, id ${direction} limit $9`,
    wholeDelivery,
  )
/** $2 to $8 the filter, $9 the page's size, then the cursor's position. */
export const selectDeliveries = { asc: select('asc'), desc: select('desc') }
export const countDeliveries = statement(
  'webhook_deliveries_total',
  `select count(*) as total from webhook_deliveries where ${filtered}`,
  rows({ total: bigint }),
)

/**
 * Repeats deliveries of the endpoint $2 that are over, in their order; of several of one message the first. $3 the only one, or null for all
 * in the time from $4 to $5 with the states $6. $7 the ids of the new ones, which are as many at most; $8 now.
 */
export const replayDeliveries = statement(
  'webhook_deliveries_replay',
  `insert into webhook_deliveries (id, org_id, endpoint_id, message_id, type, entity, entity_id, event, replay_of, state, body, due_at, created_at)
   select ids.id, org_id, endpoint_id, message_id, type, entity, entity_id, event, past.id, 'waiting', body, $8, $8
   from (
     select *, row_number() over (order by position) as number from (
       select distinct on (message_id) * from webhook_deliveries
       where org_id = $1 and endpoint_id = $2 and state in ('delivered', 'failed', 'canceled') and ($3::uuid is null or id = $3)
         and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)
         and ($6::text[] is null or state = any($6::text[]))
       order by message_id, position
     ) as first
   ) as past
   join unnest($7::uuid[]) with ordinality as ids (id, number) on ids.number = past.number
   order by past.number
   returning id`,
  rows({ id: uuid }),
)

/** Up to $2 replays to the endpoint $1 that are not over. */
export const countReplays = statement(
  'webhook_deliveries_replays',
  `select count(*)::int as count from (
     select from webhook_deliveries
     where endpoint_id = $1 and state in ('waiting', 'pending', 'sending') and replay_of is not null limit $2
   ) as open`,
  rows({ count: integer }),
)

/** Ends deliveries that are not sent yet: $2 the state, $3 why, $4 when. One that is being sent stores its own result. */
export const endDeliveries = statement(
  'webhook_deliveries_end',
  `update webhook_deliveries set state = $2, reason = $3, finished_at = $4
   where endpoint_id = $1 and state in ('waiting', 'pending')`,
)

/** The first open delivery of an entity is the one that is due; those behind it wait. $1 endpoints and $2 entities, in pairs. */
export const promote = statement(
  'webhook_deliveries_promote',
  `update webhook_deliveries set state = 'pending' where state = 'waiting' and id in (
     select (
       select d.id from webhook_deliveries d
       where d.endpoint_id = given.endpoint_id and d.entity_id = given.entity_id and d.state in ('waiting', 'pending', 'sending')
       order by d.position limit 1
     )
     from (select distinct * from unnest($1::uuid[], $2::text[]) as pairs (endpoint_id, entity_id)) as given
   )
   returning id`,
  rows({ id: uuid }),
)
/** The same for all entities, for those whose worker died between two statements. */
export const promoteAll = statement(
  'webhook_deliveries_promote_all',
  `update webhook_deliveries set state = 'pending' where state = 'waiting' and id in (
     select distinct on (endpoint_id, entity_id) id from webhook_deliveries where state in ('waiting', 'pending', 'sending')
     order by endpoint_id, entity_id, position
   )`,
)
