// Totals of lists: counted beside the page's statement and limited in time, so that the rows of a page never wait for a count.

import pLimit, { type LimitFunction } from 'p-limit'
import { sqlState } from '../../database/errors.ts'
import type { Queries } from '../../database/queries.ts'
import { type Context, organizationKeyOf } from '../context.ts'
import { AppError } from '../errors.ts'
import { perObject } from '../per-object.ts'
import { setTimeLimit } from './total.sql.ts'

/** A total, counted on the first call, or at once with `counted`. */
export function totalOf(counted: boolean | undefined, count: () => Promise<number>): () => Promise<number> {
  let counting: Promise<number> | undefined
  const total = () => (counting ??= count())
  // The error is reported by the caller of `total`. Unhandled, it would end the process when the page's own statement fails.
  if (counted) total().catch(() => {})
  return total
}

// 3 s: PostgreSQL counts some million rows in that time. With more, the rows of the answer would wait for a number that few readers need.
const maxCountMs = 3000
// A quarter of the pool's default size, so that slow counts leave connections for pages.
const maxCounts = 4
// Half of them: an organization whose lists take long to count does not keep the others from counting.
const maxCountsOfOne = 2

const slotsOf = perObject((_services: Context['services']) => {
  const all = pLimit(maxCounts)
  const byOrganization = new Map<string, LimitFunction>()
  return async <Result>(organization: string, count: () => Promise<Result>): Promise<Result> => {
    const own = byOrganization.get(organization) ?? pLimit(maxCountsOfOne)
    byOrganization.set(organization, own)
    try {
      return await own(() => all(count))
    } finally {
      if (own.activeCount + own.pendingCount === 0) byOrganization.delete(organization)
    }
  }
})

/** The total, or UNAVAILABLE when it takes longer than the limit, including time spent waiting for other counts. */
export async function inTime(total: number | Promise<number>): Promise<number> {
  if (typeof total === 'number') return total
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong()), maxCountMs)
  })
  return Promise.race([total, late]).finally(() => clearTimeout(timer))
}

/** Runs a count over any number of rows. PostgreSQL cancels it when it takes too long; then UNAVAILABLE is thrown. */
export async function counted<Result>(context: Context, count: (db: Queries) => Promise<Result>): Promise<Result> {
  const { services, db } = context
  const latest = performance.now() + maxCountMs
  const countWithLimit = () =>
    db.readAside(async aside => {
      await aside.query(setTimeLimit, [String(maxCountMs)])
      return count(aside)
    })
  try {
    // A transaction has its connection already. One that waited for a slot would hold its locks meanwhile.
    if (db.inTransaction) return await countWithLimit()
    return await slotsOf(services)(organizationKeyOf(context), () => {
      // The caller has already received UNAVAILABLE.
      if (performance.now() > latest) throw tooLong()
      return countWithLimit()
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
