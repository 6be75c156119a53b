// The statements that delete the suggestions and jobs of sample data for good.

import { statement } from '../../database/statement.ts'

export const deleteSampleSuggestions = statement(
  'sample_suggestions_delete',
  'delete from suggestions where org_id = $1 and contact_id = any($2::uuid[])',
)

/** Jobs that have ended. */
export const deleteSampleJobs = statement(
  'sample_jobs_delete',
  `delete from enrichment_jobs where org_id = $1 and contact_id = any($2::uuid[]) and finished_at is not null`,
)
