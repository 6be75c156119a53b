// Statements of the worker: claiming deliveries that are due, and storing what came of them.

import { statement } from '../../database/statement.ts'
import { integer, rows, text, uuid } from '../../database/table.ts'
import { deathReason, maxDeaths } from '../../kernel/queue/deaths.ts'
import { type DeliveryState, wholeDelivery } from '../deliveries/delivery.sql.ts'

/** 20 s: twice the timeout of sending, which leaves time to store the result. */
const leaseSeconds = 20

/**
 * $1 now, $2 how many of each endpoint this process is sending, $3 the most deliveries, $4 the most in flight of an endpoint, $5 the token,
 * $6 the most in flight of an organization.
 * A failing endpoint gets one delivery at a time. Endpoints are found one after the other by the index of pending deliveries, so the backlog
 * of one is not read for another.
 */
export const claimDue = statement(
  'webhook_claim',
  `with recursive busy (endpoint_id) as (
     (select endpoint_id from webhook_deliveries where state = 'pending' order by endpoint_id limit 1)
     union all
     select (
       select d.endpoint_id from webhook_deliveries d
       where d.state = 'pending' and d.endpoint_id > busy.endpoint_id order by d.endpoint_id limit 1
     ) from busy where busy.endpoint_id is not null
   ), flying as (
     select * from json_to_recordset($2) as given (endpoint_id uuid, org_id uuid, count integer)
   ), heads as (
     select head.id, head.due_at, e.org_id, row_number() over (partition by e.org_id order by head.due_at) as number from busy
     join webhook_endpoints e on e.id = busy.endpoint_id and e.state = 'enabled'
     left join flying on flying.endpoint_id = e.id
     cross join lateral (
       select d.id, d.due_at from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'pending' and d.due_at <= $1
       order by d.due_at limit greatest(0, case when e.failing_since is null then $4::int else 1 end - coalesce(flying.count, 0))
     ) as head
   ), chosen as (
     select id from heads
     where number <= $6 - coalesce((select sum(count) from flying where flying.org_id = heads.org_id), 0)
     order by due_at limit $3
   ), due as (
     select d.id from chosen join webhook_deliveries d on d.id = chosen.id and d.state = 'pending' for update of d skip locked
   )
   update webhook_deliveries d
   set state = 'sending', attempts = attempts + 1, lease_token = $5, lease_until = now() + interval '${leaseSeconds} seconds'
   from due where d.id = due.id returning ${wholeDelivery.of('d')}`,
  wholeDelivery,
)

// Attempts that ended are in the log. The workers of the others died.
const isGivenUp = `attempts - jsonb_array_length(attempt_log) >= ${maxDeaths}`

/** Makes those due again whose worker died, and fails those with too many of them. $1 now. Returns those that are over, for `promote`. */
export const releaseLost = statement(
  'webhook_release_lost',
  `with released as (
     update webhook_deliveries set lease_token = null, lease_until = null,
       state = case when ${isGivenUp} then 'failed' else 'pending' end,
       reason = case when ${isGivenUp} then '${deathReason}' else reason end,
       finished_at = case when ${isGivenUp} then $1::timestamptz end
     where id in (select id from webhook_deliveries where state = 'sending' and lease_until < now() for update skip locked)
     returning endpoint_id, entity_id, state
   )
   select endpoint_id, entity_id from released where state = 'failed'`,
  rows({ endpointId: uuid, entityId: text }),
)

/** Returns a delivery that was not sent. */
export const giveBack = statement(
  'webhook_give_back',
  `update webhook_deliveries set state = 'pending', attempts = attempts - 1, lease_token = null, lease_until = null
   where id = $1 and lease_token = $2`,
)

/**
 * $1 the results. A delivery whose lease was lost is another worker's. A delivery to be sent again is canceled if its endpoint was disabled or
 * deleted meanwhile. Returns the deliveries that are over, for `promote`.
 */
export const storeResults = statement(
  'webhook_store_results',
  `update webhook_deliveries d set
     state = case when given.state = 'pending' and e.id is null then 'canceled' else given.state end,
     reason = given.reason, body = coalesce(d.body, given.body), attempt_log = d.attempt_log || coalesce(given.attempt, '[]'),
     response_status = coalesce(given.response_status, d.response_status), due_at = given.due_at,
     finished_at = case when given.state = 'pending' and e.id is not null then null else given.at end,
     lease_token = null, lease_until = null
   from json_to_recordset($1) as given (id uuid, token uuid, state text, reason text, body text, attempt jsonb, response_status integer,
     due_at timestamptz, at timestamptz, endpoint_id uuid)
   left join webhook_endpoints e on e.id = given.endpoint_id and e.state = 'enabled'
   where d.id = given.id and d.lease_token = given.token
   returning d.endpoint_id, d.entity_id, d.state`,
  rows({ endpointId: uuid, entityId: text, state: text.as<DeliveryState>() }),
)

export const countOpen = statement(
  'webhook_open',
  `select state, count(*)::int as count from webhook_deliveries where state in ('waiting', 'pending', 'sending') group by state`,
  rows({ state: text, count: integer }),
)
