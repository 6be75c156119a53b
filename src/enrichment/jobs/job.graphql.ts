// GraphQL: the EnrichmentJob type and its queries.

import { CompanyType } from '../../contacts/companies/company.graphql.ts'
import { loadCompanies } from '../../contacts/companies/company.ts'
import { ContactType } from '../../contacts/contact/contact.graphql.ts'
import { loadContacts } from '../../contacts/contact/contact.ts'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { valueEnum } from '../../graphql/schema/lists/value-enum.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { creditsOf } from '../../kernel/money.ts'
import { EnrichmentSortEnum } from '../sort.graphql.ts'
import type { Target } from '../targets/target.ts'
import type { Job, StepRecord } from './job.sql.ts'
import { getJob, loadJobs } from './job.ts'
import { emptiableColumns, listJobs } from './list.ts'

export const JobStatusEnum = builder.enumType('EnrichmentJobStatus', {
  description: 'How far an enrichment job has come.',
  values: {
    QUEUED: { value: 'queued', description: 'Waits for a worker, or for its next attempt.' },
    RUNNING: { value: 'running', description: 'A worker has it.' },
    COMPLETED: { value: 'completed', description: 'Its steps are done; `result` says with what success.' },
    FAILED: { value: 'failed', description: 'Given up after five attempts; `error` says why. It can be tried again.' },
    CANCELED: { value: 'canceled', description: 'Somebody ended it.' },
    INSUFFICIENT_CREDITS: { value: 'insufficient_credits', description: 'The credits did not suffice for the whole result.' },
  } as const,
})

export const JobResultEnum = builder.enumType('EnrichmentResult', {
  description: 'Outcome of a job.',
  values: {
    FOUND: { value: 'found', description: 'Something was found, and no step failed.' },
    PARTIAL: { value: 'partial', description: 'Something was found, and a step failed.' },
    NO_DATA: { value: 'no_data', description: 'Nothing was found.' },
  } as const,
})

const StepStatusEnum = builder.enumType('EnrichmentStepStatus', {
  description: 'Outcome of a step.',
  values: {
    FOUND: { value: 'found', description: 'It found something.' },
    NO_DATA: { value: 'no_data', description: 'It found nothing.' },
    SKIPPED: { value: 'skipped', description: 'There was nothing to do; `error` says why, beginning with one word.' },
    FAILED: { value: 'failed', description: 'It could not be done; `error` says why.' },
  } as const,
})

export const TargetType = builder.objectRef<Target>('EnrichmentTarget').implement({
  description: 'Target of a job: a record of any app.',
  fields: t => ({
    hostApp: t.exposeString('hostApp', { description: 'The app it belongs to; `rolocom` for our own records.' }),
    targetId: t.exposeID('id', { description: 'Its id there.' }),
    kind: t.exposeString('kind', { description: 'Its kind: contact, company, or any other word.' }),
  }),
})

