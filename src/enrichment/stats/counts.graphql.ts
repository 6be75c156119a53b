// GraphQL: the `enrichment` field of the organization's stats.

import { StatsType } from '../../contacts/stats/stats.graphql.ts'
import { builder, nullOnError } from '../../graphql/schema/builder.ts'
import { camelCase } from '../../kernel/input/case.ts'
import { jobStatuses } from '../jobs/job.sql.ts'
import { type EnrichmentStats, enrichmentStats } from './counts.ts'

const JobsByStatus = builder.objectRef<EnrichmentStats['jobsByStatus']>('EnrichmentJobsByStatus').implement({
  description: 'Enrichment jobs per status.',
  fields: t =>
    Object.fromEntries(
      jobStatuses.map(status => [
        camelCase(status),
        t.int({ description: `Jobs with the status ${status}.`, resolve: counts => counts[status] }),
      ]),
    ),
})

const EnrichmentStatsType = builder.objectRef<EnrichmentStats>('EnrichmentStats').implement({
  description: 'Figures about enrichment, as of now.',
  fields: t => ({
    jobsByStatus: t.expose('jobsByStatus', { type: JobsByStatus, description: 'Jobs per status.' }),
    suggestionsPending: t.exposeInt('suggestionsPending', { description: 'Suggestions that nobody has decided.' }),
    acceptRate: t.exposeFloat('acceptRate', { description: 'Accepted ones among those that somebody decided, 0 to 1.' }),
  }),
})

builder.objectField(StatsType, 'enrichment', t =>
  t.field({
    type: EnrichmentStatsType,
    nullable: true,
    extensions: nullOnError,
    description: 'About enrichment.',
    resolve: (_stats, _args, context) => enrichmentStats(context),
  }),
)
