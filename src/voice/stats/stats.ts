// Statistics of calls, read from counters that triggers maintain: the cost does not grow with the number of calls.

import type { Database } from '../../database/client.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { type CallOutcome, type CallStatus, callOutcomes, callStatuses } from '../providers/telephony.ts'
import { countOpen, countWidth, selectCounts } from './stats.sql.ts'

/** Counts of calls created in the window, and of calls that are active now. */
export interface CallStats {
  total: number
  active: number
  byStatus: Record<CallStatus, number>
  byOutcome: Record<CallOutcome, number>
  /** Answered calls among those that a provider accepted, 0 to 1; 0 if there are none. */
  answerRate: number
  avgDurationSeconds: number
  series: CallDay[]
}
export interface CallDay {
  date: string
  placed: number
  answered: number
}

/** The statistics of the UTC days from `from` to `to`, both included, read by one statement. */
export async function readCallStats(context: Context, { from, to }: { from: string; to: string }): Promise<CallStats> {
  const rows = await context.db.query(selectCounts, [organizationOf(context), from, to])
  const now = rows.find(({ day }) => day === '-infinity')?.counts ?? []
  const days = new Map(rows.filter(({ day }) => day !== '-infinity').map(({ day, counts }) => [day, counts]))
  const sums = Array.from({ length: countWidth }, (_, index) => [...days.values()].reduce((sum, counts) => sum + (counts[index] ?? 0), 0))
  const [, total = 0, placed = 0, answered = 0, seconds = 0] = sums
  return {
    total,
    active: now[0] ?? 0,
    byStatus: countsByName(callStatuses, sums, 5),
    byOutcome: countsByName(callOutcomes, sums, 5 + callStatuses.length),
    answerRate: placed === 0 ? 0 : Math.round((answered / placed) * 10_000) / 10_000,
    avgDurationSeconds: answered === 0 ? 0 : Math.round((seconds / answered) * 10) / 10,
    series: daysOf(from, to).map(date => {
      const [, , placed = 0, answered = 0] = days.get(date) ?? []
      return { date, placed, answered }
    }),
  }
}

const dayMs = 86_400_000
// Ten years: limits the window of a request, which may be longer.
const maxDays = 3660

function daysOf(from: string, to: string): string[] {
  const last = Date.parse(to)
  const count = Math.min(maxDays, Math.round((last - Date.parse(from)) / dayMs) + 1)
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * dayMs).toISOString().slice(0, 10))
}

// Each name with its count; zero if it has none.
const countsByName = <Name extends string>(names: readonly Name[], counts: readonly number[], start: number) =>
  // `as`: Object.fromEntries loses the key type; the keys are exactly the names.
  Object.fromEntries(names.map((name, index) => [name, counts[start + index] ?? 0])) as Record<Name, number>

/** The calls of all organizations that have not ended, for the metrics: waiting, being dialled, at a provider, or unconfirmed. */
export const openCalls = (database: Database): Promise<{ state: string; count: number }[]> => database.query(countOpen)
