// Retention: deletes old suggestions and jobs.

import { dayMs, prune } from '../kernel/retention.sql.ts'

/** Suggestions come before the jobs that made them: a job is kept while one of its suggestions is pending. */
export const enrichmentRetention = {
  suggestions: prune('suggestions', 'suggestions', 'decided_at < $1::timestamptz', config => config.ENRICHMENT_RETENTION_DAYS * dayMs),
  enrichmentJobs: prune(
    'enrichment_jobs',
    'enrichment_jobs',
    'finished_at < $1::timestamptz and not exists (select from suggestions s where s.job_id = enrichment_jobs.id)',
    config => config.ENRICHMENT_RETENTION_DAYS * dayMs,
  ),
}
