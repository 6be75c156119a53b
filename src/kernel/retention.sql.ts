// Statements that delete rows past their retention. Each domain declares those of its tables; the kernel's own are here.

import type { Config } from '../config/environment.ts'
import { type Statement, statement } from '../database/statement.ts'
import { integer, rows } from '../database/table.ts'
import { keptHours } from './idempotency/idempotency.ts'

export interface Prune {
  /** $1: the time before which rows are deleted. Returns one row per deleted row. */
  statement: Statement<{ pruned: number }>
  keptMs: (config: Config) => number
}

export const hourMs = 3_600_000
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

export const kernelRetention = {
  idempotencyKeys: prune('idempotency_keys', 'idempotency_keys', 'created_at < $1::timestamptz', () => keptHours * hourMs),
  downloads: prune('downloads', 'downloads', 'expires_at < $1::timestamptz', () => dayMs),
  // Uploads that never completed, and complete ones that nobody has imported.
  brokenUploads: prune('broken_uploads', 'uploads', 'completed_at is null and created_at < $1::timestamptz', () => hourMs),
  uploads: prune('uploads', 'uploads', 'created_at < $1::timestamptz', () => 7 * dayMs),
  events: prune('events', 'events', 'created_at < $1::timestamptz', config => config.EVENT_RETENTION_DAYS * dayMs),
}
