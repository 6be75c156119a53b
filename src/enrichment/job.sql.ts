// Enrichment jobs as rows, and the statements that read and write one.

import { type Statement, statement } from '../database/client.ts'
import type { Actor } from '../identity/principal.ts'
import type { Finding } from './provider.ts'
import type { Target } from './target.ts'

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'canceled', 'insufficient_credits'] as const
export type JobStatus = (typeof jobStatuses)[number]
export const openStatuses: readonly JobStatus[] = ['queued', 'running']
export const jobResults = ['found', 'partial', 'no_data'] as const
export type JobResult = (typeof jobResults)[number]
export const stepStatuses = ['found', 'no_data', 'skipped', 'failed'] as const
export type StepStatus = (typeof stepStatuses)[number]

/** What came of a step. */
export interface StepRecord {
  step: string
  provider: string
  status: StepStatus
  /** What it cost, in credits. */
  credits: number
  durationMs: number
  error: string | null
  /** What it found out besides values, in snake_case: recipes and REST name it so. */
  detail: Record<string, unknown> | null
}

/** A value found by a step that has run. */
export interface StepFinding extends Finding {
  step: string
  provider: string
  observedAt: string
}

export interface Job {
  id: string
  orgId: string
  target: Target
  contactId: string | null
  recipe: string
  recipeVersion: number
  options: Record<string, unknown>
  status: JobStatus
  result: JobResult | null
  steps: StepRecord[]
  error: string | null
  suggestionCount: number
  /** In micro-credits. */
  creditsReservedMicro: number
  creditsChargedMicro: number
  attempts: number
  createdBy: Actor
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}

export const jobColumns = [
  'id',
  'org_id',
  'host_app',
  'target_id',
  'target_kind',
  'contact_id',
  'recipe',
  'recipe_version',
  'options',
  'status',
  'result',
  'steps',
  'error',
  'suggestion_count',
  'credits_reserved',
  'credits_charged',
  'attempts',
  'created_by_type',
  'created_by_id',
  'created_by_name',
  'created_at',
  'started_at',
  'finished_at',
] as const

type Cells = [
  ...[
    id: string,
    orgId: string,
    hostApp: string,
    targetId: string,
    kind: string,
    contactId: string | null,
    recipe: string,
    version: number,
  ],
  ...[options: Record<string, unknown>, status: JobStatus, result: JobResult | null, steps: StepRecord[], error: string | null],
  ...[suggestions: number, reserved: number, charged: number, attempts: number, byType: Actor['type'], byId: string | null],
  ...[byName: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null],
]

export function jobRow(columns: readonly never[]): Job {
  // The statement selects `jobColumns`, which are these.
  const c = columns as unknown as Cells
  return {
    id: c[0],
    orgId: c[1],
    target: { hostApp: c[2], id: c[3], kind: c[4] },
    contactId: c[5],
    recipe: c[6],
    recipeVersion: c[7],
    options: c[8],
    status: c[9],
    result: c[10],
    steps: c[11],
    error: c[12],
    suggestionCount: c[13],
    creditsReservedMicro: c[14],
    creditsChargedMicro: c[15],
    attempts: c[16],
    createdBy: { type: c[17], id: c[18], name: c[19] },
    createdAt: c[20],
    startedAt: c[21],
    finishedAt: c[22],
  }
}

export const jobById = statement<Job>('job_by_id', `select ${jobColumns} from enrichment_jobs where org_id = $1 and id = $2`, jobRow)
export const jobsById = statement<Job>(
  'jobs_by_id',
  `select ${jobColumns} from enrichment_jobs where org_id = $1 and id = any($2::uuid[])`,
  jobRow,
)
export const openJobOf = statement<Job>(
  'job_open',
  `select ${jobColumns} from enrichment_jobs
   where org_id = $1 and host_app = $2 and target_kind = $3 and target_id = $4 and recipe = $5 and status in ('queued', 'running')`,
  jobRow,
)

export const setJobHold = statement<never>('job_hold', 'update enrichment_jobs set hold_id = $2, credits_reserved = $3 where id = $1')

/** Ends an open job, whoever runs it. $1 organization, $2 id, $3 now. Returns the job with its hold. */
export const cancelJob: Statement<{ holdId: string | null; contactId: string | null }> = statement(
  'job_cancel',
  `update enrichment_jobs set status = 'canceled', claim = null, lease_until = null, finished_at = $3
   where org_id = $1 and id = $2 and status in ('queued', 'running') returning hold_id as "holdId", contact_id as "contactId"`,
)

/** Queues a failed job again from where it was, with its attempts anew. $1 organization, $2 id, $3 now. */
export const requeueJob = statement<{ contactId: string | null }>(
  'job_requeue',
  `update enrichment_jobs set status = 'queued', attempts = 0, error = null, result = null, finished_at = null, run_after = $3, hold_id = null,
     credits_reserved = 0, credits_charged = 0
   where org_id = $1 and id = $2 and status in ('failed', 'insufficient_credits') returning contact_id as "contactId"`,
)
