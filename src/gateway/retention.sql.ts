// Retention: deletes the gateway's old rows.

import type { Config } from '../config/environment.ts'
import { dayMs, prune } from '../kernel/retention.sql.ts'

const eventsKept = (config: Config) => config.gateway.retention.eventDays * dayMs

export const gatewayRetention = {
  // A conversation is deleted with its turns, runs and deliveries. Of the main one only old runs are.
  conversations: prune(
    'gateway_sessions',
    'gateway_sessions',
    `key <> 'main' and created_at < $1::timestamptz and updated_at < $1::timestamptz and not exists (
       select 1 from gateway_runs r where r.session_id = gateway_sessions.id and r.status in ('accepted', 'running'))`,
    config => config.gateway.retention.sessionDays * dayMs,
  ),
  mainRuns: prune(
    'gateway_runs',
    'gateway_runs',
    `session_id in (select id from gateway_sessions where key = 'main') and created_at < $1::timestamptz and status in ('completed', 'failed')`,
    eventsKept,
  ),
  hookPayloads: prune('hook_payloads', 'hook_payloads', 'received_at < $1::timestamptz', () => 7 * dayMs),
  systemEvents: prune('gateway_events', 'gateway_events', 'created_at < $1::timestamptz and seen_at is not null', eventsKept),
}
