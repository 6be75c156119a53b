// Listing enrichment jobs.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { equals } from '../../kernel/input/filter-values.ts'
import type { ListArgs, Page } from '../../kernel/pagination.ts'
import { filterConditions, newestPage } from '../list.ts'
import { type Job, type JobStatus, jobs } from './job.sql.ts'

interface JobFilter {
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

export interface JobList extends ListArgs {
  filter?: JobFilter | null
}

/** One page of the organization's jobs, newest first. */
export async function listJobs(context: Context, { filter, ...args }: JobList): Promise<Page<Job>> {
  const conditions = filterConditions(filter, {
    status: equals('status'),
    recipe: equals('recipe'),
    hostApp: equals('host_app'),
    targetId: equals('target_id'),
    targetKind: equals('target_kind'),
  })
  return newestPage(context, organizationOf(context), jobs, conditions, args)
}
