// The table of enrichment jobs, and the statements of callers: insert and read.

import { followAllMerges } from '../../contacts/merge/move.sql.ts'
import { statement } from '../../database/statement.ts'
import {
  bigint,
  boolean,
  integer,
  jsonb,
  object,
  type RowOf,
  rows,
  smallint,
  table,
  text,
  timestamptz,
  uuid,
} from '../../database/table.ts'
import { eventColumns } from '../../kernel/events/event.sql.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import type { Actor } from '../../kernel/principal.ts'
import type { Finding, Reading } from '../providers/provider.ts'
import { companyIdSql, contactIdSql } from '../targets/target.sql.ts'

export const jobEvents = eventsOf('enrichment_job', {
  canceled: 'An enrichment job was canceled.',
  completed: 'An enrichment job ended with a result.',
  failed: 'An enrichment job failed for good.',
  insufficient_credits: 'An enrichment job ended because the credits did not suffice.',
  queued: 'An enrichment job was accepted.',
  retried: 'An enrichment job is tried again.',
  running: 'A worker began an enrichment job.',
})

export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'canceled', 'insufficient_credits'] as const
export type JobStatus = (typeof jobStatuses)[number]
export const openStatuses: readonly JobStatus[] = ['queued', 'running']
const jobResults = ['found', 'partial', 'no_data'] as const
export type JobResult = (typeof jobResults)[number]
const stepStatuses = ['found', 'no_data', 'skipped', 'failed'] as const
type StepStatus = (typeof stepStatuses)[number]

/** The result of a step. */
export interface StepRecord {
  step: string
  provider: string
  status: StepStatus
  /** The cost in credits. */
  credits: number
  durationMs: number
  error: string | null
  /** Facts that are not values of fields. Keys in snake_case, as in recipes and REST. */
  detail: Record<string, unknown> | null
}

/** A finding with the step that produced it. */
export interface StepFinding extends Finding {
  step: string
  provider: string
  observedAt: string
}

const shown = {
  id: uuid,
  orgId: uuid,
  target: object({ hostApp: text.named('host_app'), id: text, kind: text }),
  contactId: uuid.orNull(),
  companyId: uuid.orNull(),
  recipe: text,
  recipeVersion: integer,
  options: jsonb.as<Record<string, unknown>>(),
  status: text.as<JobStatus>(),
  result: text.as<JobResult>().orNull(),
  steps: jsonb.as<StepRecord[]>(),
  error: text.orNull(),
  suggestionCount: integer,
  creditsReservedMicro: bigint.named('credits_reserved'),
  creditsChargedMicro: bigint.named('credits_charged'),
  attempts: smallint,
  createdBy: object({ type: text.as<Actor['type']>(), id: text.orNull(), name: text.orNull() }),
  createdAt: timestamptz,
  startedAt: timestamptz.orNull(),
  finishedAt: timestamptz.orNull(),
}
export const jobs = table('enrichment_jobs', shown)
export type Job = RowOf<typeof jobs>

const held = {
  ...shown,
  claim: uuid,
  findings: jsonb.as<StepFinding[]>(),
  readings: jsonb.as<Reading[]>(),
  holdId: uuid.orNull(),
  payerId: text.orNull(),
}
/** The columns of jobs that workers read. */
export const heldJobs = table('enrichment_jobs', held)
export type HeldJob = RowOf<typeof heldJobs>
/** The result of a claim. Its statement has a CTE `lost` with the jobs of lost workers. */
export const claimedJobs = table('enrichment_jobs', { ...held, isTakenOver: boolean.computed(() => 'id in (select id from lost)') })
/** The columns of an ended job. Steps and findings are null for those that are stored. */
export const endedJob = table('enrichment_jobs', {
  ...{ id: uuid, claim: uuid, status: shown.status, result: shown.result, error: shown.error, contactId: shown.contactId },
  companyId: shown.companyId,
  ...{
    suggestionCount: integer,
    creditsChargedMicro: shown.creditsChargedMicro,
    steps: held.steps.orNull(),
    findings: held.findings.orNull(),
  },
}).values()

const { all } = jobs
export const jobsById = statement('jobs_by_id', `select ${all.sql} from enrichment_jobs where org_id = $1 and id = any($2::uuid[])`, all)
export const openJobOf = statement(
  'job_open',
  `select ${all.sql} from enrichment_jobs
   where org_id = $1 and host_app = $2 and target_kind = $3 and target_id = $4 and recipe = $5 and status in ('queued', 'running')`,
  all,
)

/** Locks an organization's queue until the end of the transaction. $1 organization. */
export const lockQueue = statement('job_queue_lock', 'select from pg_advisory_xact_lock(hashtextextended($1, 20261120))')

/** The columns of a new job that have no default. */
export const newJob = heldJobs.values(['id', 'orgId', 'target', 'recipe', 'recipeVersion', 'options', 'createdBy', 'createdAt', 'payerId'])
const eventOfRow = eventColumns
  .split(', ')
  .map(name => `${name === 'contact_id' || name === 'company_id' ? 'row' : 'event'}.${name}`)
  .join(', ')

/**
 * Inserts jobs with their events. $1 the jobs as JSON: `newJob`, the keys of the target's record, and `max_queued`; $2 the events. Queued
 * jobs are counted up to the limit, including earlier rows of the same statement.
 */
export const insertQueued = statement(
  'jobs_insert',
  `with asked as (
     select *, row_number() over (partition by org_id) as place
     from jsonb_to_recordset($1) as job (${newJob.definitions}, contact_id uuid, contact_external_id text, company_id uuid, company_external_id text, company_domain text,
       max_queued int)
   ), queues as materialized (
     select org_id, (select count(*)::int from (select 1 from enrichment_jobs j where j.org_id = o.org_id and j.status = 'queued' limit o.max_queued) queued) as waiting
     from (select org_id, max(max_queued) as max_queued from asked group by org_id) o
   ), row as (
     insert into enrichment_jobs (${newJob.columns}, contact_id, company_id, run_after)
     select ${newJob.columns}, ${contactIdSql('asked.org_id', 'asked.contact_id', 'asked.contact_external_id')},
       ${companyIdSql('asked.org_id', 'asked.company_id', 'asked.company_external_id', 'asked.company_domain')}, created_at
     from asked join queues using (org_id) where waiting + place <= max_queued
     -- Sorted, so that two statements with the same targets cannot deadlock.
     order by org_id, host_app, target_kind, target_id, recipe
     on conflict (org_id, host_app, target_kind, target_id, recipe) where status in ('queued', 'running') do nothing
     returning id, contact_id, company_id
   ), event as (
     insert into events (${eventColumns})
     select ${eventOfRow} from jsonb_populate_recordset(null::events, $2) event join row on row.id::text = event.entity_id
   )
   select asked.id, row.id is not null as is_new, row.contact_id, row.company_id, waiting
   from asked join queues using (org_id) left join row using (id)`,
  rows({ id: uuid, isNew: boolean, contactId: uuid.orNull(), companyId: uuid.orNull(), waiting: integer }),
)

// A merged record's target leads to the record into which it was merged, so it stays.
followAllMerges('enrichment_jobs', { name: 'jobs', description: 'Enrichment jobs', isVersioned: false, isLockedFirst: true })
