// Which contacts a bulk change is about: chosen ones, or all that match a filter and existed when it was started.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { tooLong } from '../../kernel/input/fields.ts'
import { at, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import type { Condition } from '../../kernel/lists/filter-values.ts'
import { counted } from '../../kernel/lists/total.ts'
import { type ContactFilter, conditionsOf } from '../contact/list/filter.ts'
import { countStatement, pageStatement } from '../contact/list/list.sql.ts'
import { contactTable, listedProperties } from '../contact/row.ts'
import { type BulkChange, chosenAll, chosenLive } from './bulk.sql.ts'

export interface Selected {
  ids?: readonly string[] | null
  filter?: ContactFilter | null
}

/** As many as a list in a request has. */
export const maxChosen = 1000

/** Throws INVALID unless it is either ids or a filter, and for what the list of contacts would refuse. */
export function checkSelection({ ids, filter }: Selected, isOfDeleted: boolean): { contactIds: string[]; filter: ContactFilter | null } {
  const problems: Problem[] = []
  if ((ids == null) === (filter == null))
    problems.push(valueError('ids', 'give either the ids of contacts, or a filter; {} is all', ids ?? undefined))
  if (ids && ids.length === 0) problems.push(problem('ids', 'too_short', [], { min_length: 1, actual_length: 0 }))
  if (ids && ids.length > maxChosen) problems.push(...at('ids', tooLong(ids, maxChosen)))
  for (const name of ['includeDeleted', 'onlyDeleted'] as const)
    if (filter?.[name] && !isOfDeleted)
      problems.push(valueError(['filter', name], 'deleted contacts are not changed; restoreContactsInBulk restores them', true))
  if (problems.length > 0) throw invalid(problems)
  if (filter) conditionsOf(filter)
  return { contactIds: [...new Set(ids?.filter(isId).map(id => id.toLowerCase()))], filter: filter ?? null }
}

/** How many contacts it is about; null if counting takes too long. */
export async function sizeOf(
  context: Context,
  { contactIds, filter }: Pick<BulkChange, 'contactIds' | 'filter'>,
  isOfDeleted: boolean,
): Promise<number | null> {
  const orgId = organizationOf(context)
  if (!filter) return (await context.db.query(statementsFor(isOfDeleted).count, [orgId, contactIds]))[0]?.total ?? 0
  const conditions = conditionsOf(filter)
  const values = [orgId, ...conditions.map(({ value }) => value)]
  try {
    const [row] = await counted(context, db => db.query(countStatement({ conditions, kind: isOfDeleted ? 'deleted' : 'live' }), values))
    return row?.total ?? 0
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAVAILABLE') return null
    throw error
  }
}

// Of chosen contacts, those that live or were merged are told apart when they are restored.
const statementsFor = (isOfDeleted: boolean) => (isOfDeleted ? chosenAll : chosenLive)

export interface NextBatch {
  ids: string[]
  position: { positionKey: string | null; positionId: string } | null
}

const listed = contactTable.select(listedProperties)
const nowhere = '00000000-0000-0000-0000-000000000000'

/**
 * The next contacts behind the change's position, in an order that no change of a contact affects. Contacts that were added, or for a restoration
 * deleted, after the change was started are left out.
 */
export async function nextBatch({ db }: Context, change: BulkChange, size: number): Promise<NextBatch> {
  const { orgId, filter, contactIds, positionKey, positionId } = change
  const isOfDeleted = change.parameters.restore ?? false
  if (!filter) {
    const ids = (await db.query(statementsFor(isOfDeleted).next, [orgId, contactIds, size, positionId ?? nowhere])).map(({ id }) => id)
    const last = ids.at(-1)
    return { ids, position: last === undefined ? null : { positionKey: null, positionId: last } }
  }
  const conditions = [...conditionsOf(reviveDates(filter)), ...(isOfDeleted ? [deletedBefore(change.createdAt)] : [])]
  const start = positionKey !== null && positionId !== null ? { key: positionKey, id: positionId } : null
  const page = { size, start, isBackward: false }
  const values = [orgId, ...conditions.map(({ value }) => value), ...(start ? [start.key, start.id] : [])]
  const found = await db.query(pageStatement('created_at', { conditions, kind: isOfDeleted ? 'deleted' : 'live' }, page, listed), values)
  const existing = found.slice(0, size).filter(({ row }) => row.createdAt <= change.createdAt)
  const last = existing.at(-1)
  return {
    ids: existing.map(({ row }) => row.id),
    position: last ? { positionKey: last.key, positionId: last.row.id } : null,
  }
}

const deletedBefore = (time: string): Condition => ({
  name: 'deleted before',
  value: time,
  sql: parameter => `deleted_at <= ${parameter}::timestamptz`,
})

/** The filter as it was before it was stored as JSON, which has texts in place of times. */
export function reviveDates(stored: ContactFilter): ContactFilter {
  const time = (value: unknown) => (typeof value === 'string' ? new Date(value) : value)
  const of = (object: object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name, /(?:^s|S)ince$|(?:^u|U)ntil$/.test(name) ? time(value) : value]),
    )
  // The stored filter has these members.
  const filter = of(stored) as ContactFilter
  return filter.custom ? { ...filter, custom: filter.custom.map(one => of(one) as typeof one) } : filter
}
