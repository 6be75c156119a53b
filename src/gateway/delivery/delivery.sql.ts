// Statements of deliveries: a worker claims one, and stores the result while it holds the lease.

import { statement } from '../../database/statement.ts'
import { bigint, rows, text, uuid } from '../../database/table.ts'
import type { DeliveryState } from './delivery.ts'

/** The next delivery that is due. The parts of one reply are sent one after the other. */
export const selectDue = statement(
  'gateway_due_delivery',
  `select d.id, d.state from gateway_deliveries d
   where d.org_id = $1 and ((d.state = 'pending' and d.due_at <= $2) or (d.state = 'sending' and d.lease_until < now()))
     and not exists (select 1 from gateway_deliveries e where e.run_id = d.run_id and e.part < d.part and e.state in ('pending', 'sending'))
   order by d.due_at limit 1 for update of d skip locked`,
  rows({ id: uuid, state: text.as<DeliveryState>() }),
)

/** 30 s: three times the timeout of sending, which leaves time to store the result. */
export const leaseSeconds = 30

export const beginSending = statement(
  'gateway_begin_sending',
  `update gateway_deliveries set state = 'sending', attempts = attempts + 1, lease_token = $2,
     workers_lost = workers_lost + case when state = 'sending' then 1 else 0 end,
     lease_until = now() + interval '${leaseSeconds} seconds', updated_at = $3 where id = $1`,
)

export const returnUnsent = statement(
  'gateway_give_back_delivery',
  `update gateway_deliveries set state = $3, attempts = attempts - 1, lease_token = null, lease_until = now(),
     workers_lost = workers_lost - case when $3 = 'sending' then 1 else 0 end
   where id = $1 and lease_token = $2`,
)

/** Stores the result if the lease is held. An acknowledgment also replaces `unknown`, which another worker may have stored. */
export const storeResult = statement(
  'gateway_settle_delivery',
  `update gateway_deliveries set state = $3, message_id = $4, reason = $5, due_at = $6, sent_at = $7, updated_at = $8, lease_token = null,
     lease_until = null where id = $1 and (lease_token = $2 or ($3 = 'sent' and state = 'unknown')) returning id`,
  rows({ id: uuid }),
)

// Each count reads the index that holds open deliveries only.
export const countOpenDeliveries = statement(
  'gateway_open_deliveries',
  `select 'pending' as state, count(*) from gateway_deliveries where state = 'pending'
   union all select 'sending', count(*) from gateway_deliveries where state = 'sending'`,
  rows({ state: text.as<DeliveryState>(), count: bigint }),
)

// A literal `pending`, so that every plan can read the index that holds open deliveries only.
export const postponeChannel = statement(
  'gateway_postpone_channel',
  `update gateway_deliveries set due_at = $3 where org_id = $1 and channel = $2 and state = 'pending' and due_at < $3`,
)
