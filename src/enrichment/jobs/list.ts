// Lists of enrichment jobs.

import type { Page, PageArgs } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { equals } from '../filter-values.ts'
import { type Job, type JobStatus, jobColumns, jobRow } from './job.sql.ts'
import { given, newestPage } from './newest-page.ts'

export interface JobFilter {
  status?: JobStatus | null
  statusIn?: readonly JobStatus[] | null
  recipe?: string | null
  recipeIn?: readonly string[] | null
  hostApp?: string | null
  hostAppIn?: readonly string[] | null
  targetId?: string | null
  targetIdIn?: readonly string[] | null
  targetKind?: string | null
  targetKindIn?: readonly string[] | null
}

export interface JobList extends PageArgs {
  filter?: JobFilter | null
  includeTotal?: boolean | null
}

/** One page of the organization's jobs, newest first. */
export async function listJobs(context: Context, { filter, ...args }: JobList): Promise<Page<Job>> {
  const conditions = given(filter, {
    status: equals('status'),
    recipe: equals('recipe'),
    hostApp: equals('host_app'),
    targetId: equals('target_id'),
    targetKind: equals('target_kind'),
  })
  return newestPage(context, organizationOf(context), { table: 'enrichment_jobs', columns: jobColumns, row: jobRow }, conditions, args)
}
