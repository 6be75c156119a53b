// The kinds of widgets: what each shows, how it can be configured, and which scope reading it takes.

import { listContacts } from '../../contacts/contact/list/list.ts'
import { contactTable } from '../../contacts/contact/row.ts'
import { groupDeals } from '../../contacts/deals/list/group.ts'
import { activityOfOwners, daysInStages } from '../../contacts/deals/list/stays.ts'
import { recordOf } from '../../contacts/records/hanging/ref.ts'
import { titleOfRecord } from '../../contacts/records/hanging/title.ts'
import { groupContacts } from '../../contacts/stats/group.ts'
import { listTasks } from '../../contacts/tasks/list.ts'
import { groupTransactions } from '../../credits/ledger/group.ts'
import { enrichmentStats } from '../../enrichment/stats/counts.ts'
import { groupSuggestions } from '../../enrichment/suggestions/group.ts'
import { listSuggestions } from '../../enrichment/suggestions/list.ts'
import type { Context } from '../../kernel/context.ts'
import type { CalendarUnit } from '../../kernel/lists/groups.sql.ts'
import type { Groups } from '../../kernel/lists/groups.ts'
import type { Scope } from '../../kernel/principal.ts'
import { listCalls } from '../../voice/calls/list.ts'
import { calls } from '../../voice/calls/row.ts'
import { groupCalls } from '../../voice/stats/group.ts'
import { type CallStats, readCallStats } from '../../voice/stats/stats.ts'

export const groupings = [
  ...(['lifecycle_stage', 'source', 'owner_user_id', 'country', 'tag'] as const),
  ...(['outcome', 'status', 'voice_agent_id', 'ended_reason', 'field', 'provider'] as const),
] as const
export type Grouping = (typeof groupings)[number]

/** How a widget is configured; null for what its kind does not have. */
export interface Configuration {
  rangeDays: number | null
  per: CalendarUnit | null
  groupBy: Grouping | null
}

/** A row of a widget that lists the newest or the next of something. */
export interface WidgetItem {
  entityId: string
  title: string
  detail: string | null
  at: string | null
}
export interface WidgetItems {
  items: WidgetItem[]
}
export type WidgetData = Groups | CallStats | WidgetItems

interface WidgetRequest extends Configuration {
  context: Context
  timezone: string
  /** When the first day of the range begins; null without a range. */
  since: Date | null
}

interface Kind {
  scope: Scope
  description: string
  /** The configuration of a new widget. A null property cannot be set, unless `hasOptional` names it. */
  defaults: Configuration
  hasOptional?: readonly (keyof Configuration)[]
  groupings?: readonly Grouping[]
  /** The noun of its keys, where the grouping does not say it. */
  keys?: 'stage' | 'owner_user_id'
  read(asked: WidgetRequest): Promise<WidgetData>
}

// As many as a widget has room for.
const maxItems = 10
const maxBars = 20
const none = { rangeDays: null, per: null, groupBy: null }
const daily = { rangeDays: 30, per: 'day', groupBy: null } as const

/** The fields to count by: the time, and a further one if the widget has one. */
function series<Field extends string>({ per, groupBy }: WidgetRequest, among: readonly Field[]) {
  const further = among.find(field => field === groupBy)
  return [{ field: 'created_at' as const, per: per ?? ('day' as const) }, ...(further ? [{ field: further }] : [])]
}
const bars = <Field extends string>({ groupBy }: WidgetRequest, among: readonly [Field, ...Field[]]) => [
  { field: among.find(field => field === groupBy) ?? among[0] },
]
const ofContacts = ['lifecycle_stage', 'source', 'owner_user_id', 'country', 'tag'] as const
const ofCalls = ['outcome', 'status', 'voice_agent_id', 'ended_reason'] as const
const ofSuggestions = ['status', 'field', 'provider'] as const
const overTime = ['lifecycle_stage', 'source'] as const
const callsOverTime = ['outcome', 'status', 'voice_agent_id'] as const
const maxPoints = 1000
/** Calls have the column `agent_id`. */
const ofCall = <Field extends string>({ field, ...by }: { field: Field | 'voice_agent_id'; per?: CalendarUnit }) => ({
  field: field === 'voice_agent_id' ? ('agent_id' as const) : field,
  ...by,
})

