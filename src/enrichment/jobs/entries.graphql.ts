// GraphQL: what events of enrichment jobs tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { numberOf, textOf } from '../../kernel/events/told.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { JobResultEnum, JobStatusEnum, JobType } from './job.graphql.ts'
import { type JobResult, type JobStatus, jobEvents } from './job.sql.ts'
import { loadJobs } from './job.ts'

// A job that is tried again is queued again.
const statusAfter = new Map<string, JobStatus>(
  Object.entries({ ...jobEvents }).map(([name, type]: [string, EventType]) => [type, name === 'retried' ? 'queued' : (name as JobStatus)]),
)

entryOf(
  Object.values(jobEvents),
  builder.objectRef<TimelineRow>('EnrichmentJobEntry').implement({
    description: 'An enrichment job was accepted, began, is tried again, or ended.',
    fields: t => ({
      jobId: t.exposeID('entityId', { description: 'The job.' }),
      job: t.field({
        type: JobType,
        nullable: true,
        description: 'The job as it is now.',
        resolve: ({ entityId }, _args, context) => load(context, loadJobs, entityId),
      }),
      jobStatus: t.field({
        type: JobStatusEnum,
        nullable: true,
        description: 'Its state after the event.',
        resolve: ({ type }) => statusAfter.get(type),
      }),
      recipe: t.string({
        nullable: true,
        description: 'Its recipe; null where the event does not tell.',
        resolve: entry => textOf(entry, 'recipe'),
      }),
      result: t.field({
        type: JobResultEnum,
        nullable: true,
        description: 'Its result; null for a job that has not ended with one.',
        // `as`: the rule wrote the result of the job's row.
        resolve: entry => textOf(entry, 'result') as JobResult | null,
      }),
      suggestionCount: t.int({
        nullable: true,
        description: 'The number of new suggestions.',
        resolve: entry => numberOf(entry, 'suggestionCount'),
      }),
      error: t.string({
        nullable: true,
        description: 'Why it, or its last attempt, failed.',
        resolve: entry => textOf(entry, 'error') ?? textOf(entry, 'reason'),
      }),
    }),
  }),
)
