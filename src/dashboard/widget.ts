// The widgets of the dashboard. Each has its own `error`, so that one failure does not affect the others.

import { listContacts } from '../contacts/contact/list.ts'
import { contactTable } from '../contacts/contact/row.ts'
import { newContactsByDay } from '../contacts/stats/stats.ts'
import type { Context } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { dashboardCallStats, dashboardStats } from './dashboard.ts'

const widgetKinds = ['number', 'series', 'table', 'feed'] as const

export interface Widget {
  id: string
  kind: (typeof widgetKinds)[number]
  title: string
  data: unknown
  error: string | null
}

interface Part extends Pick<Widget, 'id' | 'kind' | 'title'> {
  read(context: Context): Promise<unknown>
}

const changedContacts = contactTable.select(['id', 'orgId', 'fullName', 'email', 'createdAt', 'updatedAt'])

const parts: readonly Part[] = [
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
      const { answerRate, total } = await dashboardCallStats(context)
      return { value: answerRate, change: total }
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
]

export const readWidgets = (context: Context): Promise<Widget[]> =>
  Promise.all(
    parts.map(async ({ read, ...part }) => {
      try {
        return { ...part, data: await read(context), error: null }
      } catch (error) {
        return { ...part, data: null, error: sentenceOf(error, part.id, context) }
      }
    }),
  )

function sentenceOf(error: unknown, id: string, { services, requestId }: Context): string {
  if (error instanceof AppError) return error.message
  services.log.error({ err: error, requestId, widget: id }, 'a widget failed')
  return 'This part could not be read'
}
