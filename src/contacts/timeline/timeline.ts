// Timelines: the events of a record, newest first, without events of entities that the caller may not read.

import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { type AppError, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import {
  isTime,
  type Keyed,
  type ListArgs,
  Page,
  type PageArgs,
  type PageRequest,
  pageName,
  pageOf,
} from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { allNouns } from '../../kernel/nouns/nouns.ts'
import { noCompany, noContact } from '../merge/merged.ts'
import { companyTimelines, contactTimelines, dealTimelines, type Entry, type TimelineStatements } from './timeline.sql.ts'

export interface TimelineEntry extends Entry {}

/** A kind of records that have timelines. */
interface Kind {
  /** The noun in sentences. */
  noun: string
  /** The name of the list in cursors. */
  list: string
  statements: TimelineStatements
  /** The error for a record that is deleted or does not exist. */
  missing: (context: Context, id: string) => AppError | Promise<AppError>
}

function timelinesOf({ noun, list, statements, missing }: Kind) {
  const totals = async (context: Context, ids: readonly string[]): Promise<number[]> => {
    const values = [organizationOf(context), ids, readableEntities(context)]
    const found = await bounded(context, db => db.query(statements.totals, values))
    return inOrder(ids, found, ({ recordId }) => recordId).map(one => one?.total ?? 0)
  }

  // Null when there is no such record.
  const readOne = async (context: Context, id: string, page: PageRequest, evenDeleted: boolean): Promise<Entry[] | null> => {
    const values = [organizationOf(context), id, page.size + 1, readableEntities(context), evenDeleted, ...cursorOf(page)]
    const found = await context.db.query(statements.ofOne(page), values)
    return found.length === 0 ? null : found.filter(isEntry)
  }

  const readSeveral = async (context: Context, ids: readonly string[], page: PageRequest): Promise<Entry[][]> => {
    const values = [organizationOf(context), ids, page.size + 1, readableEntities(context), ...cursorOf(page)]
    const entries = await context.db.query(statements.ofSeveral(page), values)
    return grouped(ids, entries, entry => entry.recordId)
  }

  const readPages = async (context: Context, ids: readonly string[], args: PageArgs): Promise<Page<TimelineEntry>[]> => {
    const page = pageOf(args, list, isTime)
    const [only = ''] = ids
    const lists = ids.length === 1 ? [(await readOne(context, only, page, true)) ?? []] : await readSeveral(context, ids, page)
    return lists.map((entries, index) => new Page(entries.map(withKey), page, list, () => load(context, totals, ids[index] ?? '')))
  }

  return {
    /** A page of the timeline of the record with this id, which is looked up by the same statement. Throws NOT_FOUND. */
    async byId(context: Context, id: string, { counted, ...args }: ListArgs): Promise<Page<TimelineEntry>> {
      requireScope(context, 'contacts:read')
      if (!isId(id)) throw notFound(noun, id)
      const recordId = id.toLowerCase()
      const page = pageOf(args, list, isTime)
      const total = totalOf(counted, () => load(context, totals, recordId))
      const entries = await readOne(context, recordId, page, false)
      if (!entries) throw await missing(context, id)
      return new Page(entries.map(withKey), page, list, total)
    },

    /** A page of a record's timeline. Pages of several records are read by one statement. */
    of(context: Context, recordId: string, { counted, ...args }: ListArgs): Promise<Page<TimelineEntry>> {
      requireScope(context, 'contacts:read')
      totalOf(counted, () => load(context, totals, recordId))
      const batch = (inContext: Context, ids: readonly string[]) => readPages(inContext, ids, args)
      return load(context, batch, recordId, pageName(list, args))
    },
  }
}

/** NOT_FOUND of a merged record has `mergedInto`. */
export const ofContacts = timelinesOf({ noun: 'contact', list: 'timeline', statements: contactTimelines, missing: noContact })

export const ofCompanies = timelinesOf({
  noun: 'company',
  list: 'timeline of companies',
  statements: companyTimelines,
  missing: noCompany,
})

export const ofDeals = timelinesOf({
  noun: 'deal',
  list: 'timeline of deals',
  statements: dealTimelines,
  missing: (_context, id) => notFound('deal', id),
})

const readableEntities = (context: Context): string[] =>
  allNouns().flatMap(noun => (noun.isInTimelines && noun.mayRead(context) ? [noun.name] : []))

const cursorOf = ({ start }: PageRequest) => (start ? [start.key, start.id] : [])

const isEntry = (row: { id: string | null }): row is Entry => row.id !== null

const withKey = (row: TimelineEntry): Keyed<TimelineEntry> => ({ row, key: row.createdAt })
