// The queue's own side of jobs: claimed in turns, one organization after the other, held by a lease, taken over, given back or given up.

import { randomUUID } from 'node:crypto'
import { type Context, createContext, inTransaction, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { recordEvent } from '../events.ts'
import { type Job, type JobResult, jobColumns, jobRow, type StepFinding, type StepRecord } from './job.sql.ts'
import type { Reading } from './provider.ts'
import { storableJson } from './storable-json.ts'

/** A job that is this worker's until its lease ends. Whatever is written of it is written with the claim, or not at all. */
export interface ClaimedJob extends Job {
  claim: string
  /** Taken over from a worker that was lost. */
  isTakenOver: boolean
  findings: StepFinding[]
  readings: Reading[]
  holdId: string | null
  payerId: string | null
}

/** Somebody else has the job by now, or it was canceled. */
export class ClaimLost extends Error {}

// 20 s: renewed every 5, so that only a dead or a stopped worker loses its jobs, and those run again after half a minute at most.
export const leaseMs = 20_000
export const renewMs = 5000
export const mostAttempts = 5

export const workerLost = 'The worker that ran it was lost'
// An attempt that got further before its worker was lost does not count: it was not the job's fault.
const gotFurther = 'jsonb_array_length(steps) > steps_at_claim'

const claimedColumns = [...jobColumns, 'claim', 'findings', 'readings', 'hold_id', 'payer_id']
function claimedRow(columns: readonly never[]): ClaimedJob {
  // The statement returns `claimedColumns`.
  const [claim, findings, readings, holdId, payerId, isTakenOver = false] = columns.slice(jobColumns.length) as unknown as [
    string,
    StepFinding[],
    Reading[],
    string | null,
    string | null,
    boolean?,
  ]
  return { ...jobRow(columns), claim, findings, readings, holdId, payerId, isTakenOver }
}

// Jobs of workers that were lost go before everything that waits: they had their turn. Then organizations with due jobs by how long ago
// each was served, found by hopping through the index of waiting jobs: the number of jobs behind them does not matter. One job of each;
// first attempts before retries, so that what fails does not stand in the way.
const claimJobs = statement<ClaimedJob>(
  'job_claim',
  `with recursive lost as materialized (
     select id from enrichment_jobs
     where status = 'running' and lease_until < $1::timestamptz and (attempts < ${mostAttempts} or ${gotFurther})
     order by lease_until limit $2 for update skip locked
   ), waiting (org_id) as (
     (select org_id from enrichment_jobs where status = 'queued' order by org_id limit 1)
     union all
     select (select j.org_id from enrichment_jobs j where j.status = 'queued' and j.org_id > w.org_id order by j.org_id limit 1)
     from waiting w where w.org_id is not null
   ), turns as materialized (
     select w.org_id from waiting w
     where w.org_id is not null
       and exists (select 1 from enrichment_jobs j where j.org_id = w.org_id and j.status = 'queued' and j.run_after <= $1::timestamptz)
     order by (select max(s.served_at) from enrichment_jobs s where s.org_id = w.org_id and s.served_at is not null) nulls first, w.org_id
     limit $2 - (select count(*) from lost)
   ), next as materialized (
     select j.id from turns t cross join lateral (
       select id from enrichment_jobs where org_id = t.org_id and status = 'queued' and run_after <= $1::timestamptz
       order by attempts, run_after, id limit 1 for update skip locked
     ) j
   )
   update enrichment_jobs set status = 'running', claim = $3, lease_until = $4::timestamptz, served_at = $1::timestamptz,
     started_at = coalesce(started_at, $1::timestamptz), steps_at_claim = jsonb_array_length(steps),
     attempts = attempts + case when status = 'running' and ${gotFurther} then 0 else 1 end,
     error = case when status = 'running' then '${workerLost}' else error end
   where id in (select id from lost union all select id from next) returning ${claimedColumns}, id in (select id from lost)`,
  claimedRow,
)

/** Claims up to so many jobs of different organizations. */
export function claim({ database, now }: Services, most: number): Promise<ClaimedJob[]> {
  const time = now()
  const lease = new Date(time.getTime() + leaseMs).toISOString()
  // One statement, one claim: rows are told apart by their ids.
  return database.query(claimJobs, [time.toISOString(), most, randomUUID(), lease])
}

const renewJobs = statement<{ id: string }>(
  'job_renew',
  `update enrichment_jobs j set lease_until = $3::timestamptz from unnest($1::uuid[], $2::uuid[]) as held (id, claim)
   where j.id = held.id and j.claim = held.claim and j.status = 'running' returning j.id`,
)

/** Renews the leases; resolves with the ids of the jobs that are still ours. */
export async function renew({ database, now }: Services, jobs: readonly ClaimedJob[]): Promise<Set<string>> {
  if (jobs.length === 0) return new Set()
  const lease = new Date(now().getTime() + leaseMs).toISOString()
  const rows = await database.query(renewJobs, [jobs.map(({ id }) => id), jobs.map(job => job.claim), lease])
  return new Set(rows.map(({ id }) => id))
}

const lastLost = statement<ClaimedJob>(
  'job_last_lost',
  `select ${claimedColumns} from enrichment_jobs
   where status = 'running' and lease_until < $1::timestamptz and attempts >= ${mostAttempts} and not ${gotFurther} limit 100`,
  claimedRow,
)

/** Gives up the jobs whose worker was lost at their last attempt. */
export async function giveUpLost(services: Services): Promise<void> {
  for (const job of await services.database.query(lastLost, [services.now().toISOString()]))
    await failAttempt(services, job, workerLost).catch(error => {
      if (!(error instanceof ClaimLost)) throw error
    })
}

/** As whom a job runs. */
export const asWorker = (services: Services, job: Job): Context =>
  createContext(services, {
    principal: { kind: 'system', name: 'enrichment', orgId: job.orgId },
    requestId: `job-${job.id}`,
    door: 'tasks',
    operation: 'enrichJob',
  })

const saveProgress = statement<{ id: string }>(
  'job_progress',
  `update enrichment_jobs set steps = $3, findings = $4, readings = $5 where id = $1 and claim = $2 and status = 'running' returning id`,
)

/** What the steps came to so far: with it another worker, or another attempt, goes on. */
export interface Progress {
  steps: StepRecord[]
  findings: StepFinding[]
  readings: Reading[]
}

/** Throws ClaimLost. */
export async function keepProgress(context: Context, job: ClaimedJob, { steps, findings, readings }: Progress): Promise<void> {
  const values = [steps, findings, readings].map(storableJson)
  const [kept] = await context.db.query(saveProgress, [job.id, job.claim, ...values])
  if (!kept) throw new ClaimLost()
}

const lockClaimed = statement<{ id: string }>(
  'job_lock',
  `select id from enrichment_jobs where id = $1 and claim = $2 and status = 'running' for update`,
)

/** Locks the job for the rest of the transaction. Throws ClaimLost. */
export async function lockClaim(context: Context, job: ClaimedJob): Promise<void> {
  const [locked] = await context.db.query(lockClaimed, [job.id, job.claim])
  if (!locked) throw new ClaimLost()
}

export interface Ending {
  status: 'completed' | 'insufficient_credits' | 'failed'
  result: JobResult | null
  error: string | null
  contactId: string | null
  suggestionCount: number
  chargedMicro: bigint
  steps: readonly StepRecord[]
}

const endJob = statement<{ id: string }>(
  'job_end',
  `update enrichment_jobs set status = $3, result = $4, error = $5, contact_id = $6, suggestion_count = $7, credits_charged = $8, steps = $9,
     readings = case when $3 = 'failed' then readings else '[]' end, claim = null, lease_until = null, finished_at = greatest($10::timestamptz, started_at)
   where id = $1 and claim = $2 and status = 'running' returning id`,
)

/** Ends the job, inside a transaction. Throws ClaimLost. */
export async function end(context: Context, job: ClaimedJob, ending: Ending): Promise<void> {
  const { status, result, error, contactId, suggestionCount, chargedMicro, steps } = ending
  const values = [job.id, job.claim, status, result, error, contactId, suggestionCount, chargedMicro, storableJson(steps)]
  const [ended] = await context.db.query(endJob, [...values, context.now().toISOString()])
  if (!ended) throw new ClaimLost()
  const changes = { recipe: job.recipe, result, suggestionCount, ...(error !== null && { error }) }
  await recordEvent(context, { type: `enrichment_job.${status}`, entityId: job.id, contactId, changes })
}

const queueAgain = statement<{ id: string }>(
  'job_again',
  `update enrichment_jobs set status = 'queued', claim = null, lease_until = null, run_after = $3, error = $4, attempts = attempts - $5
   where id = $1 and claim = $2 and status = 'running' returning id`,
)

/** An attempt failed: queued again after a while, and given up after the last one, with the reason. Throws ClaimLost. */
export async function failAttempt(services: Services, job: ClaimedJob, reason: string): Promise<void> {
  const context = asWorker(services, job)
  if (job.attempts < mostAttempts) {
    await services.database.transaction(async tx => {
      const [again] = await tx.query(queueAgain, [job.id, job.claim, retryAt(context.now(), job.attempts), reason, 0])
      if (!again) throw new ClaimLost()
      const changes = { attempt: job.attempts, reason }
      await recordEvent(inTransaction(context, tx), { type: 'enrichment_job.retried', entityId: job.id, changes })
    })
    return
  }
  await services.database.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await lockClaim(inside, job)
    if (job.holdId !== null) await services.money.release(inside, job.holdId)
    const { contactId, steps } = job
    const error = `Given up after ${job.attempts} attempts: ${reason}`
    await end(inside, job, { status: 'failed', result: null, error, contactId, suggestionCount: 0, chargedMicro: 0n, steps })
  })
}

/** Gives a job back that was not finished for no fault of its own: the attempt does not count. */
export async function giveBack(services: Services, job: ClaimedJob): Promise<void> {
  await services.database.query(queueAgain, [job.id, job.claim, services.now().toISOString(), null, 1])
}

// 1, 2, 4, 8 seconds, each up to half longer, so that what failed together does not come again together.
function retryAt(now: Date, attempts: number): string {
  const delayMs = 1000 * 2 ** (attempts - 1)
  return new Date(now.getTime() + delayMs * (1 + Math.random() / 2)).toISOString()
}
