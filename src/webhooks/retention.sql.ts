// How long deliveries are kept. Pending deliveries stay until they are sent.

import { dayMs, type Partitioned, prune } from '../kernel/retention.sql.ts'

const keptDays = 30

export const webhookPartitioned = {
  webhookDeliveries: {
    table: 'webhook_deliveries',
    unit: 'week',
    keptMs: () => keptDays * dayMs,
    used: () => "state in ('waiting', 'pending', 'sending')",
  },
} satisfies Record<string, Partitioned>

export const webhookRetention = {
  // Rows that are not dropped with their week: in a partition of a longer time, or in one that an open delivery keeps. The condition on the id
  // lets the plan leave out the partitions of later weeks.
  webhookDeliveries: prune(
    'webhook_deliveries',
    'webhook_deliveries',
    "id < least_id($1::timestamptz) and created_at < $1::timestamptz and state in ('delivered', 'failed', 'canceled')",
    () => (keptDays + 7) * dayMs,
  ),
}
