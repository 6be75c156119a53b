// REST endpoints of enrichment: jobs, recipes and suggestions.

import { z } from 'zod'
import {
  AcceptSuggestionDocument,
  CancelEnrichmentJobDocument,
  DecideSuggestionsDocument,
  EnqueueEnrichmentJobDocument,
  EnqueueEnrichmentJobsDocument,
  GetEnrichmentJobDocument,
  GetSuggestionDocument,
  ListEnrichmentJobsDocument,
  ListRecipesDocument,
  ListSuggestionsDocument,
  RejectSuggestionDocument,
  RetryEnrichmentJobDocument,
} from '../../../generated/operations.ts'
import { type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { enrichmentExamples as examples } from './examples.ts'
import { bulkDecision, differs, isOneTarget, jobFilter, newJob, newJobs, oneTarget, rejection, suggestionFilter } from './inputs.ts'

const jobs = '/api/enrich/v1/jobs'
const job = `${jobs}/{job_id}` as const
const suggestions = '/api/enrich/v1/suggestions'
const suggestion = `${suggestions}/{suggestion_id}` as const
/** Backends use a service token, and name the organization and the user with X-Org-Id and x-user-id. */
const callers = ['api_key', 'session', 'service_token', 'user_header', 'guest'] as const

// 2 s: how long most recipes with free sources take. Earlier polls find nothing.
const openWhile = { statuses: ['queued', 'running'], retryAfterSeconds: 2 }
const decided = 'the suggestion is decided already; `status` says how'

const shared = { role: 'api', tag: 'Enrichment', callers } as const

export const enrichmentRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'POST',
    path: jobs,
    operationId: 'enqueueEnrichmentJob',
    summary: 'Queue an enrichment job',
    description:
      'Runs a recipe for any target; what it finds becomes suggestions. A job that is open for the same target and recipe is answered ' +
      'instead of a second one.',
    scope: 'enrich:write',
    body: newJob,
    document: EnqueueEnrichmentJobDocument,
    status: 202,
    location: `${jobs}/{job_id}`,
    openWhile,
    documented: { job_id: '', status: '' },
    errors: {
      INSUFFICIENT_CREDITS: 'the most that the job may cost is not available',
      RATE_LIMITED: 'too many requests, or jobs that wait',
    },
    examples: { body: examples.newJob, answer: examples.queued },
  }),
  route({
    ...shared,
    method: 'GET',
    path: jobs,
    operationId: 'listEnrichmentJobs',
    summary: 'List enrichment jobs',
    description: 'Newest first. Filters combine with "and", the values of one with "or".',
    scope: 'enrich:read',
    query: z
      .strictObject({ ...pageOf, include: total, ...jobFilter })
      .refine(isOneTarget, differs)
      .overwrite(oneTarget),
    document: ListEnrichmentJobsDocument,
    status: 200,
    examples: { answer: examples.jobPage },
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${jobs}/batch`,
    operationId: 'enqueueEnrichmentJobs',
    summary: 'Queue up to 100 enrichment jobs',
    description: 'Each row has its own result; one that is open already is skipped, and named.',
    scope: 'enrich:write',
    body: newJobs,
    document: EnqueueEnrichmentJobsDocument,
    status: 200,
    errors: { INSUFFICIENT_CREDITS: 'with an Idempotency-Key, a row cannot be paid for; nothing was queued' },
    examples: { body: examples.newJobs, answer: examples.queuedJobs },
  }),
  route({
    ...shared,
    method: 'GET',
    path: job,
    operationId: 'getEnrichmentJob',
    summary: 'Get an enrichment job',
    description: 'While it is open, Retry-After says when it is worth asking again.',
    scope: 'enrich:read',
    document: GetEnrichmentJobDocument,
    status: 200,
    openWhile,
    documented: { job_id: '', status: '' },
    examples: { answer: examples.job },
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${job}/cancel`,
    operationId: 'cancelEnrichmentJob',
    summary: 'Cancel an enrichment job',
    description: 'Nothing is charged, and what was found is dropped. A job that is canceled already stays so.',
    scope: 'enrich:write',
    document: CancelEnrichmentJobDocument,
    status: 200,
    errors: { CONFLICT: 'the job has ended already' },
    examples: { answer: examples.canceledJob },
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${job}/retry`,
    operationId: 'retryEnrichmentJob',
    summary: 'Retry a failed enrichment job',
    description: 'Queues it again; steps that were done are not done again.',
    scope: 'enrich:write',
    document: RetryEnrichmentJobDocument,
    status: 202,
    location: `${jobs}/{job_id}`,
    openWhile,
    errors: { CONFLICT: 'the job has not failed, or another one for its target is open' },
    examples: { answer: examples.retriedJob },
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/api/enrich/v1/recipes',
    operationId: 'listRecipes',
    summary: 'List recipes',
    description: 'What jobs can run, with the most that each costs. All of them, on one page.',
    scope: 'enrich:read',
    document: ListRecipesDocument,
    status: 200,
    examples: { answer: examples.recipePage },
  }),
  route({
    ...shared,
    method: 'GET',
    path: suggestions,
    operationId: 'listSuggestions',
    summary: 'List suggestions',
    description: 'Newest first. Filters combine with "and", the values of one with "or".',
    scope: 'enrich:read',
    query: z
      .strictObject({ ...pageOf, include: total, ...suggestionFilter })
      .refine(isOneTarget, differs)
      .overwrite(oneTarget),
    document: ListSuggestionsDocument,
    status: 200,
    examples: { answer: examples.suggestionPage },
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${suggestions}/bulk`,
    operationId: 'decideSuggestions',
    summary: 'Accept or reject suggestions by a rule',
    description:
      'Decides the pending suggestions that fit the rule, at most 200, each on its own. What a person set is replaced only when a ' +
      'signed-in person decides. While `has_more`, go on with `after`: the last one that was answered.',
    scope: 'enrich:write',
    body: bulkDecision,
    document: DecideSuggestionsDocument,
    status: 200,
    examples: { body: examples.bulkDecision, answer: examples.bulkResult },
  }),
  route({
    ...shared,
    method: 'GET',
    path: suggestion,
    operationId: 'getSuggestion',
    summary: 'Get a suggestion',
    description: 'What was found for one field of a target, by whom, and what became of it.',
    scope: 'enrich:read',
    document: GetSuggestionDocument,
    status: 200,
    examples: { answer: examples.suggestion },
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${suggestion}/accept`,
    operationId: 'acceptSuggestion',
    summary: 'Accept a suggestion',
    description: 'Takes the value over, where the record still has the value that the suggestion was made for.',
    scope: 'enrich:write',
    document: AcceptSuggestionDocument,
    status: 200,
    errors: {
      SUGGESTION_STALE: 'the value has changed meanwhile; `current_value` says to what, to those with `contacts:read`',
      TARGET_NOT_FOUND: 'no record is the target',
      ALREADY_EXISTS: 'another contact has the proposed email',
      CONFLICT: decided,
    },
    examples: { answer: examples.accepted },
  }),
  route({
    ...shared,
    method: 'POST',
    path: `${suggestion}/reject`,
    operationId: 'rejectSuggestion',
    summary: 'Reject a suggestion',
    description: 'Nothing is written. The reason, if there is one, is kept with it.',
    scope: 'enrich:write',
    body: rejection,
    bodyMayBeAbsent: true,
    document: RejectSuggestionDocument,
    status: 200,
    errors: { CONFLICT: decided },
    examples: { body: examples.rejection, answer: examples.rejected },
  }),
]
