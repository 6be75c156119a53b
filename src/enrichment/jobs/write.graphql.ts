// GraphQL: mutations that enqueue, cancel and retry enrichment jobs.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { RowErrorType } from '../../graphql/schema/error.graphql.ts'
import { load, withOwnLoader } from '../../kernel/dataloaders.ts'
import { enqueueJobs, type JobBatch, type JobRow } from './bulk/batch.ts'
import { JobStatusEnum, JobType } from './job.graphql.ts'
import { cancelEnrichmentJob, enqueueJob, loadJobs, retryEnrichmentJob } from './job.ts'

const TargetInput = builder.inputType('EnrichmentTargetInput', {
  description: 'A record of any app. Each part has at least one character.',
  fields: t => ({
    hostApp: t.string({ required: true, description: 'The app it belongs to; `rolocom` for our own records. At most 255 characters.' }),
    id: t.id({ required: true, description: 'Its id there. At most 255 characters.' }),
    kind: t.string({ required: true, description: 'Its kind: contact, company, or any other word. At most 64 characters.' }),
  }),
})

const EnqueueEnrichmentInput = builder.inputType('EnqueueEnrichmentInput', {
  description: 'A job to queue.',
  fields: t => ({
    target: t.field({ type: TargetInput, required: true, description: 'Its target.' }),
    recipe: t.string({ description: 'The recipe. Default: the recipe of the kind, `contact` or `company`, else `generic`.' }),
    options: t.field({
      type: 'JSONObject',
      description: 'Further facts about the target, by the names of fields, such as email, phone or company_domain. At most 16 kB.',
    }),
  }),
})

const EnqueueEnrichmentsInput = builder.inputType('EnqueueEnrichmentsInput', {
  description: 'Jobs to queue.',
  fields: t => ({ jobs: t.field({ type: [EnqueueEnrichmentInput], required: true, description: '1 to 100 jobs.' }) }),
})

const OutcomeEnum = builder.enumType('EnrichmentBatchOutcome', {
  description: 'Result of a row of a batch of jobs.',
  values: {
    CREATED: { value: 'created', description: 'It was queued.' },
    SKIPPED: { value: 'skipped', description: 'A job for its target and recipe was open already; `jobId` names it.' },
    FAILED: { value: 'failed', description: 'It was not queued, for the reason given.' },
  } as const,
})

/** A result row with the dataloader of its batch. */
interface QueuedRow extends JobRow {
  queued: typeof loadJobs
}

const RowType = builder.objectRef<QueuedRow>('EnrichmentBatchResult').implement({
  description: 'Result of a row of a batch of jobs.',
  fields: t => ({
    index: t.exposeInt('index', { description: 'Its place in the input, from 0.' }),
    outcome: t.expose('outcome', { type: OutcomeEnum, description: 'The outcome.' }),
    jobId: t.exposeID('id', { nullable: true, description: 'The job; null for a row that failed.' }),
    status: t.expose('status', { type: JobStatusEnum, nullable: true, description: 'How far the job has come.' }),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job as it is now; null for a row that failed.',
      resolve: ({ id, queued }, _args, context) => (id === null ? null : load(context, queued, id)),
    }),
    error: t.expose('error', { type: RowErrorType, nullable: true, description: 'Why it failed; null when it did not.' }),
  }),
})

const BatchType = builder.objectRef<JobBatch>('EnrichmentBatchPayload').implement({
  description: 'Result of a batch of jobs.',
  fields: t => ({
    results: t.field({
      type: [RowType],
      description: 'Row by row, in the order of the input.',
      resolve({ results }) {
        const queued = withOwnLoader(loadJobs)
        return results.map(row => ({ ...row, queued }))
      },
    }),
    succeeded: t.exposeInt('succeeded', { description: 'Rows queued, or open already.' }),
    failed: t.exposeInt('failed', { description: 'Rows that failed.' }),
  }),
})

const queuesJobs = {
  undoneBy: 'cancelEnrichmentJob while it is open',
  reachesOutside: true,
  cost: { setting: null, per: 'job: the price of its recipe is reserved, and charged for the steps that find something' },
}

builder.mutationFields(t => ({
  enqueueEnrichment: t.field({
    type: JobType,
    description:
      'Queues an enrichment job. One that is open for the same target and recipe is returned instead. INSUFFICIENT_CREDITS where the ' +
      'most it may cost is not available, RATE_LIMITED where too many jobs of the organization wait.',
    authScopes: { scope: 'enrich:write' },
    effect: queuesJobs,
    extensions: { isBatched: true },
    args: { input: t.arg({ type: EnqueueEnrichmentInput, required: true, description: 'The job.' }) },
    resolve: (_parent, { input }, context) => enqueueJob(context, input),
  }),
  enqueueEnrichments: t.field({
    type: BatchType,
    description: 'Queues up to 100 jobs. A row that fails leaves the others alone.',
    authScopes: { scope: 'enrich:write' },
    effect: queuesJobs,
    args: { input: t.arg({ type: EnqueueEnrichmentsInput, required: true, description: 'The jobs.' }) },
    resolve: (_parent, { input }, context) => enqueueJobs(context, input.jobs),
  }),
  cancelEnrichmentJob: t.field({
    type: JobType,
    description: 'Ends an open job; nothing is charged. CONFLICT for one that has ended.',
    authScopes: { scope: 'enrich:write' },
    effect: { overwrites: true, undoneBy: 'enqueueEnrichment, as another job' },
    args: inputOfId('CancelEnrichmentJobInput', 'A job to end.'),
    resolve: (_parent, { input }, context) => cancelEnrichmentJob(context, input.id),
  }),
  retryEnrichmentJob: t.field({
    type: JobType,
    description: 'Queues a job that failed for good once more. CONFLICT for any other that has ended.',
    authScopes: { scope: 'enrich:write' },
    effect: queuesJobs,
    args: inputOfId('RetryEnrichmentJobInput', 'A job to queue once more.'),
    resolve: (_parent, { input }, context) => retryEnrichmentJob(context, input.id),
  }),
}))
