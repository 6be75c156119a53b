// Figures about enrichment, read from running counts: their cost does not grow with jobs and suggestions.

import { type Context, organizationOf } from '../context.ts'
import { statement, unseen } from '../database/client.ts'
import { type Batch, load } from '../load.ts'
import { type JobStatus, jobStatuses } from './job.sql.ts'

export interface EnrichmentStats {
  jobsByStatus: Record<JobStatus, number>
  suggestionsPending: number
  /** Of those that somebody decided, 0 to 1. */
  acceptRate: number
}

const selectCounts = statement<{ kind: 'job' | 'suggestion'; status: string; total: number }>(
  'enrichment_counts',
  `select kind, status, sum(total)::bigint as total from enrichment_counts where org_id = ${unseen('$1::uuid')} group by kind, status`,
)

const read: Batch<'stats', EnrichmentStats> = async (context, keys) => {
  const counts = await context.db.query(selectCounts, [organizationOf(context)])
  const count = (kind: string, status: string) => counts.find(one => one.kind === kind && one.status === status)?.total ?? 0
  const [accepted, rejected] = [count('suggestion', 'accepted'), count('suggestion', 'rejected')]
  const stats: EnrichmentStats = {
    // Object.fromEntries forgets its keys, which are exactly the statuses.
    jobsByStatus: Object.fromEntries(jobStatuses.map(status => [status, count('job', status)])) as Record<JobStatus, number>,
    suggestionsPending: count('suggestion', 'pending'),
    acceptRate: accepted + rejected === 0 ? 0 : accepted / (accepted + rejected),
  }
  return keys.map(() => stats)
}

/** The organization's figures: of now, not of a window. */
export const enrichmentStats = (context: Context): Promise<EnrichmentStats> => load(context, read, 'stats')
