// How the rows of a noun are written one by one.

import type { Context } from '../../../kernel/context.ts'
import type { OnConflict, WriteOutcome } from '../../contact/write.ts'
import type { LinkedRow } from './links.ts'

/** The result of one row. */
export interface Written {
  id: string
  outcome: Exclude<WriteOutcome, 'failed'>
  /** Of a record that was created or updated. */
  version?: number
  /** Of a record that was updated: its version before, and `{ field: [before, after] }`. */
  fromVersion?: number
  changed?: Record<string, [unknown, unknown]>
}

interface Versioned {
  id: string
  version: number
}

export const created = ({ id, version }: Versioned): Written => ({ id, outcome: 'created', version })

/** `changed` is called if the record was changed. */
export const changedFrom = (before: Versioned, after: Versioned, changed: () => Record<string, [unknown, unknown]>): Written =>
  after.version === before.version
    ? { id: after.id, outcome: 'skipped' }
    : { id: after.id, outcome: 'updated', version: after.version, fromVersion: before.version, changed: changed() }

/** Writes one row, in the context's transaction. Throws the problems of the row. */
export type WriteRow = (tx: Context, row: LinkedRow, onConflict: OnConflict | null) => Promise<Written>

/** Prepares the rows of a batch by some statements, and returns how each is written. */
export type RowsOf = (tx: Context, orgId: string, rows: readonly LinkedRow[]) => Promise<WriteRow>
