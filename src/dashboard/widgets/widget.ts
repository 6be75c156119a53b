// The widgets of a dashboard, in order: a member's own ones in an organization, or the default ones until the first change.

import { v5 as nameBasedId } from 'uuid'
import { hasLiveDeals } from '../../contacts/deals/deal.ts'
import type { DashboardWidgetModel } from '../../generated/prisma/models.ts'
import { type Context, inTransaction, organizationOf, userOf } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { OutboxEvent } from '../../kernel/events/event.sql.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { type EventType, eventsOf, update } from '../../kernel/nouns/events.ts'
import { type Configured, configure, type WidgetInput } from './configuration.ts'
import { type Configuration, type Grouping, isWidgetKind, kindNamed, type WidgetKind } from './kind.ts'
import { lockDashboard } from './widget.sql.ts'

const events = eventsOf('dashboard_widget', {
  added: 'A widget was added to a dashboard. Told to its user alone.',
  removed: 'A widget was removed from a dashboard. Told to its user alone.',
  updated: update('A widget of a dashboard was changed or moved. Told to its user alone.'),
})

// 20: each is a read of its own, and one page shows them all.
const maxWidgets: Maximum = { noun: 'widgets', most: 20, of: 'A dashboard', nouns: 'widgets', remedy: 'remove one first' }

export interface DashboardWidget extends Configured {
  id: string
  kind: WidgetKind
  position: number
  createdAt: Date | null
  updatedAt: Date | null
  /** The reader of its data. Default: the caller. */
  readAs?: Context
}

// Shown by default where there are deals.
const kindsOfDeals: readonly WidgetKind[] = ['deals_forecast', 'deals_by_stage', 'deals_win_rate', 'days_in_stage', 'deal_activity']
const defaultKinds: readonly WidgetKind[] = [
  ...(['contacts_over_time', 'contacts_breakdown', 'calls_over_time', 'answer_rate', 'calls_breakdown'] as const),
  ...(['enrichment_jobs', 'pending_suggestions', 'credits_over_time', 'tasks_due', 'recent_contacts'] as const),
]

/** The widgets of the signed-in user, or of a guest, in their order. Throws FORBIDDEN for other credentials. */
export async function listWidgets(context: Context): Promise<DashboardWidget[]> {
  const orgId = organizationOf(context)
  const { principal } = context
  if (principal.kind === 'guest') return defaultWidgets(context, orgId, principal.guestId)
  if (principal.kind !== 'session') throw new AppError('FORBIDDEN', 'Dashboards are for signed-in users and guests')
  return (await ownWidgets(context, orgId, principal.userId)) ?? defaultWidgets(context, orgId, principal.userId)
}

/** Throws NOT_FOUND, also for widgets of others. */
export async function getWidget(context: Context, id: string): Promise<DashboardWidget> {
  return widgetNamed(await listWidgets(context), id)
}

/** Whether the change of a dashboard is the caller's own. */
export async function tellsOfWidget({ principal }: Context, { changes }: Pick<OutboxEvent, 'changes'>): Promise<boolean> {
  return principal.kind === 'session' && changes.privateTo === principal.userId
}

/** Adds a widget, by default as the last one. Throws INVALID, and CONFLICT for a full dashboard. */
export function addWidget(context: Context, { kind, position, ...input }: WidgetInput & { kind: WidgetKind; position?: number | null }) {
  const configuration = configure(kind, input)
  return changing(context, async ({ tx, owner, widgets }) => {
    requireRoom(maxWidgets, widgets.length)
    const now = tx.now()
    const widget = { id: newId(), kind, ...configuration, position: widgets.length, createdAt: now, updatedAt: now }
    await tx.db.prisma.dashboardWidget.create({ data: { ...widget, ...owner } })
    await recordWidgetEvent(tx, events.added, widget.id, { kind })
    const ordered = await reorder(tx, [...widgets, widget], widget.id, position ?? widgets.length)
    return widgetNamed(ordered, widget.id)
  })
}

/** Changes the given values. Writes nothing if all are equal. Throws NOT_FOUND and INVALID. */
export function updateWidget(context: Context, { id, ...input }: WidgetInput & { id: string }): Promise<DashboardWidget> {
  return changing(context, async ({ tx, widgets }) => {
    const before = widgetNamed(widgets, id)
    const after = configure(before.kind, input, before)
    const fields = (['title', 'rangeDays', 'per', 'groupBy'] as const).filter(name => before[name] !== after[name])
    if (fields.length === 0) return before
    const { updatedAt } = await tx.db.prisma.dashboardWidget.update({ where: { id: before.id }, data: { ...after, updatedAt: tx.now() } })
    const pairs = Object.fromEntries(fields.map(name => [name, [before[name], after[name]]]))
    await recordWidgetEvent(tx, events.updated, before.id, pairs)
    return { ...before, ...after, updatedAt }
  })
}

