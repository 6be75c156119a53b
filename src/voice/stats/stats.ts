// Figures about calls, read from running counts: their cost does not grow with the calls.

import { type Context, organizationOf } from '../context.ts'
import { statement, unseen } from '../database/client.ts'
import { type CallOutcome, type CallStatus, callOutcomes, callStatuses } from './telephony.ts'

/** Calls made in the window, and those active now. */
export interface CallStats {
  total: number
  active: number
  byStatus: Record<CallStatus, number>
  byOutcome: Record<CallOutcome, number>
  /** Answered calls among those that reached a phone company, 0 to 1; 0 where there are none. */
  answerRate: number
  avgDurationSeconds: number
  series: CallDay[]
}
export interface CallDay {
  date: string
  placed: number
  answered: number
}

const counted = [
  ...['total', 'placed', 'answered', 'answered_seconds'],
  ...callStatuses.map(status => `status_${status}`),
  ...callOutcomes.map(outcome => `outcome_${outcome}`),
]
const columns = ['active', ...counted]
// One row per day with calls, and one for what is active now.
const selectCounts = statement<{ day: string; counts: number[] }>(
  'call_counts',
  `select day, ${columns.map(column => `sum(${column})::bigint`)} from call_counts
   where org_id = ${unseen('$1::uuid')} and (day = '-infinity' or day between $2 and $3) group by day`,
  cells => ({ day: String(cells[0]), counts: cells.slice(1) }),
)

/** The figures of the days from `from` to `to` (UTC, both included), in one statement. */
export async function readCallStats(context: Context, { from, to }: { from: string; to: string }): Promise<CallStats> {
  const rows = await context.db.query(selectCounts, [organizationOf(context), from, to])
  const now = rows.find(({ day }) => day === '-infinity')?.counts ?? []
  const days = new Map(rows.filter(({ day }) => day !== '-infinity').map(({ day, counts }) => [day, counts]))
  const sums = columns.map((_, index) => [...days.values()].reduce((sum, counts) => sum + (counts[index] ?? 0), 0))
  const [, total = 0, placed = 0, answered = 0, seconds = 0] = sums
  return {
    total,
    active: now[0] ?? 0,
    byStatus: named(callStatuses, sums, 5),
    byOutcome: named(callOutcomes, sums, 5 + callStatuses.length),
    answerRate: placed === 0 ? 0 : Math.round((answered / placed) * 10_000) / 10_000,
    avgDurationSeconds: answered === 0 ? 0 : Math.round((seconds / answered) * 10) / 10,
    series: daysOf(from, to).map(date => {
      const [, , placed = 0, answered = 0] = days.get(date) ?? []
      return { date, placed, answered }
    }),
  }
}

const dayMs = 86_400_000
// Ten years of days; a chart of more is read by nobody, and a window may be any.
const mostDays = 3660

function daysOf(from: string, to: string): string[] {
  const last = Date.parse(to)
  const count = Math.min(mostDays, Math.round((last - Date.parse(from)) / dayMs) + 1)
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * dayMs).toISOString().slice(0, 10))
}

// Each name with its count, zero where nothing was counted yet.
const named = <Name extends string>(names: readonly Name[], counts: readonly number[], start: number) =>
  // Object.fromEntries forgets its keys, which are exactly the names.
  Object.fromEntries(names.map((name, index) => [name, counts[start + index] ?? 0])) as Record<Name, number>
