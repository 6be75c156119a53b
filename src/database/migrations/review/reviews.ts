// Whether a pending migration may be applied while processes of the previous release serve: from its review and what the database has.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Finding {
  /** In migration.sql. */
  line: number
  /** `breaks`: statements of the previous release may fail. `blocks`: its statements may wait for more than a second. */
  effect: 'breaks' | 'blocks'
  text: string
}

export interface Review {
  /** The migration of the release since which nothing uses what this one takes away: `-- contract: after <migration>`. */
  after?: string
  findings: Finding[]
}

export interface PendingMigration {
  name: string
  /** Whether processes of the previous release serve on while it is applied, and beside the present release afterwards. */
  isSafe: boolean
  /** Why it is not. */
  reasons: string[]
}

/** The file beside the migrations that has their reviews. */
export const reviewsFile = 'reviews.json'

/** `pending` in their order; `applied`: what the database has. In an empty database everything is safe, because nothing serves from it. */
export function judgePending(directory: string, pending: readonly string[], applied: readonly string[]): PendingMigration[] {
  const reviews = readReviews(directory)
  return pending.map(name => {
    const reasons = applied.length > 0 ? reasonsAgainst(reviews[name], applied) : []
    return { name, isSafe: reasons.length === 0, reasons }
  })
}

function reasonsAgainst(review: Review | undefined, applied: readonly string[]): string[] {
  if (!review) return ['it has no review']
  const { after, findings } = review
  const isContraction = after !== undefined && applied.includes(after)
  const reasons = findings.filter(({ effect }) => effect === 'blocks' || !isContraction).map(({ line, text }) => `line ${line} ${text}`)
  const isEarly = after !== undefined && !isContraction && reasons.length > 0
  return isEarly ? [`it is made for a database with ${after}: upgrade to a release that ends with that one first`, ...reasons] : reasons
}

function readReviews(directory: string): Record<string, Review> {
  try {
    return JSON.parse(readFileSync(join(directory, reviewsFile), 'utf8')) as Record<string, Review>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
