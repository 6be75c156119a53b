// How long deliveries are kept. What is not sent yet stays until it is.

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
  // What is not dropped with its week: in a partition of a longer time, or in one that an open delivery keeps. By the id, too: the plan then
  // leaves out the partitions of later weeks.
  webhookDeliveries: prune(
    'webhook_deliveries',
    'webhook_deliveries',
    "id < least_id($1::timestamptz) and created_at < $1::timestamptz and state in ('delivered', 'failed', 'canceled')",
    () => (keptDays + 7) * dayMs,
  ),
}
