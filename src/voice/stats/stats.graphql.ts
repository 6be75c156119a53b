// Statistics of calls in the schema.

import { StatsType } from '../../contacts/stats/stats.graphql.ts'
import { builder, isInternal, nullOnError } from '../../graphql/schema/builder.ts'
import { SeriesPointType, startOfDay } from '../../graphql/schema/lists/series.graphql.ts'
import { camelCase } from '../../kernel/input/case.ts'
import { callOutcomes, callStatuses } from '../providers/telephony.ts'
import { type CallDay, type CallStats, readCallStats } from './stats.ts'

const CallsByStatus = builder.objectRef<CallStats['byStatus']>('CallsByStatus').implement({
  description: 'Calls per status.',
  fields: t =>
    Object.fromEntries(callStatuses.map(status => [camelCase(status), t.exposeInt(status, { description: `Calls that are ${status}.` })])),
})

const CallsByOutcome = builder.objectRef<CallStats['byOutcome']>('CallsByOutcome').implement({
  description: 'Calls per outcome.',
  fields: t =>
    Object.fromEntries(
      callOutcomes.map(outcome => [camelCase(outcome), t.exposeInt(outcome, { description: `Calls that ended ${outcome}.` })]),
    ),
})

const CallDayType = builder.objectRef<CallDay>('CallDay').implement({
  description: 'Calls of one day.',
  fields: t => ({
    date: t.expose('date', { type: 'Date', description: 'The day (UTC).' }),
    placed: t.exposeInt('placed', { description: 'Calls that a provider has placed.' }),
    answered: t.exposeInt('answered', { description: 'Those that were answered.' }),
  }),
})

export const CallStatsType = builder.objectRef<CallStats>('CallStats').implement({
  description: 'Figures about the calls asked for in the window.',
  fields: t => ({
    total: t.exposeInt('total', { description: 'All of them.' }),
    active: t.exposeInt('active', { description: 'Calls that are not over, whenever they were asked for.' }),
    byStatus: t.expose('byStatus', { type: CallsByStatus, description: 'Per status.' }),
    byOutcome: t.expose('byOutcome', { type: CallsByOutcome, description: 'Per outcome.' }),
    answerRate: t.exposeFloat('answerRate', { description: 'Answered calls among those placed, 0 to 1.' }),
    avgDurationSeconds: t.exposeFloat('avgDurationSeconds', { description: 'Of answered calls.' }),
    series: t.field({
      type: [CallDayType],
      extensions: isInternal,
      description: 'Each day of the window, of a window of more than ten years its last days.',
      resolve: stats => stats.series,
    }),
    placedByDay: t.field({
      type: [SeriesPointType],
      description: 'Calls that a provider has placed, for each day of the window; of a window of more than ten years its last days.',
      resolve: ({ series }) => series.map(({ date, placed }) => ({ at: startOfDay(date), value: placed })),
    }),
    answeredByDay: t.field({
      type: [SeriesPointType],
      description: 'Those that were answered, for each of these days.',
      resolve: ({ series }) => series.map(({ date, answered }) => ({ at: startOfDay(date), value: answered })),
    }),
  }),
})

builder.objectField(StatsType, 'calls', t =>
  t.field({
    type: CallStatsType,
    nullable: true,
    extensions: nullOnError,
    description: 'About calls.',
    resolve: ({ window }, _args, context) => readCallStats(context, window),
  }),
)
