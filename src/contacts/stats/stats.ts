// Stats. Contacts have counters that triggers maintain, so the cost does not grow with their number. Companies are counted.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { type LifecycleStage, lifecycleStages } from '../contact/row.ts'
import { type ContactSource, contactSources } from '../records/source.ts'
import { countCompanies, selectCounts, selectDays } from './stats.sql.ts'
import { type Window, type WindowArgs, windowOf } from './window.ts'

export interface Stats {
  asOf: string
  window: Window
  contacts: ContactStats
}

/** Counts of live contacts; `new` counts those created in the window. */
export interface ContactStats {
  total: number
  new: number
  byLifecycleStage: Record<LifecycleStage, number>
  bySource: Record<ContactSource, number>
  withEmail: number
  withPhone: number
  doNotCall: number
}

/** Live companies; `new` counts those created in the window. */
export interface CompanyStats {
  total: number
  new: number
  withDomain: number
}

/** Counts the companies. An organization has far fewer companies than contacts. */
export async function companyStats(context: Context, { from, to }: Window): Promise<CompanyStats> {
  const [counts] = await context.db.query(countCompanies, [organizationOf(context), from, to])
  return counts ?? { total: 0, new: 0, withDomain: 0 }
}

/** The organization's stats. Throws INVALID for a window that ends before it begins. */
export async function readStats(context: Context, args: WindowArgs): Promise<Stats> {
  const orgId = organizationOf(context)
  const window = windowOf(args, context.now())
  const [counts] = await context.db.query(selectCounts, [orgId, window.from, window.to])
  return {
    asOf: context.now().toISOString(),
    window,
    contacts: {
      total: counts?.total ?? 0,
      new: counts?.new ?? 0,
      byLifecycleStage: countsBy(lifecycleStages.values, stage => counts?.[`stage_${stage}`]),
      bySource: countsBy(contactSources.values, source => counts?.[`source_${source}`]),
      withEmail: counts?.with_email ?? 0,
      withPhone: counts?.with_phone ?? 0,
      doNotCall: counts?.do_not_call ?? 0,
    },
  }
}

/** The number of live contacts created on each day of the window. */
export async function newContactsByDay(context: Context, args: WindowArgs): Promise<{ day: string; new: number }[]> {
  const { from, to } = windowOf(args, context.now())
  return context.db.query(selectDays, [organizationOf(context), from, to])
}

// A name without a counter counts as 0.
const countsBy = <Name extends string>(names: readonly Name[], countOf: (name: Name) => number | undefined) =>
  // Object.fromEntries does not keep the key type; the keys are exactly the names.
  Object.fromEntries(names.map(name => [name, countOf(name) ?? 0])) as Record<Name, number>
