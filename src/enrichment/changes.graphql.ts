// GraphQL: subscriptions to changes of jobs and suggestions.

import { builder } from '../graphql/schema/builder.ts'
import { afterArgument, eventType, position } from '../graphql/schema/event.graphql.ts'
import { load } from '../kernel/dataloaders.ts'
import type { Positioned } from '../kernel/events/follow.ts'
import { type EnrichmentChange, followJobs, followSuggestions } from './changes.ts'
import { JobType } from './jobs/job.graphql.ts'
import { loadJobs } from './jobs/job.ts'
import { SuggestionType } from './suggestions/suggestion.graphql.ts'
import { loadSuggestions } from './suggestions/suggestion.ts'

const JobChangeType = builder.objectRef<Positioned<EnrichmentChange>>('EnrichmentJobChange').implement({
  description: 'Something that happened to an enrichment job.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    position: t.field(position),
    type: t.field(eventType),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job as it is now.',
      resolve: ({ entityId }, _args, context) => load(context, loadJobs, entityId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

const SuggestionChangeType = builder.objectRef<Positioned<EnrichmentChange>>('SuggestionChange').implement({
  description: 'Something that happened to a suggestion.',
  fields: t => ({
    id: t.exposeID('id', { description: "The event's id." }),
    position: t.field(position),
    type: t.field(eventType),
    suggestion: t.field({
      type: SuggestionType,
      nullable: true,
      description: 'The suggestion as it is now.',
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
    args: { jobId: t.arg.id({ description: 'Only changes of this job.' }), after: t.arg.string(afterArgument) },
    subscribe: (_root, args, context) => followJobs(context, args),
    resolve: change => change,
  }),
  suggestionChanged: t.field({
    type: SuggestionChangeType,
    description: "Every change of the organization's suggestions from now on, over server-sent events.",
    authScopes: { scope: 'enrich:read' },
    args: { contactId: t.arg.id({ description: 'Only those about this contact.' }), after: t.arg.string(afterArgument) },
    subscribe: (_root, args, context) => followSuggestions(context, args),
    resolve: change => change,
  }),
}))
