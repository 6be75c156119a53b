// The statements of the worker: claim, lease, progress and end of jobs, and counts by state.

import { statement } from '../../database/statement.ts'
import { bigint, rows, text, uuid } from '../../database/table.ts'
import { claimedJobs, heldJobs } from './job.sql.ts'

export const maxAttempts = 5
export const workerLost = 'The worker that ran it was lost'
export type QueueState = 'waiting' | 'running' | 'dead'

// An attempt that completed a step before its worker was lost does not count towards the maximum, because the job probably did not cause
// the loss.
const madeProgress = 'jsonb_array_length(steps) > steps_at_claim'

// First jobs whose lease has expired. Then one job of each organization with runnable jobs, least recently served organizations first. The
// recursive CTE is a loose index scan over the queued jobs, so its cost depends on the number of organizations, not of jobs. First attempts
// come before retries, so that failing jobs do not delay the others.
/** $1 now, $2 limit, $3 claim, $4 the end of the lease, $5 organizations that get no job now. */
export const claimJobs = statement(
  'job_claim',
  `with recursive lost as materialized (
     select id from enrichment_jobs
     where status = 'running' and lease_until < $1::timestamptz and (attempts < ${maxAttempts} or ${madeProgress})
     order by lease_until limit $2 for update skip locked
   ), waiting (org_id) as (
     (select org_id from enrichment_jobs where status = 'queued' order by org_id limit 1)
     union all
     select (select j.org_id from enrichment_jobs j where j.status = 'queued' and j.org_id > w.org_id order by j.org_id limit 1)
     from waiting w where w.org_id is not null
   ), turns as materialized (
     select w.org_id from waiting w
     where w.org_id is not null and w.org_id <> all($5::uuid[])
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
     attempts = attempts + case when status = 'running' and ${madeProgress} then 0 else 1 end,
     error = case when status = 'running' then '${workerLost}' else error end
   where id in (select id from lost union all select id from next) returning ${claimedJobs.all.sql}`,
  claimedJobs.all,
)

/** $1 ids, $2 claims, $3 lease. */
export const renewJobs = statement(
  'job_renew',
  `update enrichment_jobs j set lease_until = $3::timestamptz from unnest($1::uuid[], $2::uuid[]) as held (id, claim)
   where j.id = held.id and j.claim = held.claim and j.status = 'running' returning j.id`,
  rows({ id: uuid }),
)

/** $1 now. */
export const lostInLastAttempt = statement(
  'job_last_lost',
  `select ${heldJobs.all.sql} from enrichment_jobs
   where status = 'running' and lease_until < $1::timestamptz and attempts >= ${maxAttempts} and not ${madeProgress} limit 100`,
  heldJobs.all,
)

/** $1 id, $2 claim, $3-$5 steps, findings, readings. */
export const saveProgress = statement(
  'job_progress',
  `update enrichment_jobs set steps = $3, findings = $4, readings = $5 where id = $1 and claim = $2 and status = 'running' returning id`,
  rows({ id: uuid }),
)

export const lockClaimed = statement(
  'job_lock',
  `select id from enrichment_jobs where id = $1 and claim = $2 and status = 'running' for update`,
  rows({ id: uuid }),
)

/** $1 id, $2 claim, $3 status, $4 result, $5 error, $6 contact, $7 suggestions, $8 charge, $9 steps or null for the stored ones, $10 now. */
export const endJob = statement(
  'job_end',
  `update enrichment_jobs set status = $3, result = $4, error = $5, contact_id = $6, suggestion_count = $7, credits_charged = $8, steps = coalesce($9, steps),
     readings = case when $3 = 'failed' then readings else '[]' end, claim = null, lease_until = null, finished_at = greatest($10::timestamptz, started_at)
   where id = $1 and claim = $2 and status = 'running' returning id`,
  rows({ id: uuid }),
)

// The failed jobs of the demo organization are examples for guests, so they are not counted.
const isDead = `status = 'failed' and org_id not in (select id from organizations where is_demo)`

// Each count reads a partial index. Completed jobs are in none of these indexes.
export const countStates = statement(
  'job_states',
  `select 'waiting' as state, count(*) as count from enrichment_jobs where status = 'queued'
   union all select 'running', count(*) from enrichment_jobs where status = 'running'
   union all select 'dead', count(*) from enrichment_jobs where ${isDead}`,
  rows({ state: text.as<QueueState>(), count: bigint }),
)
