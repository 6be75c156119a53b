// Grouping: rows of a noun counted by one or two of their fields, for charts. The database does it in one statement, within 10 s.

import pLimit, { type LimitFunction } from 'p-limit'
import { sqlState } from '../../database/errors.ts'
import { type Context, organizationOf, type Services } from '../context.ts'
import { AppError, invalid } from '../errors.ts'
import { invalidValue, timezone as readTimezone } from '../input/fields.ts'
import { at, Invalid, problem, valueError } from '../input/problem.ts'
import { perObject } from '../per-object.ts'
import { type CalendarUnit, type Grouped, groupStatement } from './groups.sql.ts'

export interface GroupArgs<Field extends string> {
  by: readonly { field: Field; per?: CalendarUnit | null }[]
  /** The field whose distinct values are counted in each group. */
  unique?: Field | null
  /** Default: UTC. */
  timezone?: string | null
  /** Default: 100. */
  first?: number | null
}

export interface Group {
  /** The value of each field; null for rows without one. For a field of times, the first day of the unit as YYYY-MM-DD. */
  keys: (string | null)[]
  count: number
  unique: number | null
  /** Null without a measure, and when a double cannot hold the sum. */
  sum: number | null
  average: number | null
}

export interface Groups {
  groups: Group[]
  hasMore: boolean
}

const maxFields = 2
// The number of groups that a chart can show: a series of days covers more than two years.
const maxGroups = 1000

/**
 * The largest groups, or the latest in order of time when the first field is a time. Throws INVALID for no field or more than two, a unit
 * of a field that is not a time, an unknown time zone, a size outside 1 to 1000, and more rows than can be counted in time.
 */
export async function groupRows<Field extends string>(context: Context, grouped: Grouped<Field>, args: GroupArgs<Field>): Promise<Groups> {
  const { by, size, zone } = checkGroups(grouped, args)
  const { fields, values } = grouped
  const counting = groupStatement(grouped, { by, unique: args.unique ?? null, limit: size + 1 })
  const found = await inTurn(context, () => context.db.query(counting, [...values, zone])).catch(error => {
    throw translateGroupError(error, zone)
  })
  const isSeries = by[0] !== undefined && fields[by[0].field].is === 'time'
  const page = isSeries ? withoutCutTime(found, size) : found.slice(0, size)
  const asEnum = (key: string | null, index: number) =>
    by[index] && fields[by[index].field].is === 'enum' ? (key?.toUpperCase() ?? null) : key
  const groups = page.map(({ key1, key2, ...figures }) => ({ ...figures, keys: [key1, key2].slice(0, by.length).map(asEnum) }))
  // Sorted by time. The sort is stable, so groups of the same time stay sorted by size.
  const timeOf = ({ keys }: Group) => keys[0] ?? ''
  return {
    groups: isSeries ? groups.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b)))) : groups,
    hasMore: found.length > size,
  }
}

// 2: each may read all rows of a noun for 10 s, and other requests need connections and CPU meanwhile. Each organization has one at a time.
const maxConcurrent = 2
// More documents than a page of charts sends at once.
const maxWaiting = 20
const queuesOf = perObject<Services, { all: LimitFunction; byOrganization: Map<string, LimitFunction> }>(() => ({
  all: pLimit(maxConcurrent),
  byOrganization: new Map(),
}))

/** Runs the groupings of a process a few at a time. Throws RATE_LIMITED when too many groupings of the organization are waiting. */
async function inTurn<Result>(context: Context, run: () => Promise<Result>): Promise<Result> {
  const orgId = organizationOf(context)
  const { all, byOrganization } = queuesOf(context.services)
  const own = byOrganization.get(orgId) ?? pLimit(1)
  byOrganization.set(orgId, own)
  if (own.pendingCount >= maxWaiting)
    throw new AppError('RATE_LIMITED', 'Too many groupings of the organization are waiting', { retryAfter: 5 })
  try {
    return await own(() => all(run))
  } finally {
    if (own.activeCount + own.pendingCount === 0) byOrganization.delete(orgId)
  }
}

// Leaves out the last time when the limit cuts its groups, because its count would be too low. If it is the only time, its largest groups
// stay.
function withoutCutTime<Row extends { key1: string | null }>(found: readonly Row[], size: number): Row[] {
  const page = found.slice(0, size)
  const next = found[size]
  const whole = next ? page.filter(({ key1 }) => key1 !== next.key1) : page
  return whole.length > 0 ? whole : page
}

/** INVALID for errors that the same request would get again. */
function translateGroupError(error: unknown, zone: string): unknown {
  const cause = error instanceof AppError && error.cause ? error.cause : error
  const state = sqlState(cause)
  // 57014: canceled by the statement timeout. 22023: a time zone that only Intl knows.
  if (state === '57014') return new AppError('INVALID', 'These are too many rows to count within 10 s: narrow the filter', { cause })
  if (state === '22023') return invalid(at('timezone', unknownZone(zone)))
  return error
}

const unknownZone = (given: string) => invalidValue(given, 'it is not a time zone such as Europe/Berlin or UTC')

// Intl accepts abbreviations that PostgreSQL does not know, or that mean another zone there, such as IST.
function zoneOf(given: string): string | Invalid {
  const read = readTimezone(given) ?? 'UTC'
  if (read instanceof Invalid) return read
  return read === 'UTC' || read.includes('/') ? read : unknownZone(given)
}

function checkGroups<Field extends string>(
  { fields, problems: found = [] }: Grouped<Field>,
  { by, unique, first, timezone }: GroupArgs<Field>,
) {
  const size = first ?? 100
  const zone = zoneOf(timezone ?? 'UTC')
  const problems = [
    ...found,
    ...(by.length < 1 ? [problem('by', 'too_short', by, { min_length: 1, actual_length: 0 })] : []),
    ...(by.length > maxFields ? [problem('by', 'too_long', by, { max_length: maxFields, actual_length: by.length })] : []),
    ...by.flatMap(({ field }, index) =>
      by.findIndex(one => one.field === field) < index ? [valueError(['by', index, 'field'], 'it is grouped by already', field)] : [],
    ),
    ...by.flatMap(({ field, per }, index) =>
      per && fields[field].is !== 'time' ? [valueError(['by', index, 'per'], 'the field is not a time', per)] : [],
    ),
    ...(unique && fields[unique].is === 'list' ? [valueError('unique', 'the values of lists cannot be counted', unique)] : []),
    ...(size < 1 ? [problem('first', 'greater_than_equal', size, { ge: 1 })] : []),
    ...(size > maxGroups ? [problem('first', 'less_than_equal', size, { le: maxGroups })] : []),
    ...(zone instanceof Invalid ? at('timezone', zone) : []),
  ]
  if (problems.length > 0 || zone instanceof Invalid) throw invalid(problems)
  return { by, size, zone }
}
