// The job queue for operators: counts by state, the list of failed jobs, and retrying one.

import type { Database } from '../../database/client.ts'
import { createContext, type Services } from '../../kernel/context.ts'
import { retryEnrichmentJob } from './job.ts'
import { countStates, type QueueState } from './queue.sql.ts'

/** Jobs of all organizations by state, for the metrics. */
export const jobsByState = (database: Database): Promise<{ state: QueueState; count: number }[]> => database.query(countStates)

/** The latest 200 failed jobs of all organizations. */
export async function deadJobs({ prisma }: Database) {
  const demos = await prisma.organization.findMany({ where: { isDemo: true }, select: { id: true } })
  return prisma.enrichmentJob.findMany({
    where: { status: 'failed', orgId: { notIn: demos.map(({ id }) => id) } },
    select: { id: true, recipe: true, hostApp: true, targetKind: true, targetId: true, error: true, finishedAt: true },
    orderBy: { finishedAt: 'desc' },
    take: 200,
  })
}

/** Queues a failed job again, as the operator. False if no failed job has this id. Throws CONFLICT if its target has an open job. */
export async function retryDeadJob(services: Services, id: string): Promise<boolean> {
  const dead = await services.database.prisma.enrichmentJob.findUnique({ where: { id, status: 'failed' }, select: { orgId: true } })
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