const quarterly = { ...none, rangeDays: 90 }
const byCurrency = { field: 'currency' }
const rangeStart = ({ since, context }: WidgetRequest) => since ?? context.now()
/** Groups of open deals by a field and their currency, with the sums of their amounts. */
const openDeals = ({ context, timezone }: WidgetRequest, by: { field: string; per?: CalendarUnit | null }, weighted = false) =>
  groupDeals(context, { by: [by, byCurrency], timezone, first: maxPoints, filter: { state: 'open' }, sumAmounts: true, weighted })

export const widgetKinds = {
  contacts_over_time: {
    scope: 'contacts:read',
    description: 'Contacts by the time when they were added, also by stage or source.',
    defaults: daily,
    hasOptional: ['groupBy'],
    groupings: overTime,
    read: asked =>
      groupContacts(asked.context, {
        ...{ by: series(asked, overTime), timezone: asked.timezone, first: maxPoints },
        filter: { createdSince: asked.since },
      }),
  },
  contacts_breakdown: {
    scope: 'contacts:read',
    description: 'Contacts by stage or another field, of the range; without a range all.',
    defaults: { ...none, groupBy: 'lifecycle_stage' },
    hasOptional: ['rangeDays'],
    groupings: ofContacts,
    read: asked => groupContacts(asked.context, { by: bars(asked, ofContacts), first: maxBars, filter: { createdSince: asked.since } }),
  },
  calls_over_time: {
    scope: 'calls:read',
    description: 'Calls by the time when they were asked for, also by outcome, status or voice agent.',
    defaults: daily,
    hasOptional: ['groupBy'],
    groupings: callsOverTime,
    read: asked =>
      groupCalls(asked.context, {
        ...{ by: series(asked, callsOverTime).map(ofCall), timezone: asked.timezone, first: maxPoints },
        filter: { createdSince: asked.since },
      }),
  },
  calls_breakdown: {
    scope: 'calls:read',
    description: 'Calls of the range by outcome or another field.',
    defaults: { ...none, rangeDays: 30, groupBy: 'outcome' },
    groupings: ofCalls,
    read: asked =>
      groupCalls(asked.context, { by: bars(asked, ofCalls).map(ofCall), first: maxBars, filter: { createdSince: asked.since } }),
  },
  answer_rate: {
    scope: 'calls:read',
    description: 'Which share of the calls of the range was answered, by days of UTC.',
    defaults: { ...none, rangeDays: 30 },
    read({ context, rangeDays }) {
      const now = context.now().getTime()
      const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
      return readCallStats(context, { from: dayOf(now - ((rangeDays ?? 30) - 1) * 86_400_000), to: dayOf(now) })
    },
  },
  enrichment_jobs: {
    scope: 'enrich:read',
    description: 'Enrichment jobs by status, all of them.',
    defaults: none,
    async read({ context }) {
      const { jobsByStatus } = await enrichmentStats(context)
      const figures = { unique: null, sum: null, average: null }
      const groups = Object.entries(jobsByStatus).map(([status, count]) => ({ keys: [status.toUpperCase()], count, ...figures }))
      return { groups: groups.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count), hasMore: false }
    },
  },
  suggestions_breakdown: {
    scope: 'enrich:read',
    description: 'Suggestions of the range by status or another field.',
    defaults: { ...none, rangeDays: 30, groupBy: 'status' },
    groupings: ofSuggestions,
    read: asked =>
      groupSuggestions(asked.context, { by: bars(asked, ofSuggestions), first: maxBars, filter: { createdSince: asked.since } }),
  },
  credits_over_time: {
    scope: 'credits:read',
    description: 'Credits that work has cost, by time: the sum of each group.',
    defaults: daily,
    read: asked =>
      groupTransactions(asked.context, {
        ...{ by: series(asked, []), timezone: asked.timezone, first: maxPoints },
        ...{ createdSince: asked.since, typeIn: ['debit', 'settle', 'adjust'], sumOf: 'spent' },
      }),
  },
  tasks_due: {
    scope: 'contacts:read',
    description: 'The next open tasks that are due within the range from now on, overdue ones first.',
    defaults: { ...none, rangeDays: 7 },
    async read({ context, rangeDays }) {
      const dueUntil = new Date(context.now().getTime() + (rangeDays ?? 7) * 86_400_000)
      const { nodes } = await listTasks(context, { first: maxItems, filter: { status: 'open', dueUntil }, sort: 'due_at' })
      const items = nodes.map(async task => {
        const detail = (await titleOfRecord(context, recordOf(task))) || null
        return { entityId: task.id, title: task.title, detail, at: task.dueAt }
      })
      return { items: await Promise.all(items) }
    },
  },
  deals_by_stage: {
    scope: 'contacts:read',
    description: 'Open deals by stage and currency, with the sum of their amounts.',
    defaults: none,
    keys: 'stage',
    read: asked => openDeals(asked, { field: 'stage' }),
  },
  deals_forecast: {
    scope: 'contacts:read',
    description:
      'Open deals by the month in which they are expected to be won, and currency: the sum of their amounts times the probability of their stages.',
    defaults: { ...none, per: 'month' },
    read: asked => openDeals(asked, { field: 'expected_close', per: asked.per }, true),
  },
  deals_win_rate: {
    scope: 'contacts:read',
    description: 'Deals that were won or lost within the range, by WON or LOST and currency, with the sum of their amounts.',
    defaults: quarterly,
    read: asked =>
      groupDeals(asked.context, {
        ...{ by: [{ field: 'state' }, byCurrency], first: maxPoints, sumAmounts: true },
        decidedSince: rangeStart(asked),
      }),
  },
  days_in_stage: {
    scope: 'contacts:read',
    description:
      'Stays of deals by stage, with their average in days. Stays that ended within the range count, and the present stays of open deals.',
    defaults: quarterly,
    keys: 'stage',
    read: asked => daysInStages(asked.context, rangeStart(asked)),
  },
  deal_activity: {
    scope: 'contacts:read',
    description: 'Changes of the stages of deals within the range, by owner and ADDED, MOVED, WON or LOST.',
    defaults: { ...none, rangeDays: 30 },
    keys: 'owner_user_id',
    read: asked => activityOfOwners(asked.context, rangeStart(asked)),
  },
  recent_contacts: {
    scope: 'contacts:read',
    description: 'The contacts added last.',
    defaults: none,
    async read({ context }) {
      const { nodes } = await listContacts(context, { first: maxItems }, contactTable.all)
      return {
        items: nodes.map(({ id, fullName, email, companyName, createdAt }) => ({
          ...{ entityId: id, title: fullName ?? email ?? 'Unnamed contact', detail: companyName, at: createdAt },
        })),
      }
    },
  },
  recent_calls: {
    scope: 'calls:read',
    description: 'The calls asked for last, with their outcome or status.',
    defaults: none,
    async read({ context }) {
      const { nodes } = await listCalls(context, { first: maxItems }, { rows: calls.all, agent: undefined, withContact: false })
      return {
        items: nodes.map(({ id, toNumber, outcome, status, createdAt }) => ({
          ...{ entityId: id, title: toNumber, detail: outcome ?? status, at: createdAt },
        })),
      }
    },
  },
  pending_suggestions: {
    scope: 'enrich:read',
    description: 'The newest suggestions that nobody has decided: the field, and the value.',
    defaults: none,
    async read({ context }) {
      const { nodes } = await listSuggestions(context, { first: maxItems, filter: { status: 'pending' } })
      const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
      return {
        items: nodes.map(({ id, field, proposedValue, createdAt }) => ({
          ...{ entityId: id, title: field, detail: textOf(proposedValue), at: createdAt },
        })),
      }
    },
  },
} as const satisfies Record<string, Kind>

export type WidgetKind = keyof typeof widgetKinds

export const kindNamed = (kind: WidgetKind): Kind => widgetKinds[kind]
export const isWidgetKind = (name: string): name is WidgetKind => Object.hasOwn(widgetKinds, name)
