// GraphQL: the Stats type and its query.

import { builder, checkWith } from '../../graphql/schema/builder.ts'
import { lifecycleStages } from '../contact/row.ts'
import { contactSources } from '../records/source.ts'
import { type CompanyStats, type ContactStats, companyStats, readStats, type Stats } from './stats.ts'
import type { Window } from './window.ts'
import { type WindowArgs, windowProblems } from './window.ts'

const StatsWindow = builder.objectRef<Window>('StatsWindow').implement({
  description: 'Days of UTC, both included.',
  fields: t => ({
    from: t.expose('from', { type: 'Date', description: 'The first day.' }),
    to: t.expose('to', { type: 'Date', description: 'The last day.' }),
  }),
})

const ContactsByLifecycleStage = builder.objectRef<ContactStats['byLifecycleStage']>('ContactsByLifecycleStage').implement({
  description: 'Live contacts per stage.',
  fields: t =>
    Object.fromEntries(
      lifecycleStages.values.map(stage => [stage, t.exposeInt(stage, { description: `Contacts in the stage ${stage}.` })]),
    ),
})

const ContactsBySource = builder.objectRef<ContactStats['bySource']>('ContactsBySource').implement({
  description: 'Live contacts per source.',
  fields: t =>
    Object.fromEntries(
      contactSources.values.map(source => [source, t.exposeInt(source, { description: `Contacts from the source ${source}.` })]),
    ),
})

const ContactStatsType = builder.objectRef<ContactStats>('ContactStats').implement({
  description: 'Figures about live contacts.',
  fields: t => ({
    total: t.exposeInt('total', { description: 'All of them.' }),
    new: t.exposeInt('new', { description: 'Those created in the window.' }),
    byLifecycleStage: t.expose('byLifecycleStage', { type: ContactsByLifecycleStage, description: 'Per stage.' }),
    bySource: t.expose('bySource', { type: ContactsBySource, description: 'Per source.' }),
    withEmail: t.exposeInt('withEmail', { description: 'Those with an email address.' }),
    withPhone: t.exposeInt('withPhone', { description: 'Those with a phone number.' }),
    doNotCall: t.exposeInt('doNotCall', { description: 'Those who must not be called.' }),
  }),
})

const CompanyStatsType = builder.objectRef<CompanyStats>('CompanyStats').implement({
  description: 'Figures about live companies.',
  fields: t => ({
    total: t.exposeInt('total', { description: 'All of them.' }),
    new: t.exposeInt('new', { description: 'Those created in the window.' }),
    withDomain: t.exposeInt('withDomain', { description: 'Those with a domain.' }),
  }),
})

export const StatsType = builder.objectRef<Stats>('Stats').implement({
  description: 'Figures about the organization. Exact, and as cheap with a million contacts as with ten.',
  fields: t => ({
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When they were read.' }),
    window: t.expose('window', { type: StatsWindow, description: 'The days that `new` counts.' }),
    contacts: t.expose('contacts', { type: ContactStatsType, description: 'About contacts.' }),
    companies: t.field({
      type: CompanyStatsType,
      description: 'About companies, counted where the query asks for them.',
      resolve: ({ window }, _args, context) => companyStats(context, window),
    }),
  }),
})

builder.queryField('stats', t =>
  t.field({
    type: StatsType,
    description: "The organization's figures.",
    authScopes: { scope: 'stats:read' },
    extensions: checkWith((args: WindowArgs, context) => windowProblems(args, context.now())),
    args: {
      from: t.arg({ type: 'Date', description: 'First day of the window (UTC). Default: 29 days before the last.' }),
      to: t.arg({ type: 'Date', description: 'Last day of the window (UTC). Default: today.' }),
    },
    resolve: (_parent, args, context) => readStats(context, args),
  }),
)
