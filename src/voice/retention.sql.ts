// How long the messages of telephony providers are kept, transcripts, and conversations. Calls, and what the messages came to, stay.

import type { Config } from '../config/environment.ts'
import { dayMs, type Partitioned, prune, withOverdue } from '../kernel/retention.sql.ts'

const eventsKeptMs = (config: Config) => config.PROVIDER_EVENT_RETENTION_DAYS * dayMs
// 90 days: a trial is looked at in the days after it.
const trialsKeptMs = 90 * dayMs
const transcriptsKeptMs = ({ TRANSCRIPT_RETENTION_DAYS: days }: Config) => (days === undefined ? null : days * dayMs)

export const voicePartitioned = {
  providerEvents: { table: 'provider_events', unit: 'month', keptMs: eventsKeptMs },
  callTranscripts: {
    table: 'call_transcripts',
    unit: 'month',
    keptMs: transcriptsKeptMs,
    // A call may be placed a year before it is dialled.
    used: before => `written_at >= '${before}'`,
  },
} satisfies Record<string, Partitioned>

export const voiceRetention = {
  // With their turns.
  conversationsInWriting: prune(
    'conversations_in_writing',
    'conversations',
    'created_at < $1::timestamptz and call_id is null',
    () => trialsKeptMs,
  ),
  conversationsOfCalls: prune(
    'conversations_of_calls',
    'conversations',
    'created_at < $1::timestamptz and call_id is not null',
    transcriptsKeptMs,
  ),
  // Rows that are not dropped with their month. The condition on the id lets the plan leave out the partitions of later months.
  providerEvents: prune('provider_events', 'provider_events', 'id < least_id($1::timestamptz) and received_at < $1::timestamptz', config =>
    withOverdue(eventsKeptMs(config)),
  ),
  callTranscripts: prune(
    'call_transcripts',
    'call_transcripts',
    'id < least_id($1::timestamptz) and written_at < $1::timestamptz',
    config => {
      const keptMs = transcriptsKeptMs(config)
      return keptMs === null ? null : withOverdue(keptMs)
    },
  ),
}