/** Moves a widget to a place, from 0; a place behind the last one is the last. Answers all in their order. Throws NOT_FOUND. */
export function moveWidget(context: Context, { id, position }: { id: string; position: number }): Promise<DashboardWidget[]> {
  return changing(context, async ({ tx, widgets }) => {
    const widget = widgetNamed(widgets, id)
    const ordered = await reorder(tx, widgets, widget.id, position)
    const after = widgetNamed(ordered, widget.id).position
    if (after !== widget.position) await recordWidgetEvent(tx, events.updated, widget.id, { position: [widget.position, after] })
    return ordered
  })
}

/** Removes a widget, with its keys. Throws NOT_FOUND. */
export function removeWidget(context: Context, id: string): Promise<DashboardWidget> {
  return changing(context, async ({ tx, widgets }) => {
    const widget = widgetNamed(widgets, id)
    await tx.db.prisma.dashboardWidget.delete({ where: { id: widget.id } })
    const others = widgets.filter(one => one !== widget)
    await renumber(tx, others)
    await recordWidgetEvent(tx, events.removed, widget.id, { kind: widget.kind })
    return widget
  })
}

export interface Changing {
  tx: Context
  owner: { orgId: string; userId: string }
  widgets: DashboardWidget[]
}

/** Runs a change of the user's own dashboard, which begins as a copy of the default one. */
export function changing<Result>(context: Context, change: (dashboard: Changing) => Promise<Result>): Promise<Result> {
  const orgId = organizationOf(context)
  const { userId } = userOf(context)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await db.query(lockDashboard, [orgId, userId])
    const own = await ownWidgets(tx, orgId, userId)
    const widgets = own ?? (await defaultWidgets(tx, orgId, userId))
    if (!own) {
      await db.prisma.ownDashboard.create({ data: { orgId, userId, createdAt: tx.now() } })
      const now = tx.now()
      await db.prisma.dashboardWidget.createMany({
        data: widgets.map(widget => ({ ...widget, orgId, userId, createdAt: now, updatedAt: now })),
      })
    }
    return change({ tx, owner: { orgId, userId }, widgets })
  })
}

function widgetNamed(widgets: readonly DashboardWidget[], id: string): DashboardWidget {
  const widget = isId(id) ? widgets.find(one => one.id === id.toLowerCase()) : undefined
  if (!widget) throw notFound('widget of the dashboard', id)
  return widget
}

// The ids follow from the owner, so that a default widget can be named before the dashboard is anybody's own.
async function defaultWidgets(context: Context, orgId: string, userId: string): Promise<DashboardWidget[]> {
  const kinds = (await hasLiveDeals(context)) ? [...kindsOfDeals, ...defaultKinds] : defaultKinds
  return kinds.map((kind, position) => ({
    ...{ id: nameBasedId(`${kind} of ${userId}`, orgId), kind, title: null, ...kindNamed(kind).defaults, position },
    ...{ createdAt: null, updatedAt: null },
  }))
}

async function ownWidgets({ db }: Context, orgId: string, userId: string): Promise<DashboardWidget[] | null> {
  const own = await db.prisma.ownDashboard.findUnique({
    where: { userId_orgId: { userId, orgId } },
    include: { widgets: { orderBy: { position: 'asc' } } },
  })
  return own?.widgets.flatMap(row => widgetOf(row) ?? []) ?? null
}

/** The widget of a row; null for a kind of a newer release. */
function widgetOf({ orgId: _, userId: __, kind, per, groupBy, ...row }: DashboardWidgetModel): DashboardWidget | null {
  // The columns were checked when they were written.
  return isWidgetKind(kind) ? { ...row, kind, per: per as Configuration['per'], groupBy: groupBy as Grouping | null } : null
}

async function reorder(tx: Context, widgets: readonly DashboardWidget[], id: string, position: number): Promise<DashboardWidget[]> {
  const moved = widgetNamed(widgets, id)
  const others = widgets.filter(one => one !== moved)
  return renumber(tx, others.toSpliced(Math.max(position, 0), 0, moved))
}

async function renumber({ db }: Context, widgets: readonly DashboardWidget[]): Promise<DashboardWidget[]> {
  for (const [position, { id, position: before }] of widgets.entries())
    if (position !== before) await db.prisma.dashboardWidget.update({ where: { id }, data: { position } })
  return widgets.map((widget, position) => ({ ...widget, position }))
}

// Dashboards are private: a change is told to its user alone.
const recordWidgetEvent = (tx: Context, type: EventType, entityId: string, changes: Record<string, unknown>) =>
  recordEvent(tx, { type, entityId, changes: { ...changes, privateTo: userOf(tx).userId } })
