// Listing enrichment jobs.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Emptiness, emptinessConditions, rangeConditions, since, until } from '../../kernel/lists/comparisons.ts'
import { equals, filterConditions } from '../../kernel/lists/filter-values.ts'
import type { ListArgs, Page } from '../../kernel/lists/pagination.ts'
import { type ListSort, pageOfMatching } from '../list.ts'
import { type Job, type JobResult, type JobStatus, jobs } from './job.sql.ts'

/** The columns for the filters `empty` and `notEmpty`. */
export const emptiableColumns = { result: 'result', error: 'error', startedAt: 'started_at', finishedAt: 'finished_at' } as const

interface JobFilter extends Emptiness<keyof typeof emptiableColumns> {
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
  result?: JobResult | null
  resultIn?: readonly JobResult[] | null
  createdSince?: Date | null
  createdUntil?: Date | null
  finishedSince?: Date | null
  finishedUntil?: Date | null
}

export interface JobList extends ListArgs {
  filter?: JobFilter | null
  sort?: ListSort | null
}

const bounds = {
  createdSince: since('created_at'),
  createdUntil: until('created_at'),
  finishedSince: since('finished_at'),
  finishedUntil: until('finished_at'),
}

/** One page of the organization's jobs, newest first by default. */
export async function listJobs(context: Context, { filter, ...args }: JobList): Promise<Page<Job>> {
  const conditions = filterConditions(filter, {
    status: equals('status'),
    recipe: equals('recipe'),
    hostApp: equals('host_app'),
    targetId: equals('target_id'),
    targetKind: equals('target_kind'),
    result: equals('result'),
  })
  const further = [...rangeConditions(filter ?? {}, bounds), ...emptinessConditions(filter ?? {}, emptiableColumns)]
  return pageOfMatching(context, organizationOf(context), jobs, [...conditions, ...further], args)
}
