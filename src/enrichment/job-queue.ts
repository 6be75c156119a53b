// The queue of jobs as operators see it: how many wait, run and were given up, which and why, and another chance for one.

import { createContext, type Services } from '../context.ts'
import { type Database, statement } from '../database/client.ts'
import { retryEnrichmentJob } from './job.ts'
import type { Target } from './target.ts'

export type QueueState = 'waiting' | 'running' | 'dead'

// The demo's failures are for guests to look at.
const isDead = `status = 'failed' and org_id not in (select id from organizations where is_demo)`

// Each from an index that holds nothing else: what is done does not count, and costs nothing.
const countStates = statement<{ state: QueueState; count: number }>(
  'job_states',
  `select 'waiting' as state, count(*) as count from enrichment_jobs where status = 'queued'
   union all select 'running', count(*) from enrichment_jobs where status = 'running'
   union all select 'dead', count(*) from enrichment_jobs where ${isDead}`,
)

/** Jobs of all organizations by state, for the metrics. */
export const jobsByState = (database: Database): Promise<{ state: QueueState; count: number }[]> => database.query(countStates)

/** A job that failed for good, with the reason. */
export interface DeadJob {
  id: string
  orgId: string
  recipe: string
  target: Target
  reason: string
  failedAt: string
}

const readDead = statement<Omit<DeadJob, 'target'> & Omit<Target, 'id'> & { targetId: string }>(
  'jobs_dead',
  `select id, org_id as "orgId", recipe, host_app as "hostApp", target_id as "targetId", target_kind as kind, error as reason, finished_at as "failedAt"
   from enrichment_jobs where ${isDead} order by finished_at desc limit 200`,
)

/** The latest 200 of all organizations. */
export async function deadJobs(database: Database): Promise<DeadJob[]> {
  const rows = await database.query(readDead)
  return rows.map(({ hostApp, targetId, kind, ...job }) => ({ ...job, target: { hostApp, id: targetId, kind } }))
}

const organizationOfDead = statement<{ orgId: string }>(
  'job_dead_organization',
  `select org_id as "orgId" from enrichment_jobs where id = $1 and status = 'failed'`,
)

/** Queues a dead job again, as the operator. False when there is none with this id. Throws CONFLICT where its target has an open one. */
export async function retryDeadJob(services: Services, id: string): Promise<boolean> {
  const [dead] = await services.database.query(organizationOfDead, [id])
  if (!dead) return false
  const context = createContext(services, {
    principal: { kind: 'system', name: 'operator', orgId: dead.orgId },
    requestId: `retry-${id}`,
    door: 'system',
    operation: 'retryDeadJob',
  })
  await retryEnrichmentJob(context, id)
  return true
}
