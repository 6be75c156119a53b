// GraphQL: the dashboard query and its widgets.

import { ContactType } from '../contacts/contact/contact.graphql.ts'
import { StatsType } from '../contacts/stats/stats.graphql.ts'
import { BalanceType } from '../credits/accounts/balance.graphql.ts'
import { balance } from '../credits/accounts/balance.ts'
import { SuggestionType } from '../enrichment/suggestions/suggestion.graphql.ts'
import { builder, nullOnError } from '../graphql/schema/builder.ts'
import { CallType } from '../voice/calls/call.graphql.ts'
import { type Dashboard, dashboardStats, pendingSuggestions, readDashboard, recentCalls, recentContacts } from './dashboard.ts'
import { WidgetType } from './widget.graphql.ts'
import { widgets } from './widget.ts'

const DashboardModeEnum = builder.enumType('DashboardMode', {
  description: 'For whom a dashboard is.',
  values: {
    USER: { value: 'user', description: 'A signed-in user.' },
    GUEST: { value: 'guest', description: 'A visitor of the demo organization.' },
  } as const,
})

const DashboardUser = builder.objectRef<NonNullable<Dashboard['user']>>('DashboardUser').implement({
  description: 'Owner of the dashboard.',
  fields: t => ({
    userId: t.exposeID('userId', { description: "The identity provider's id." }),
    email: t.exposeString('email', { nullable: true, description: 'Email address.' }),
    name: t.exposeString('name', { nullable: true, description: 'Name.' }),
  }),
})

const DashboardType = builder.objectRef<Dashboard>('Dashboard').implement({
  description: 'The first page somebody sees.',
  fields: t => ({
    mode: t.expose('mode', { type: DashboardModeEnum, description: 'For whom it is.' }),
    demo: t.exposeBoolean('demo', { description: 'Whether it shows demo data.' }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When it was read.' }),
    user: t.expose('user', { type: DashboardUser, nullable: true, description: 'Its user; null for a guest.' }),
    credits: t.field({
      type: BalanceType,
      nullable: true,
      extensions: nullOnError,
      description: "Balance of the user; for a guest, of the demo organization's owner.",
      resolve: (_dashboard, _args, context) => balance(context),
    }),
    stats: t.field({
      type: StatsType,
      nullable: true,
      extensions: nullOnError,
      description: 'Figures of the last 30 days.',
      resolve: (_dashboard, _args, context) => dashboardStats(context),
    }),
    recentContacts: t.field({
      type: [ContactType],
      nullable: true,
      extensions: nullOnError,
      description: 'The five contacts added last.',
      resolve: (_dashboard, _args, context) => recentContacts(context),
    }),
    recentCalls: t.field({
      type: [CallType],
      nullable: true,
      extensions: nullOnError,
      description: 'The five calls placed last.',
      resolve: (_dashboard, _args, context) => recentCalls(context),
    }),
    pendingSuggestions: t.field({
      type: [SuggestionType],
      nullable: true,
      extensions: nullOnError,
      description: 'The five newest suggestions that nobody has decided.',
      resolve: (_dashboard, _args, context) => pendingSuggestions(context),
    }),
    widgets: t.field({
      type: [WidgetType],
      description: 'Its parts. One that fails carries its own error.',
      resolve: () => widgets,
    }),
  }),
})

builder.queryField('dashboard', t =>
  t.field({
    type: DashboardType,
    description:
      'The start page of a signed-in user, or of a guest over demo data. FORBIDDEN for other credentials. A part that cannot be read is null, with an error at its path; the others are there.',
    authScopes: { someone: true },
    resolve: (_parent, _args, context) => readDashboard(context),
  }),
)
