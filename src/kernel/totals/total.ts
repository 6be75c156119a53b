// Totals of lists: counted beside the page's statement, and bounded, so that rows never wait for a count.

import pLimit from 'p-limit'
import { sqlState } from '../../database/errors.ts'
import type { Queries } from '../../database/queries.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { perObject } from '../per-object.ts'
import { setTimeLimit } from './total.sql.ts'

/** A total that is counted when it is first asked for, or at once with `counted`. */
export function totalOf(counted: boolean | undefined, count: () => Promise<number>): () => Promise<number> {
  let counting: Promise<number> | undefined
  const total = () => (counting ??= count())
  // The page's own error is reported if both fail.
  if (counted) total().catch(() => {})
  return total
}

// 3 s: PostgreSQL counts some million rows in that time. Longer, the answer's rows would wait for a number that few readers need.
const maxCountMs = 3000
// A quarter of the pool's default: counts that take long leave connections for pages.
const maxCounts = 4

const limits = perObject((_services: Context['services']) => pLimit(maxCounts))

/** The total, or UNAVAILABLE where it does not come in time, whatever it waits for. */
export async function inTime(total: number | Promise<number>): Promise<number> {
  if (typeof total === 'number') return total
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong()), maxCountMs)
  })
  return Promise.race([total, late]).finally(() => clearTimeout(timer))
}

/** Runs a count whose number of rows is not bounded. PostgreSQL ends it, and it throws UNAVAILABLE, if it takes too long. */
export async function counted<Result>(context: Context, count: (db: Queries) => Promise<Result>): Promise<Result> {
  // A canceled statement would end the transaction of a write.
  if (context.db.inTransaction) return count(context.db)
  const latest = performance.now() + maxCountMs
  try {
    return await limits(context.services)(() => {
      // Nobody waits for it any more.
      if (performance.now() > latest) throw tooLong()
      return context.db.transaction(async db => {
        await db.query(setTimeLimit, [String(maxCountMs)])
        return count(db)
      })
    })
  } catch (error) {
    throw error instanceof AppError && sqlState(error.cause) === canceled ? tooLong() : error
  }
}

const canceled = '57014'
const tooLong = () =>
  new AppError('UNAVAILABLE', `Counting took longer than ${maxCountMs / 1000} s; narrow the filter, or do without the total`, {
    retryAfter: 1,
  })
