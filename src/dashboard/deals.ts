// The widgets of deals, as the dashboard of REST has them: tables with a row for each part and currency.

import { hasLiveDeals } from '../contacts/deals/deal.ts'
import type { Context } from '../kernel/context.ts'
import type { Group } from '../kernel/lists/groups.ts'
import { perObject } from '../kernel/per-object.ts'
import { readWidgetData } from './widgets/data.ts'
import { kindNamed, type WidgetKind } from './widgets/kind.ts'
import { namesOfKeys } from './widgets/names.ts'
import type { DashboardWidget } from './widgets/widget.ts'

interface Told {
  kind: WidgetKind
  title: string
  columns: [label: string, value: string]
  value(group: Group): number
  /** The word of a key that has no name. */
  without?: string
}

const amount = ({ sum }: Group) => sum ?? 0
const told: readonly Told[] = [
  { kind: 'deals_by_stage', title: 'Pipeline by stage', columns: ['stage', 'amount'], value: amount },
  { kind: 'deals_forecast', title: 'Forecast by month', columns: ['month', 'amount'], value: amount, without: 'no date' },
  { kind: 'deals_win_rate', title: 'Won and lost', columns: ['state', 'deals'], value: ({ count }) => count },
  {
    kind: 'days_in_stage',
    title: 'Days in stage',
    columns: ['stage', 'days'],
    value: ({ average }) => Math.round(10 * (average ?? 0)) / 10,
  },
  { kind: 'deal_activity', title: 'Activity by owner', columns: ['owner', 'changes'], value: ({ count }) => count, without: 'nobody' },
]

interface TableWidget {
  id: string
  kind: 'table'
  title: string
  read(context: Context): Promise<{ columns: string[]; rows: [label: string, value: number][] }>
}

export const widgetsOfDeals: readonly TableWidget[] = told.map(({ kind, title, columns, value, without = '' }) => ({
  ...{ id: kind, kind: 'table', title },
  async read(context) {
    if (!(await hasDeals(context))) return { columns, rows: [] }
    const { keys, groups } = await readGroups(context, kind)
    const rows = groups.map((group): [string, number] => [labelOf(keys, group.keys, without), value(group)])
    return { columns, rows }
  },
}))

// Read once for all of them.
const hasDeals = perObject((context: Context) => hasLiveDeals(context))

async function readGroups(context: Context, kind: WidgetKind): Promise<{ keys: ReadonlyMap<string, string>; groups: readonly Group[] }> {
  const timeless = { title: null, position: 0, createdAt: null, updatedAt: null }
  const widget: DashboardWidget = { ...timeless, id: kind, kind, ...kindNamed(kind).defaults }
  const data = await readWidgetData(context, widget, 'UTC')
  const names = await namesOfKeys(context, widget, 'UTC')
  return { keys: new Map(names.map(({ key, name }) => [key, name])), groups: 'groups' in data ? data.groups : [] }
}

/** Such as `Proposal, EUR`. Deals without an amount have no currency. */
const labelOf = (names: ReadonlyMap<string, string>, [key = null, part]: Group['keys'], without: string): string =>
  [key === null ? without : (names.get(key) ?? key.toLowerCase()), ...(part ? [part] : [])].join(', ')
