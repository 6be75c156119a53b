// How long the messages of telephony providers are kept. Calls, and what the messages came to, stay.

import type { Config } from '../config/environment.ts'
import { dayMs, type Partitioned, prune, withOverdue } from '../kernel/retention.sql.ts'

const keptMs = (config: Config) => config.PROVIDER_EVENT_RETENTION_DAYS * dayMs

export const voicePartitioned = {
  providerEvents: { table: 'provider_events', unit: 'month', keptMs },
  callTranscripts: { table: 'call_transcripts', unit: 'month', keptMs: () => null },
} satisfies Record<string, Partitioned>

export const voiceRetention = {
  // What is not dropped with its month. By the id, too: the plan then leaves out the partitions of later months.
  providerEvents: prune('provider_events', 'provider_events', 'id < least_id($1::timestamptz) and received_at < $1::timestamptz', config =>
    withOverdue(keptMs(config)),
  ),
}
