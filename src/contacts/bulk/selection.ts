// Which records a bulk change is about: chosen ones, or all that match a filter and existed when it was started.

import type { Statement } from '../../database/statement.ts'
import { rows, timestamptz, uuid } from '../../database/table.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { capitalized } from '../../kernel/input/case.ts'
import { tooLong } from '../../kernel/input/fields.ts'
import { at, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import type { Condition } from '../../kernel/lists/filter-values.ts'
import type { Keyed, PageRequest } from '../../kernel/lists/pagination.ts'
import { counted } from '../../kernel/lists/total.ts'
import { countStatement, pageStatement } from '../contact/list/list.sql.ts'
import { contactTable, listedProperties } from '../contact/row.ts'
import { forNouns } from '../records/hanging/ref.ts'
import { conditionsOfNoun, type RecordFilter } from '../records/list/conditions.ts'
import type { Found } from '../records/list/found.ts'
import { ordersByTime } from '../records/list/list.ts'
import { countOfRecords, pageOfRecords } from '../records/list/pages.sql.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'
import { type BulkChange, chosenAll, chosenLive } from './bulk.sql.ts'

export interface Selected {
  ids?: readonly string[] | null
  filter?: RecordFilter | null
}

/** As many as a list in a request has. */
export const maxChosen = 1000

/** The filter was checked by GraphQL with the type of the noun's list. */
const conditionsOf = (noun: RecordNoun, filter: RecordFilter): Condition[] => conditionsOfNoun[noun](filter as never)

/** Throws INVALID unless it is either ids or a filter, and for what the list of the records would refuse. */
export function checkSelection(
  noun: RecordNoun,
  { ids, filter }: Selected,
  isOfDeleted: boolean,
): { recordIds: string[]; filter: RecordFilter | null } {
  const nouns = tableOfNoun[noun]
  const problems: Problem[] = []
  if ((ids == null) === (filter == null))
    problems.push(valueError('ids', `give either the ids of ${nouns}, or a filter; {} is all`, ids ?? undefined))
  if (ids && ids.length === 0) problems.push(problem('ids', 'too_short', [], { min_length: 1, actual_length: 0 }))
  if (ids && ids.length > maxChosen) problems.push(...at('ids', tooLong(ids, maxChosen)))
  for (const name of ['includeDeleted', 'onlyDeleted'] as const)
    if (filter?.[name] && !isOfDeleted)
      problems.push(
        valueError(['filter', name], `deleted ${nouns} are not changed; restore${capitalized(nouns)}InBulk restores them`, true),
      )
  if (problems.length > 0) throw invalid(problems)
  if (filter) conditionsOf(noun, filter)
  return { recordIds: [...new Set(ids?.filter(isId).map(id => id.toLowerCase()))], filter: filter ?? null }
}

/** How many records it is about; null if counting takes too long. */
export async function sizeOf(
  context: Context,
  { noun, recordIds, filter }: Pick<BulkChange, 'noun' | 'recordIds' | 'filter'>,
  isOfDeleted: boolean,
): Promise<number | null> {
  const orgId = organizationOf(context)
  if (!filter) return (await context.db.query(statementsFor(noun, isOfDeleted).count, [orgId, recordIds]))[0]?.total ?? 0
  const conditions = conditionsOf(noun, filter)
  const values = [orgId, ...conditions.map(({ value }) => value)]
  try {
    const [row] = await counted(context, db => db.query(listOf[noun].count({ conditions, kind: isOfDeleted ? 'deleted' : 'live' }), values))
    return row?.total ?? 0
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAVAILABLE') return null
    throw error
  }
}

// Of chosen records, those that live or were merged are told apart when they are restored.
const statementsFor = (noun: RecordNoun, isOfDeleted: boolean) => (isOfDeleted ? chosenAll : chosenLive)[noun]

export interface NextBatch {
  ids: string[]
  position: { positionKey: string | null; positionId: string } | null
}

const listedContact = contactTable.select(listedProperties)
const listed = rows({ id: uuid, createdAt: timestamptz, updatedAt: timestamptz })
const listOf = {
  ...forNouns(noun => ({
    page: (found: Found, page: PageRequest): Statement<Keyed<{ id: string; createdAt: string }>> =>
      pageOfRecords(tableOfNoun[noun], ordersByTime.created_at, found, page, listed),
    count: (found: Found) => countOfRecords(tableOfNoun[noun], found),
  })),
  contact: { page: (found: Found, page: PageRequest) => pageStatement('created_at', found, page, listedContact), count: countStatement },
}
const nowhere = '00000000-0000-0000-0000-000000000000'

/**
 * The next records behind the change's position, in an order that no change of a record affects. Records that were added, or for a restoration
 * deleted, after the change was started are left out.
 */
export async function nextBatch({ db }: Context, change: BulkChange, size: number): Promise<NextBatch> {
  const { orgId, noun, filter, recordIds, positionKey, positionId } = change
  const isOfDeleted = change.parameters.restore ?? false
  if (!filter) {
    const ids = (await db.query(statementsFor(noun, isOfDeleted).next, [orgId, recordIds, size, positionId ?? nowhere])).map(({ id }) => id)
    const last = ids.at(-1)
    return { ids, position: last === undefined ? null : { positionKey: null, positionId: last } }
  }
  const conditions = [...conditionsOf(noun, reviveDates(filter)), ...(isOfDeleted ? [deletedBefore(change.createdAt)] : [])]
  const start = positionKey !== null && positionId !== null ? { key: positionKey, id: positionId } : null
  const page = { size, start, isBackward: false }
  const values = [orgId, ...conditions.map(({ value }) => value), ...(start ? [start.key, start.id] : [])]
  const found = await db.query(listOf[noun].page({ conditions, kind: isOfDeleted ? 'deleted' : 'live' }, page), values)
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
export function reviveDates(stored: RecordFilter): RecordFilter {
  const time = (value: unknown) => (typeof value === 'string' ? new Date(value) : value)
  const of = (object: object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name, /(?:^s|S)ince$|(?:^u|U)ntil$/.test(name) ? time(value) : value]),
    )
  // The stored filter has these members.
  const filter = of(stored) as RecordFilter
  return filter.custom ? { ...filter, custom: filter.custom.map(one => of(one) as typeof one) } : filter
}
