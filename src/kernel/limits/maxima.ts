// Maximum numbers of rows of a noun. Rows that one person can make by a script, and that a list, request or event reads whole, have a maximum.
// Credits, queues and pages bound other rows. The noun's file declares it.

import type { Queries } from '../../database/client.ts'
import { AppError } from '../errors.ts'
import { lockMaximum } from './maxima.sql.ts'

/** `An organization has at most 50 …; delete one first`. */
export interface Maximum {
  /** The name of the noun's lock. */
  noun: string
  most: number
  /** The owner of the rows. */
  of: string
  nouns: string
  /** Advice to the caller. */
  remedy: string
  /** Default: CONFLICT. */
  code?: 'FORBIDDEN'
}

/** Throws CONFLICT, or the maximum's code, if there is no room beside `count`. */
export function requireRoom({ most, of, nouns, remedy, code }: Maximum, count: number | bigint): void {
  if (count >= most) throw new AppError(code ?? 'CONFLICT', `${of} has at most ${most} ${nouns}; ${remedy}`)
}

/** Lets one writer at a time count and add, until its transaction ends. */
export const lockNoun = async (db: Queries, { noun }: Maximum, ownerId: string): Promise<void> =>
  void (await db.query(lockMaximum, [noun, ownerId]))
