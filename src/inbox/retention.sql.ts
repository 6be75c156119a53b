// How long inbox items are kept. Open and snoozed ones stay.

import { dayMs, prune } from '../kernel/retention.sql.ts'

export const inboxRetention = {
  inboxItems: prune('inbox_items', 'inbox_items', 'done_at < $1::timestamptz', () => 90 * dayMs),
}
