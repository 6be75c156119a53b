// The nouns of bulk changes: their rules and statements, and the outcome of a batch.

import type { Context } from '../../kernel/context.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { RecordChanges } from '../records/input.ts'
import type { RecordNoun } from '../records/nouns.ts'
import type { BulkFailure, Reversal } from './bulk.sql.ts'

export interface Acted {
  changed: number
  unchanged: number
  failures: BulkFailure[]
  reversals: { contact_id: string; reversal: Reversal }[]
}

export const nothing = (): Acted => ({ changed: 0, unchanged: 0, failures: [], reversals: [] })

export const sumOf = (all: readonly Acted[]): Acted => ({
  changed: all.reduce((sum, { changed }) => sum + changed, 0),
  unchanged: all.reduce((sum, { unchanged }) => sum + unchanged, 0),
  failures: all.flatMap(({ failures }) => failures),
  reversals: all.flatMap(({ reversals }) => reversals),
})

/** The obstacle to a change of a record. `otherId`: the record in its way. */
export interface Hindrance {
  error: AppError
  otherId: string | null
}

export const failureOf = (id: string, { code, message }: AppError, otherId: string | null = null): BulkFailure => ({
  contactId: id,
  code,
  message,
  otherId,
})

export interface BulkRow {
  id: string
  deletedAt: string | null
  tags: string[]
}

/** A locked record, with its fields after a change. */
export interface Written<Row, Fields> {
  record: Row
  fields: Fields
  changed: Record<string, [unknown, unknown]>
}

export interface RecordsInBulk<Row extends BulkRow, Fields, Changes extends RecordChanges<object>> {
  noun: RecordNoun
  /** The fields that a change sets, each with its name in reversals. */
  reversedAs: Readonly<Record<string, string>>
  /** The same fields in words, for errors. */
  offers: string
  read(input: object): Changes
  /** In the order of ids, deleted ones included. */
  lock(tx: Context, orgId: string, ids: readonly string[]): Promise<Row[]>
  /** Throws INVALID. */
  apply(record: Row, changes: Changes): Fields
  differences(record: Row, fields: Fields): Record<string, [unknown, unknown]>
  write(tx: Context, orgId: string, written: readonly Written<Row, Fields>[]): Promise<void>
  /** Deletes locked live records, or restores deleted ones. */
  mark(tx: Context, orgId: string, records: readonly Row[], deletedAt: string | null): Promise<void>
  /** The obstacles to restoring deleted records, by id. Those without one are restored next. */
  hindrances(tx: Context, orgId: string, records: readonly Row[]): Promise<ReadonlyMap<string, Hindrance>>
}
