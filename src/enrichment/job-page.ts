// Lists of enrichment jobs.

import type { Page, PageArgs } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { type Job, type JobStatus, jobColumns, jobRow } from './job.sql.ts'
import { given, newestPage } from './newest-page.ts'

export interface JobFilter {
  status?: JobStatus | null
  recipe?: string | null
  hostApp?: string | null
  targetId?: string | null
  targetKind?: string | null
}

export interface JobList extends PageArgs {
  filter?: JobFilter | null
  includeTotal?: boolean | null
}

/** One page of the organization's jobs, newest first. */
export async function listJobs(context: Context, { filter, ...args }: JobList): Promise<Page<Job>> {
  const conditions = given(filter, {
    status: parameter => `status = ${parameter}`,
    recipe: parameter => `recipe = ${parameter}`,
    hostApp: parameter => `host_app = ${parameter}`,
    targetId: parameter => `target_id = ${parameter}`,
    targetKind: parameter => `target_kind = ${parameter}`,
  })
  return newestPage(context, organizationOf(context), { table: 'enrichment_jobs', columns: jobColumns, row: jobRow }, conditions, args)
}
