// The subscriptions that tell what happens to jobs and suggestions.

import { builder } from '../graphql/builder.ts'
import { load } from '../load.ts'
import { JobType } from './job.graphql.ts'
import { loadJobs } from './job.ts'
import { followJobs, followSuggestions, type Happening } from './stream.ts'
import { SuggestionType } from './suggestion.graphql.ts'
import { loadSuggestions } from './suggestion.ts'

const JobUpdateType = builder.objectRef<Happening>('EnrichmentJobUpdate').implement({
  description: 'Something that happened to an enrichment job.',
  fields: t => ({
    type: t.exposeString('type', { description: 'What happened: `enrichment_job.queued`, `.running`, `.completed`, ...' }),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job as it is by now.',
      resolve: ({ id }, _args, context) => load(context, loadJobs, id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

const SuggestionChangeType = builder.objectRef<Happening>('SuggestionChange').implement({
  description: 'Something that happened to a suggestion.',
  fields: t => ({
    type: t.exposeString('type', { description: 'What happened: `suggestion.created`, `.accepted`, `.rejected`, `.superseded`, ...' }),
    suggestion: t.field({
      type: SuggestionType,
      nullable: true,
      description: 'The suggestion as it is by now.',
      resolve: ({ id }, _args, context) => load(context, loadSuggestions, id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
})

builder.subscriptionFields(t => ({
  enrichmentJobUpdated: t.field({
    type: JobUpdateType,
    description: "Every change of the organization's enrichment jobs from now on, over server-sent events.",
    authScopes: { scope: 'enrich:read' },
    args: { jobId: t.arg.id({ description: 'Only changes of this job.' }) },
    subscribe: (_root, { jobId }, context) => followJobs(context, jobId),
    resolve: happening => happening,
  }),
  suggestionChanged: t.field({
    type: SuggestionChangeType,
    description: "Every change of the organization's suggestions from now on, over server-sent events.",
    authScopes: { scope: 'enrich:read' },
    args: { contactId: t.arg.id({ description: 'Only those about this contact.' }) },
    subscribe: (_root, { contactId }, context) => followSuggestions(context, contactId),
    resolve: happening => happening,
  }),
}))
