// Enrichment stats, read from counters that triggers maintain: the cost does not grow with the number of rows.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Batch, load } from '../../kernel/dataloaders.ts'
import { type JobStatus, jobStatuses } from '../jobs/job.sql.ts'
import { selectCounts } from './counts.sql.ts'

export interface EnrichmentStats {
  jobsByStatus: Record<JobStatus, number>
  suggestionsPending: number
  /** The share of accepted suggestions among decided ones, 0 to 1. */
  acceptRate: number
}

const read: Batch<'stats', EnrichmentStats> = async (context, keys) => {
  const counts = await context.db.query(selectCounts, [organizationOf(context)])
  const count = (kind: string, status: string) => counts.find(one => one.kind === kind && one.status === status)?.total ?? 0
  const [accepted, rejected] = [count('suggestion', 'accepted'), count('suggestion', 'rejected')]
  const stats: EnrichmentStats = {
    // Object.fromEntries does not keep the key type; the keys are exactly the statuses.
    jobsByStatus: Object.fromEntries(jobStatuses.map(status => [status, count('job', status)])) as Record<JobStatus, number>,
    suggestionsPending: count('suggestion', 'pending'),
    acceptRate: accepted + rejected === 0 ? 0 : accepted / (accepted + rejected),
  }
  return keys.map(() => stats)
}

/** The organization's current stats; they have no time window. */
export const enrichmentStats = (context: Context): Promise<EnrichmentStats> => load(context, read, 'stats')
