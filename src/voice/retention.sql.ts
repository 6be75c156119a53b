// How long the messages of telephony providers are kept. Calls, and what the messages came to, stay.

import { dayMs, prune } from '../kernel/retention.sql.ts'

export const voiceRetention = {
  providerEvents: prune(
    'provider_events',
    'provider_events',
    'received_at < $1::timestamptz',
    config => config.PROVIDER_EVENT_RETENTION_DAYS * dayMs,
  ),
}
