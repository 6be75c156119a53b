// Figures about an organization's contacts, read from running counts: their cost does not grow with the contacts.

import { type Context, organizationOf } from '../context.ts'
import { statement, unseen } from '../database/client.ts'
import { type ContactSource, contactSources, type LifecycleStage, lifecycleStages } from './contact-row.ts'
import { type Window, type WindowArgs, windowOf } from './window.ts'

export interface Stats {
  asOf: string
  window: Window
  contacts: ContactStats
}

/** Live contacts. `new` are those created in the window. */
export interface ContactStats {
  total: number
  new: number
  byLifecycleStage: Record<LifecycleStage, number>
  bySource: Record<ContactSource, number>
  withEmail: number
  withPhone: number
  doNotCall: number
}

const sum = (column: string) => `coalesce(sum(${column}) filter (where day = '-infinity'), 0)::bigint`
const counted = [
  'total',
  'with_email',
  'with_phone',
  'do_not_call',
  ...lifecycleStages.map(stage => `stage_${stage}`),
  ...contactSources.map(source => `source_${source}`),
]
const selectCounts = statement<number[]>(
  'contact_counts',
  `select coalesce(sum(total) filter (where day <> '-infinity'), 0)::bigint, ${counted.map(sum)} from contact_counts
   where org_id = ${unseen('$1::uuid')} and (day = '-infinity' or day between $2 and $3)`,
  columns => [...columns],
)
const selectDays = statement<{ day: string; new: number }>(
  'contact_counts_by_day',
  `select days.day::date as day, coalesce(sum(total), 0)::bigint as new
   from generate_series($2::date, $3::date, '1 day') as days (day)
   left join contact_counts counts on counts.org_id = ${unseen('$1::uuid')} and counts.day = days.day::date
   group by 1 order by 1`,
)

/** The organization's figures. Throws INVALID for a window that ends before it begins. */
export async function readStats(context: Context, args: WindowArgs): Promise<Stats> {
  const orgId = organizationOf(context)
  const window = windowOf(args, context.now())
  const [counts = []] = await context.db.query(selectCounts, [orgId, window.from, window.to])
  const [created = 0, total = 0, withEmail = 0, withPhone = 0, doNotCall = 0] = counts
  return {
    asOf: context.now().toISOString(),
    window,
    contacts: {
      total,
      new: created,
      byLifecycleStage: named(lifecycleStages, counts, 5),
      bySource: named(contactSources, counts, 5 + lifecycleStages.length),
      withEmail,
      withPhone,
      doNotCall,
    },
  }
}

/** Contacts created on each day of the window that are live. */
export async function newContactsByDay(context: Context, args: WindowArgs): Promise<{ day: string; new: number }[]> {
  const { from, to } = windowOf(args, context.now())
  return context.db.query(selectDays, [organizationOf(context), from, to])
}

// Each name with its count, zero where nothing was counted yet.
const named = <Name extends string>(names: readonly Name[], counts: readonly number[], start: number) =>
  // Object.fromEntries forgets its keys, which are exactly the names.
  Object.fromEntries(names.map((name, index) => [name, counts[start + index] ?? 0])) as Record<Name, number>
