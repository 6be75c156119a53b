// What may be forgotten is: answers kept for retries, old events, sessions that ended, enrichment that is settled.

import type { Services } from './context.ts'
import { statement } from './database/client.ts'
import { keptHours } from './once.ts'

// Slices of 5,000 rows keep each delete short, and its locks few.
const slice = 5000
// Locked where the condition is looked at: a delete that had to wait would look at nothing but the id again, and take what was just used.
// What somebody is using now waits for the next round.
const prune = (name: string, table: string, condition: string, key = 'id') =>
  statement<{ id: unknown }>(
    name,
    `delete from ${table} where ${key} in (select ${key} from ${table} where ${condition} limit ${slice} for update skip locked) returning 1 as id`,
  )

const pruneKeys = prune('prune_idempotency_keys', 'idempotency_keys', 'created_at < $1::timestamptz')
const pruneEvents = prune('prune_events', 'events', 'created_at < $1::timestamptz')
const pruneSessions = prune('prune_sessions', 'sessions', 'expires_at < $1::timestamptz or revoked_at < $1::timestamptz')
const pruneSignIns = prune('prune_idp_sessions', 'idp_sessions', 'expires_at < $1::timestamptz')
const pruneVerifications = prune('prune_idp_verifications', 'idp_verifications', 'expires_at < $1::timestamptz')
// Used, voided or too old: none of them lets anybody in.
const pruneInvitations = prune('prune_invitations', 'invitations', 'expires_at < $1::timestamptz')
const pruneSignInAttempts = prune('prune_idp_sign_in_attempts', 'idp_sign_in_attempts', 'began_at < $1::timestamptz', 'account')

// A conversation goes with its turns, runs and deliveries; the main one stays, and forgets.
const pruneConversations = prune(
  'prune_gateway_sessions',
  'gateway_sessions',
  `key <> 'main' and created_at < $1::timestamptz and updated_at < $1::timestamptz and not exists (
     select 1 from gateway_runs r where r.session_id = gateway_sessions.id and r.status in ('accepted', 'running'))`,
)
const pruneMainRuns = prune(
  'prune_gateway_runs',
  'gateway_runs',
  `session_id in (select id from gateway_sessions where key = 'main') and created_at < $1::timestamptz and status in ('completed', 'failed')`,
)
const pruneSystemEvents = prune('prune_gateway_events', 'gateway_events', 'created_at < $1::timestamptz and seen_at is not null')

// Suggestions before the jobs that made them: a job goes with its steps once no suggestion needs it any more, so one that still waits
// for a decision keeps its job, however old that is.
const pruneSuggestions = prune('prune_suggestions', 'suggestions', 'decided_at < $1::timestamptz')
const pruneJobs = prune(
  'prune_enrichment_jobs',
  'enrichment_jobs',
  'finished_at < $1::timestamptz and not exists (select from suggestions s where s.job_id = enrichment_jobs.id)',
)

const hour = 3_600_000
const day = 24 * hour

/** Deletes what has outlived its retention; resolves with the number of rows by kind. */
export async function applyRetention({ database, config, now }: Services, signal?: AbortSignal): Promise<Record<string, number>> {
  const before = (age: number) => new Date(now().getTime() - age).toISOString()
  const rules = {
    idempotencyKeys: [pruneKeys, before(keptHours * hour)],
    events: [pruneEvents, before(config.EVENT_RETENTION_DAYS * day)],
    // Ended sessions stay a month, so that the list of sessions can still explain them.
    sessions: [pruneSessions, before(30 * day)],
    signIns: [pruneSignIns, before(0)],
    verifications: [pruneVerifications, before(0)],
    invitations: [pruneInvitations, before(30 * day)],
    signInAttempts: [pruneSignInAttempts, before(hour)],
    conversations: [pruneConversations, before(config.gateway.retention.sessionDays * day)],
    mainRuns: [pruneMainRuns, before(config.gateway.retention.eventDays * day)],
    suggestions: [pruneSuggestions, before(config.ENRICHMENT_RETENTION_DAYS * day)],
    enrichmentJobs: [pruneJobs, before(config.ENRICHMENT_RETENTION_DAYS * day)],
    systemEvents: [pruneSystemEvents, before(config.gateway.retention.eventDays * day)],
  } as const

  const pruned: Record<string, number> = {}
  for (const [kind, [statement, limit]] of Object.entries(rules)) {
    pruned[kind] = 0
    for (;;) {
      signal?.throwIfAborted()
      const { length } = await database.query(statement, [limit])
      pruned[kind] += length
      if (length < slice) break
    }
  }
  return pruned
}
