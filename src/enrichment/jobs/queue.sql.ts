// The statements of the worker: claim, lease, progress and end of jobs, and counts by state.

import { statement } from '../../database/statement.ts'
import { bigint, rows, text, uuid } from '../../database/table.ts'
import { eventColumns, eventDefinitions } from '../../kernel/events/event.sql.ts'
import { maxDeaths } from '../../kernel/queue/deaths.ts'
import { claimedJobs, endedJob, heldJobs, jobEvents } from './job.sql.ts'

export const maxAttempts = 5
export const workerLost = 'The worker that ran it was lost'
/** Name of the worker in events. */
export const workerName = 'enrichment'
export const workerOperation = 'enrichJob'
export type QueueState = 'waiting' | 'running' | 'dead'

// An attempt that completed a step before its worker was lost does not count towards the maximum of attempts; the loss counts all the same.
const madeProgress = 'jsonb_array_length(steps) > steps_at_claim'

// First jobs whose lease has expired. Then jobs in turns: the first of each organization with runnable jobs, least recently served
// organizations first, then the second of each, and so on. The recursive CTE is a loose index scan over the queued jobs, so its cost depends on
// the number of organizations, not of jobs. The turns are counted without locks, and then each organization's share is locked. First attempts
// come before retries, so that failing jobs do not delay the others.
/**
 * Claims jobs, and records that they run, or that their worker was lost. $1 now, $2 limit, $3 claim, $4 the end of the lease, $5 the maximum
 * number of jobs of an organization, $6 organizations that have some, $7 their numbers, $8 as many ids for events as the limit.
 */
export const claimJobs = statement(
  'job_claim',
  `with recursive lost as materialized (
     select id from enrichment_jobs
     where status = 'running' and lease_until < $1::timestamptz and workers_lost < ${maxDeaths - 1} and (attempts < ${maxAttempts} or ${madeProgress})
     order by lease_until limit $2 for update skip locked
   ), waiting (org_id) as (
     (select org_id from enrichment_jobs where status = 'queued' order by org_id limit 1)
     union all
     select (select j.org_id from enrichment_jobs j where j.status = 'queued' and j.org_id > w.org_id order by j.org_id limit 1)
     from waiting w where w.org_id is not null
   ), organizations as materialized (
     select w.org_id, $5 - coalesce(held.count, 0) as room,
       row_number() over (
         order by (select max(s.served_at) from enrichment_jobs s where s.org_id = w.org_id and s.served_at is not null) nulls first, w.org_id
       ) as turn
     from waiting w left join unnest($6::uuid[], $7::int[]) as held (org_id, count) using (org_id)
     where w.org_id is not null and coalesce(held.count, 0) < $5
       and exists (select 1 from enrichment_jobs j where j.org_id = w.org_id and j.status = 'queued' and j.run_after <= $1::timestamptz)
     order by turn limit $2
   ), shares as materialized (
     select org_id, count(*) as count from (
       select o.org_id from organizations o cross join lateral (
         select row_number() over () as round from (
           select from enrichment_jobs where org_id = o.org_id and status = 'queued' and run_after <= $1::timestamptz limit least(o.room, $2)
         ) runnable
       ) job
       order by job.round, o.turn limit $2 - (select count(*) from lost)
     ) turn group by org_id
   ), next as materialized (
     select j.id from shares s cross join lateral (
       select id from enrichment_jobs where org_id = s.org_id and status = 'queued' and run_after <= $1::timestamptz
       order by attempts, run_after, id limit s.count for update skip locked
     ) j
   ), claimed as (
   update enrichment_jobs set status = 'running', claim = $3, lease_until = $4::timestamptz, served_at = $1::timestamptz,
     started_at = coalesce(started_at, $1::timestamptz), steps_at_claim = jsonb_array_length(steps),
     attempts = attempts + case when status = 'running' and ${madeProgress} then 0 else 1 end,
     workers_lost = workers_lost + case when status = 'running' then 1 else 0 end,
     error = case when status = 'running' then '${workerLost}' else error end
   where id in (select id from lost union all select id from next) returning *
   ), event as (
     insert into events (id, org_id, type, entity, entity_id, actor_type, actor_name, door, operation, request_id, changes, created_at)
     select ($8::uuid[])[row_number() over ()], org_id, case when is_lost then '${jobEvents.retried}' else '${jobEvents.running}' end,
       'enrichment_job', id, 'system', '${workerName}', 'tasks', '${workerOperation}', 'job-' || id,
       case when is_lost then '{"reason":"${workerLost}"}' else jsonb_build_object('attempt', attempts) end, $1::timestamptz
     from (select *, id in (select id from lost) as is_lost from claimed) job where is_lost or steps = '[]'
   )
   select ${claimedJobs.all.sql} from claimed`,
  claimedJobs.all,
)

/** $1 ids, $2 claims, $3 lease. */
export const renewJobs = statement(
  'job_renew',
  `update enrichment_jobs j set lease_until = $3::timestamptz from unnest($1::uuid[], $2::uuid[]) as held (id, claim)
   where j.id = held.id and j.claim = held.claim and j.status = 'running' returning j.id`,
  rows({ id: uuid }),
)

/** Jobs whose worker was lost, and that are not claimed again. $1 now. */
export const lostInLastAttempt = statement(
  'job_last_lost',
  `select ${heldJobs.all.sql} from enrichment_jobs
   where status = 'running' and lease_until < $1::timestamptz 
     and (workers_lost >= ${maxDeaths - 1} or attempts >= ${maxAttempts} and not ${madeProgress}) limit 100`,
  heldJobs.all,
)

/** $1 id, $2 claim, $3-$5 steps, findings, readings. */
export const saveProgress = statement(
  'job_progress',
  `update enrichment_jobs set steps = $3, findings = $4, readings = $5 where id = $1 and claim = $2 and status = 'running' returning id`,
  rows({ id: uuid }),
)

/** $1 ids, $2 claims. In the order of the ids, so that two transactions with the same jobs cannot deadlock. */
export const lockClaimed = statement(
  'job_lock',
  `select id from enrichment_jobs where (id, claim) in (select * from unnest($1::uuid[], $2::uuid[])) and status = 'running'
   order by id for update`,
  rows({ id: uuid }),
)

/** Ends jobs, and records it. $1 `endedJob`s as JSON, $2 now, $3 an event for each. */
export const endJobs = statement(
  'job_end',
  `with ended as (
     update enrichment_jobs j set status = e.status, result = e.result, error = e.error, contact_id = e.contact_id,
       company_id = e.company_id, suggestion_count = e.suggestion_count, credits_charged = e.credits_charged, steps = coalesce(e.steps, j.steps),
       findings = coalesce(e.findings, j.findings), readings = case when e.status = 'failed' then j.readings else '[]' end,
       claim = null, lease_until = null, finished_at = greatest($2::timestamptz, j.started_at)
     from jsonb_to_recordset($1) as e (${endedJob.definitions})
     where j.id = e.id and j.claim = e.claim and j.status = 'running' returning j.id
   ), event as (
     insert into events (${eventColumns}) select ${eventColumns} from json_to_recordset($3) as given (${eventDefinitions})
     where entity_id in (select id::text from ended)
   )
   select id from ended`,
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
