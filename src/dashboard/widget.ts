// The widgets of the dashboard. Each is read separately, so that a failure does not affect the others.

import { listContacts } from '../contacts/contact/list/list.ts'
import { contactTable } from '../contacts/contact/row.ts'
import { newContactsByDay } from '../contacts/stats/stats.ts'
import type { Context } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { perObject } from '../kernel/per-object.ts'
import { readCallStats } from '../voice/stats/stats.ts'
import { dashboardCallStats, dashboardStats } from './dashboard.ts'
import { widgetsOfDeals } from './deals.ts'

/** The data of each kind of widget, as REST sends it. */
export interface WidgetData {
  number: { value: number; change: number }
  series: { points: { date: string; value: number }[] }
  table: { columns: string[]; rows: [label: string, value: number][] }
  feed: { items: { id: string; text: string; at: string }[] }
}

export interface WidgetOf<Kind extends keyof WidgetData> {
  id: string
  kind: Kind
  title: string
  read(context: Context): Promise<WidgetData[Kind]>
}
export type Widget = { [Kind in keyof WidgetData]: WidgetOf<Kind> }[keyof WidgetData]

const changedContacts = contactTable.select(['id', 'orgId', 'fullName', 'email', 'createdAt', 'updatedAt'])

export const widgets: readonly Widget[] = [
  {
    id: 'contacts_total',
    kind: 'number',
    title: 'Contacts',
    async read(context) {
      const { contacts } = await dashboardStats(context)
      return { value: contacts.total, change: contacts.new }
    },
  },
  {
    id: 'contacts_new',
    kind: 'series',
    title: 'New contacts',
    async read(context) {
      const days = await newContactsByDay(context, {})
      return { points: days.map(({ day, new: value }) => ({ date: day, value })) }
    },
  },
  {
    id: 'contacts_by_stage',
    kind: 'table',
    title: 'Contacts by stage',
    async read(context) {
      const { contacts } = await dashboardStats(context)
      return { columns: ['stage', 'contacts'], rows: Object.entries(contacts.byLifecycleStage) }
    },
  },
  {
    id: 'contacts_changed',
    kind: 'feed',
    title: 'Recently changed',
    async read(context) {
      const { nodes } = await listContacts(context, { first: 10, sort: 'updated_at_desc' }, changedContacts)
      return {
        items: nodes.map(({ id, fullName, email, updatedAt }) => ({ id, text: fullName ?? email ?? 'Unnamed contact', at: updatedAt })),
      }
    },
  },
  {
    id: 'calls_answered',
    kind: 'number',
    title: 'Answer rate',
    async read(context) {
      const { from, to } = (await dashboardStats(context)).window
      const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
      const dayBefore = (count: number) => new Date(Date.parse(from) - count * dayMs).toISOString().slice(0, 10)
      const [now, before] = await Promise.all([
        dashboardCallStats(context),
        readCallStats(context, { from: dayBefore(days), to: dayBefore(1) }),
      ])
      const value = percent(now.answerRate)
      const isCompared = [now, before].every(({ series }) => series.some(({ placed }) => placed > 0))
      return { value, change: isCompared ? round(value - percent(before.answerRate)) : 0 }
    },
  },
  {
    id: 'calls_placed',
    kind: 'series',
    title: 'Calls placed',
    async read(context) {
      const { series } = await dashboardCallStats(context)
      return { points: series.map(({ date, placed: value }) => ({ date, value })) }
    },
  },
  ...widgetsOfDeals,
]

const dayMs = 86_400_000
const round = (value: number) => Math.round(value * 100) / 100
const percent = (share: number) => round(share * 100)

interface WidgetRead {
  /** Null if the widget failed. */
  data: unknown
  error: string | null
}

const reads = perObject((_: Context) => new Map<Widget, Promise<WidgetRead>>())

/** The widget's data, or its error, for REST. Read once for both fields. */
export function readWidget(context: Context, widget: Widget): Promise<WidgetRead> {
  const known = reads(context).get(widget)
  if (known) return known
  const read = widget.read(context).then(
    data => ({ data, error: null }),
    (error: unknown) => ({ data: null, error: sentenceOf(error, widget.id, context) }),
  )
  reads(context).set(widget, read)
  return read
}

function sentenceOf(error: unknown, id: string, { services, requestId }: Context): string {
  if (error instanceof AppError) return error.message
  services.log.error({ err: error, requestId, widget: id }, 'a widget failed')
  return 'This part could not be read'
}
