// Retention: deletes old suggestions and jobs.

import { dayMs, prune } from '../kernel/retention.sql.ts'

/** In this order: suggestions before their jobs. A job is kept while one of its suggestions is pending. */
export const enrichmentRetention = {
  suggestions: prune('suggestions', 'suggestions', 'decided_at < $1::timestamptz', config => config.ENRICHMENT_RETENTION_DAYS * dayMs),
  enrichmentJobs: prune(
    'enrichment_jobs',
    'enrichment_jobs',
    'finished_at < $1::timestamptz and not exists (select from suggestions s where s.job_id = enrichment_jobs.id)',
    config => config.ENRICHMENT_RETENTION_DAYS * dayMs,
  ),
}
