// How the rows of a noun are written one by one.

import type { Context } from '../../../kernel/context.ts'
import type { OnConflict, WriteOutcome } from '../../contact/write.ts'
import type { LinkedRow } from './links.ts'

/** The result of one row. */
export interface Written {
  id: string
  outcome: Exclude<WriteOutcome, 'failed'>
}

/** Writes one row, in the context's transaction. Throws the problems of the row. */
export type WriteRow = (tx: Context, row: LinkedRow, onConflict: OnConflict | null) => Promise<Written>

/** Prepares the rows of a batch by some statements, and returns how each is written. */
export type RowsOf = (tx: Context, orgId: string, rows: readonly LinkedRow[]) => Promise<WriteRow>