const StepType = builder.objectRef<StepRecord>('EnrichmentStep').implement({
  description: 'Result of a step of a job.',
  fields: t => ({
    step: t.exposeString('step', { description: 'Its name in the recipe.' }),
    provider: t.exposeString('provider', { description: 'The provider that was asked.' }),
    status: t.expose('status', { type: StepStatusEnum, description: 'Its outcome.' }),
    credits: t.exposeFloat('credits', { description: 'Its cost.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
    error: t.exposeString('error', { nullable: true, description: 'Why it failed or was skipped.' }),
    detail: t.expose('detail', {
      type: 'JSON',
      nullable: true,
      description: 'Details that it found besides values, in snake_case as recipes write them.',
    }),
  }),
})

export const JobType = builder.objectRef<Job>('EnrichmentJob').implement({
  description: 'A run of a recipe for a target.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7.' }),
    status: t.expose('status', { type: JobStatusEnum, description: 'How far it has come.' }),
    result: t.expose('result', { type: JobResultEnum, nullable: true, description: 'Its outcome; null until it is completed.' }),
    target: t.expose('target', { type: TargetType, description: 'Its target.' }),
    contact: t.field({
      type: ContactType,
      nullable: true,
      description: 'The contact that the target is; null where none matches.',
      authScopes: { scope: 'contacts:read' },
      resolve: ({ contactId }, _args, context) => (contactId === null ? null : load(context, loadContacts, contactId)),
    }),
    company: t.field({
      type: CompanyType,
      nullable: true,
      description: 'The company that the target is; null where none matches.',
      authScopes: { scope: 'contacts:read' },
      resolve: ({ companyId }, _args, context) => (companyId === null ? null : load(context, loadCompanies, companyId)),
    }),
    recipe: t.exposeString('recipe', { description: 'Its recipe.' }),
    recipeVersion: t.exposeInt('recipeVersion', { description: 'Its version when the job was queued.' }),
    options: t.expose('options', { type: 'JSONObject', description: 'Facts about the target in the request.' }),
    steps: t.expose('steps', { type: [StepType], description: 'The steps so far.' }),
    creditsReserved: t.float({
      description: 'Credits kept for the run.',
      resolve: job => creditsOf(job.creditsReservedMicro),
    }),
    creditsCharged: t.float({ description: 'Credits it cost.', resolve: job => creditsOf(job.creditsChargedMicro) }),
    suggestionCount: t.exposeInt('suggestionCount', { description: 'Suggestions it made.' }),
    attempts: t.exposeInt('attempts', {
      description: 'How often it was begun, five times at most; not counted are those whose worker was lost after a further step was done.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why the job, or its last attempt, failed.' }),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'The actor who queued it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was queued.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'When it was first begun.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
  }),
})

const JobConnection = connectionOf('EnrichmentJob', 'enrichment jobs', JobType)

const JobValueEnum = valueEnum('EnrichmentJobValue', emptiableColumns)

const JobFilterInput = builder.inputType('EnrichmentJobFilter', {
  description: 'Which jobs a list has. All conditions must hold.',
  fields: t => ({
    status: t.field({ type: JobStatusEnum, description: 'In this status.' }),
    statusIn: t.field({ type: [JobStatusEnum], description: 'In any of these statuses, at most 20.' }),
    recipe: t.string({ description: 'Of this recipe.' }),
    recipeIn: t.stringList({ description: 'Of any of these recipes, at most 20.' }),
    hostApp: t.string({ description: 'About a record of this app.' }),
    hostAppIn: t.stringList({ description: 'About a record of any of these apps, at most 20.' }),
    targetId: t.id({ description: 'About the record with this id.' }),
    targetIdIn: t.idList({ description: 'About a record with any of these ids, at most 20.' }),
    targetKind: t.string({ description: 'About a record of this kind.' }),
    targetKindIn: t.stringList({ description: 'About a record of any of these kinds, at most 20.' }),
    result: t.field({ type: JobResultEnum, description: 'That came to this result.' }),
    resultIn: t.field({ type: [JobResultEnum], description: 'That came to any of these results.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Queued then or later.' }),
    createdUntil: t.field({ type: 'DateTime', description: 'Queued before.' }),
    finishedSince: t.field({ type: 'DateTime', description: 'Ended then or later.' }),
    finishedUntil: t.field({ type: 'DateTime', description: 'Ended before.' }),
    empty: t.field({ type: [JobValueEnum], description: 'Without a value in any of these fields.' }),
    notEmpty: t.field({ type: [JobValueEnum], description: 'With a value in each of these fields.' }),
  }),
})

builder.queryFields(t => ({
  enrichmentJob: t.field({
    type: JobType,
    nullable: true,
    description: 'An enrichment job; null with NOT_FOUND when there is none.',
    authScopes: { scope: 'enrich:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getJob(context, id),
  }),
  enrichmentJobs: t.field({
    type: JobConnection,
    description: "The organization's enrichment jobs.",
    authScopes: { scope: 'enrich:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: JobFilterInput, description: 'Which jobs. Default: all.' }),
      sort: t.arg({ type: EnrichmentSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) => listJobs(context, { ...args, counted: isCounted(info) }),
  }),
}))

noun('enrichment_job', JobType, { scope: 'enrich:read', load: loadJobs, isInTimelines: true, rank: 6 })
