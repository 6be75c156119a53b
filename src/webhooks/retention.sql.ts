// How long deliveries are kept. What is not sent yet stays until it is.

import { dayMs, prune } from '../kernel/retention.sql.ts'

const keptDays = 30

export const webhookRetention = {
  webhookDeliveries: prune(
    'webhook_deliveries',
    'webhook_deliveries',
    "created_at < $1::timestamptz and state in ('delivered', 'failed', 'canceled')",
    () => keptDays * dayMs,
  ),
}
