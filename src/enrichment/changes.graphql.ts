// GraphQL: subscriptions to changes of jobs and suggestions.

import { builder } from '../graphql/schema/builder.ts'
import { eventType } from '../graphql/schema/event.graphql.ts'
import { load } from '../kernel/dataloaders.ts'
import { type EnrichmentChange, followJobs, followSuggestions } from './changes.ts'
import { JobType } from './jobs/job.graphql.ts'
import { loadJobs } from './jobs/job.ts'
import { SuggestionType } from './suggestions/suggestion.graphql.ts'
import { loadSuggestions } from './suggestions/suggestion.ts'

const JobChangeType = builder.objectRef<EnrichmentChange>('EnrichmentJobChange').implement({
  description: 'Something that happened to an enrichment job.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    type: t.field(eventType),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job as it is by now.',
      resolve: ({ entityId }, _args, context) => load(context, loadJobs, entityId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

const SuggestionChangeType = builder.objectRef<EnrichmentChange>('SuggestionChange').implement({
  description: 'Something that happened to a suggestion.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    type: t.field(eventType),
    suggestion: t.field({
      type: SuggestionType,
      nullable: true,
      description: 'The suggestion as it is by now.',
      resolve: ({ entityId }, _args, context) => load(context, loadSuggestions, entityId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

builder.subscriptionFields(t => ({
  enrichmentJobChanged: t.field({
    type: JobChangeType,
    description: "Every change of the organization's enrichment jobs from now on, over server-sent events.",
    authScopes: { scope: 'enrich:read' },
    args: { jobId: t.arg.id({ description: 'Only changes of this job.' }) },
    subscribe: (_root, { jobId }, context) => followJobs(context, jobId),
    resolve: change => change,
  }),
  suggestionChanged: t.field({
    type: SuggestionChangeType,
    description: "Every change of the organization's suggestions from now on, over server-sent events.",
    authScopes: { scope: 'enrich:read' },
    args: { contactId: t.arg.id({ description: 'Only those about this contact.' }) },
    subscribe: (_root, { contactId }, context) => followSuggestions(context, contactId),
    resolve: change => change,
  }),
}))
