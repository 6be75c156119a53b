// Rows of runs as the rules and the schema see them.

import { statement } from '../database/client.ts'
import { eventColumns } from '../events.ts'
import type { ChannelChoice, ThinkingLevel, WakeMode } from './words.ts'

export type RunKind = 'hook' | 'heartbeat'
export const runStatuses = ['accepted', 'running', 'completed', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

export interface Run {
  id: string
  orgId: string
  sessionId: string
  sessionKey: string
  kind: RunKind
  agentId: string
  name: string | null
  origin: string | null
  message: string
  wakeMode: WakeMode
  deliver: boolean
  channel: ChannelChoice
  recipient: string | null
  model: string
  thinking: ThinkingLevel | null
  timeoutSeconds: number
  scopes: string[]
  /** In micro-credits, as the money is. */
  creditCeiling: number
  creditsReserved: number
  creditsCharged: number
  status: RunStatus
  attempt: number
  steps: number
  inputTokens: number
  outputTokens: number
  reply: string | null
  summary: string | null
  error: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

export const runColumns = `r.id, r.org_id as "orgId", r.session_id as "sessionId", s.key as "sessionKey", r.kind, r.agent_id as "agentId", r.name, r.origin,
  r.message, r.wake_mode as "wakeMode", r.deliver, r.channel, r.recipient, r.model, r.thinking, r.timeout_seconds as "timeoutSeconds", r.scopes,
  r.credit_ceiling as "creditCeiling", r.credits_reserved as "creditsReserved", r.credits_charged as "creditsCharged", r.status, r.attempt, r.steps,
  r.input_tokens as "inputTokens",
  r.output_tokens as "outputTokens", r.reply, r.summary, r.error, r.created_at as "createdAt", r.started_at as "startedAt",
  r.finished_at as "finishedAt"`
export const runTables = 'gateway_runs r join gateway_sessions s on s.id = r.session_id'

export const selectRuns = statement<Run>(
  'gateway_runs_by_id',
  `select ${runColumns} from ${runTables} where r.org_id = $1 and r.id = any($2::uuid[])`,
)

// The session's row stays locked until the commit, so runs of one session get their positions in the order they are committed.
// What comes from a hook ($8 says which) continues no conversation that a person began: then nothing is inserted.
export const insertRun = statement<{ id: string }>(
  'gateway_insert_run',
  `with session as (
     insert into gateway_sessions as s (id, org_id, key, begun_by, created_at, updated_at)
     values ($1, $2, $3, case when $8::text is null then 'user' else 'hook' end, $4, $4)
     on conflict (org_id, key) do update set updated_at = excluded.updated_at
     where $8::text is null or s.begun_by is distinct from 'user' returning s.id),
   run as (
     insert into gateway_runs (id, org_id, session_id, kind, agent_id, name, origin, message, wake_mode, deliver, channel, recipient, model, thinking,
       timeout_seconds, scopes, credit_ceiling, status, created_at)
     select $5, $2, session.id, 'hook', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, 'accepted', $4 from session)
   insert into events (${eventColumns}) select $19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31,$32 from session returning id`,
)

/**
 * Queues a failed run again; what it did already stands in its turns, and is not done twice. Its session counts as used, and is locked first,
 * as by everybody else.
 */
export const reopenRun = statement<{ id: string }>(
  'gateway_reopen_run',
  `with session as (
     update gateway_sessions s set updated_at = $3 from gateway_runs r
     where r.org_id = $1 and r.id = $2 and r.status = 'failed' and r.kind = 'hook' and s.id = r.session_id returning s.id)
   update gateway_runs r set status = 'accepted', attempt = 0, error = null, summary = null, started_at = null, finished_at = null
   from session where r.session_id = session.id and r.org_id = $1 and r.id = $2 and r.status = 'failed' and r.kind = 'hook' returning r.id`,
)
