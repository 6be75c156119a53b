// A contact's timeline: its events, newest first, without events of entities that the caller may not read.

import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { notFound } from '../../kernel/errors.ts'
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
import { noContact } from '../merge/merged.ts'
import { countEntries, type Entry, pageStatement, pagesStatement } from './timeline.sql.ts'

export interface TimelineEntry extends Entry {}

const list = 'timeline'

/**
 * A page of the timeline of the contact with this id, which is looked up by the same statement. Throws NOT_FOUND, with `mergedInto` for a
 * merged contact.
 */
export async function timelineById(context: Context, id: string, { counted, ...args }: ListArgs): Promise<Page<TimelineEntry>> {
  requireScope(context, 'contacts:read')
  if (!isId(id)) throw notFound('contact', id)
  const contactId = id.toLowerCase()
  const page = pageOf(args, list, isTime)
  const total = totalOf(counted, () => load(context, countOfContacts, contactId))
  const entries = await readPage(context, contactId, page, false)
  if (!entries) throw await noContact(context, id)
  return new Page(entries.map(withKey), page, list, total)
}

/** A page of a contact's timeline. Pages of several contacts are read by one statement. */
export function contactTimeline(context: Context, contactId: string, { counted, ...args }: ListArgs): Promise<Page<TimelineEntry>> {
  requireScope(context, 'contacts:read')
  totalOf(counted, () => load(context, countOfContacts, contactId))
  return load(
    context,
    (inContext, contactIds: readonly string[]) => readPages(inContext, contactIds, args),
    contactId,
    pageName(list, args),
  )
}

const readableEntities = (context: Context): string[] =>
  allNouns().flatMap(noun => (noun.isInTimelines && noun.mayRead(context) ? [noun.name] : []))

async function readPages(context: Context, contactIds: readonly string[], args: PageArgs): Promise<Page<TimelineEntry>[]> {
  const page = pageOf(args, list, isTime)
  const [only = ''] = contactIds
  const lists = contactIds.length === 1 ? [(await readPage(context, only, page, true)) ?? []] : await readLists(context, contactIds, page)
  return lists.map((entries, index) => {
    const contactId = contactIds[index] ?? ''
    return new Page(entries.map(withKey), page, list, () => load(context, countOfContacts, contactId))
  })
}

const cursorOf = ({ start }: PageRequest) => (start ? [start.key, start.id] : [])

async function readLists(context: Context, contactIds: readonly string[], page: PageRequest): Promise<Entry[][]> {
  const values = [organizationOf(context), contactIds, page.size + 1, readableEntities(context), ...cursorOf(page)]
  const entries = await context.db.query(pagesStatement(page), values)
  return grouped(contactIds, entries, entry => entry.contactId)
}

// Null when there is no such contact.
async function readPage(context: Context, contactId: string, page: PageRequest, evenDeleted: boolean): Promise<Entry[] | null> {
  const values = [organizationOf(context), contactId, page.size + 1, readableEntities(context), evenDeleted, ...cursorOf(page)]
  const found = await context.db.query(pageStatement(page), values)
  return found.length === 0 ? null : found.filter(isEntry)
}

const isEntry = (row: { id: string | null }): row is Entry => row.id !== null

async function countOfContacts(context: Context, contactIds: readonly string[]): Promise<number[]> {
  const values = [organizationOf(context), contactIds, readableEntities(context)]
  const totals = await bounded(context, db => db.query(countEntries, values))
  return inOrder(contactIds, totals, ({ contactId }) => contactId).map(found => found?.total ?? 0)
}

const withKey = (row: TimelineEntry): Keyed<TimelineEntry> => ({ row, key: row.createdAt })
