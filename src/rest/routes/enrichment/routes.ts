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
  route('POST', jobs, EnqueueEnrichmentJobDocument, {
    ...shared,
    summary: 'Queue an enrichment job',
    description:
      'Runs a recipe for any target; what it finds becomes suggestions. A job that is open for the same target and recipe is answered ' +
      'instead of a second one.',
    scope: 'enrich:write',
    body: newJob,
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
  route('GET', jobs, ListEnrichmentJobsDocument, {
    ...shared,
    summary: 'List enrichment jobs',
    description: 'Newest first. Filters combine with "and", the values of one with "or".',
    scope: 'enrich:read',
    query: z
      .strictObject({ ...pageOf, include: total, ...jobFilter })
      .refine(isOneTarget, differs)
      .overwrite(oneTarget),
    examples: { answer: examples.jobPage },
  }),
  route('POST', `${jobs}/batch`, EnqueueEnrichmentJobsDocument, {
    ...shared,
    summary: 'Queue up to 100 enrichment jobs',
    description: 'Each row has its own result; one that is open already is skipped, and named.',
    scope: 'enrich:write',
    body: newJobs,
    errors: { INSUFFICIENT_CREDITS: 'with an Idempotency-Key, a row cannot be paid for; nothing was queued' },
    examples: { body: examples.newJobs, answer: examples.queuedJobs },
  }),
  route('GET', job, GetEnrichmentJobDocument, {
    ...shared,
    summary: 'Get an enrichment job',
    description: 'While it is open, Retry-After says when it is worth asking again.',
    scope: 'enrich:read',
    openWhile,
    documented: { job_id: '', status: '' },
    examples: { answer: examples.job },
  }),
  route('POST', `${job}/cancel`, CancelEnrichmentJobDocument, {
    ...shared,
    summary: 'Cancel an enrichment job',
    description: 'Nothing is charged, and the findings are dropped. A canceled job stays canceled.',
    scope: 'enrich:write',
    errors: { CONFLICT: 'the job has ended already' },
    examples: { answer: examples.canceledJob },
  }),
  route('POST', `${job}/retry`, RetryEnrichmentJobDocument, {
    ...shared,
    summary: 'Retry a failed enrichment job',
    description: 'Queues it again; steps that were done are not done again.',
    scope: 'enrich:write',
    status: 202,
    location: `${jobs}/{job_id}`,
    openWhile,
    errors: { CONFLICT: 'the job has not failed, or another one for its target is open' },
    examples: { answer: examples.retriedJob },
  }),
  route('GET', '/api/enrich/v1/recipes', ListRecipesDocument, {
    ...shared,
    summary: 'List recipes',
    description: 'The recipes of jobs, with the maximum cost of each. All of them, on one page.',
    scope: 'enrich:read',
    examples: { answer: examples.recipePage },
  }),
  route('GET', suggestions, ListSuggestionsDocument, {
    ...shared,
    summary: 'List suggestions',
    description: 'Newest first. Filters combine with "and", the values of one with "or".',
    scope: 'enrich:read',
    query: z
      .strictObject({ ...pageOf, include: total, ...suggestionFilter })
      .refine(isOneTarget, differs)
      .overwrite(oneTarget),
    examples: { answer: examples.suggestionPage },
  }),
  route('POST', `${suggestions}/bulk`, DecideSuggestionsDocument, {
    ...shared,
    summary: 'Accept or reject suggestions by a rule',
    description:
      'Decides the pending suggestions that fit the rule, at most 200, each on its own. A value that a person set is replaced only when a ' +
      'signed-in person decides. While `has_more`, go on with `after`: the last one that was answered.',
    scope: 'enrich:write',
    body: bulkDecision,
    examples: { body: examples.bulkDecision, answer: examples.bulkResult },
  }),
  route('GET', suggestion, GetSuggestionDocument, {
    ...shared,
    summary: 'Get a suggestion',
    description: 'A value found for one field of a target, with its source and its state.',
    scope: 'enrich:read',
    examples: { answer: examples.suggestion },
  }),
  route('POST', `${suggestion}/accept`, AcceptSuggestionDocument, {
    ...shared,
    summary: 'Accept a suggestion',
    description: 'Takes the value over, where the record still has the value that the suggestion was made for.',
    scope: 'enrich:write',
    errors: {
      SUGGESTION_STALE: 'the value has changed meanwhile; `current_value` says to what, to those with `contacts:read`',
      TARGET_NOT_FOUND: 'no record is the target',
      ALREADY_EXISTS: 'another contact has the proposed email, or another company the domain',
      CONFLICT: decided,
    },
    examples: { answer: examples.accepted },
  }),
  route('POST', `${suggestion}/reject`, RejectSuggestionDocument, {
    ...shared,
    summary: 'Reject a suggestion',
    description: 'Nothing is written. The reason, if there is one, is kept with it.',
    scope: 'enrich:write',
    body: rejection,
    bodyMayBeAbsent: true,
    errors: { CONFLICT: decided },
    examples: { body: examples.rejection, answer: examples.rejected },
  }),
]
