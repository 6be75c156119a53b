// Statements that delete rows past their retention. Each domain declares the statements of its tables; the kernel's own are here.

import type { Config } from '../config/environment.ts'
import { type Statement, statement } from '../database/statement.ts'
import { boolean, integer, rows, text } from '../database/table.ts'
import { keptHours } from './idempotency/idempotency.ts'

export interface Prune {
  /** $1: the time before which rows are deleted. Returns one row per deleted row. */
  statement: Statement<{ pruned: number }>
  /** Null: for ever. */
  keptMs: (config: Config) => number | null
}

const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** The maximum number of rows per execution, so that each delete is short and holds few locks. */
export const pruneSlice = 5000

/** A statement that deletes the rows for which `condition`, which compares with $1, is true. `key` is the primary key. */
export function prune(name: string, table: string, condition: string, keptMs: Prune['keptMs'], key = 'id'): Prune {
  // The inner select locks the rows where it evaluates the condition. A delete that had waited for a lock would compare only the key again,
  // and delete a row that was used meanwhile. Locked rows are left for the next round.
  const expired = `select ${key} from ${table} where ${condition} limit ${pruneSlice} for update skip locked`
  const text = `delete from ${table} where ${key} in (${expired}) returning 1 as pruned`
  return { statement: statement(`prune_${name}`, text, rows({ pruned: integer })), keptMs }
}

/** The same for a table that is partitioned by `created_at`. */
function pruneByTime(name: string, table: string, keptMs: Prune['keptMs']): Prune {
  const isPast = 'created_at < $1::timestamptz'
  const past = `select id, created_at from ${table} where ${isPast} limit ${pruneSlice} for update skip locked`
  // The outer condition, too: the plan then leaves out the partitions of later times.
  const text = `delete from ${table} where ${isPast} and (id, created_at) in (${past}) returning 1 as pruned`
  return { statement: statement(`prune_${name}`, text, rows({ pruned: integer })), keptMs }
}

export const kernelRetention = {
  // Answers are dropped by day, so the first of a day are kept for two.
  idempotencyKeys: pruneByTime('idempotency_keys', 'idempotency_keys', () => answersKeptMs + dayMs + hourMs),
  downloads: prune('downloads', 'downloads', 'expires_at < $1::timestamptz', () => dayMs),
  // Uploads that never completed, and complete ones that nobody has imported.
  brokenUploads: prune('broken_uploads', 'uploads', 'completed_at is null and not is_used and created_at < $1::timestamptz', () => hourMs),
  uploads: prune('uploads', 'uploads', 'created_at < $1::timestamptz', () => 7 * dayMs),
  // Rows of work that no round finds any more.
  workBegun: prune('work_begun', 'work_begun', 'lease_until < $1::timestamptz', () => 7 * dayMs),
  pastEvents: pruneByTime('events', 'events', config => withOverdue(eventsKeptMs(config))),
  // Entries whose events are gone, or go with their month.
  timelineEntries: pruneByTime('timeline_entries', 'timeline_entries', config => eventsKeptMs(config)),
}

const answersKeptMs = keptHours * hourMs
const eventsKeptMs = (config: Config) => config.EVENT_RETENTION_DAYS * dayMs

/**
 * How long rows are kept that are dropped by month: the first of a month until its last are past their retention. A tenth more than the
 * retention is allowed: older rows, in a partition of a longer time or with a short retention, are deleted by row.
 */
export const withOverdue = (keptMs: number): number => keptMs + Math.min(31 * dayMs, keptMs / 10)

/** A table that is partitioned by time. Rows past their retention are dropped by partition. */
export interface Partitioned {
  table: string
  unit: 'month' | 'week' | 'day'
  keptMs: Prune['keptMs']
  /**
   * Rows that keep their partition for longer, as SQL, given the time before which partitions are dropped. A row that does not satisfy it
   * never does again.
   */
  used?: (before: string) => string
}
export const kernelPartitioned = {
  events: { table: 'events', unit: 'month', keptMs: eventsKeptMs },
  idempotencyKeys: { table: 'idempotency_keys', unit: 'day', keptMs: () => answersKeptMs },
} satisfies Record<string, Partitioned>

/** $1 the table, $2 the unit, $3 a time in the month, week or day. False while readers of the table hold the lock: to be repeated later. */
export const addPartition = statement(
  'add_partition',
  'select add_partition($1::text::regclass, $2, $3::timestamptz) as is_there',
  rows({ isThere: boolean }),
)
/** $1 the table, $2 the time before which partitions are dropped, $3 what keeps one. Returns the name of the one that was dropped, if any. */
export const dropPastPartition = statement(
  'drop_past_partition',
  'select drop_past_partition($1::text::regclass, $2::timestamptz, $3) as dropped',
  rows({ dropped: text.orNull() }),
)
