// A contact's timeline: its events, newest first, without events of entities that the caller may not read.

import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { isTime, type Keyed, type ListArgs, Page, type PageArgs, pageName, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { isAllowed, type Principal, type Scope } from '../../kernel/principal.ts'
import { countEntries, type Entry, pageStatement } from './timeline.sql.ts'

export interface TimelineEntry extends Omit<Entry, 'contactId'> {}

const list = 'timeline'

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

// The scope for reading each entity in a contact's events. Events of other entities are never shown.
const scopeOfEntity = {
  contact: 'contacts:read',
  contact_task: 'contacts:read',
  note: 'contacts:read',
  call: 'calls:read',
  enrichment_job: 'enrich:read',
  suggestion: 'enrich:read',
} as const satisfies Record<string, Scope>

const readableEntities = (principal: Principal): string[] =>
  Object.entries(scopeOfEntity).flatMap(([entity, scope]) => (isAllowed(principal, scope) ? [entity] : []))

async function readPages(context: Context, contactIds: readonly string[], args: PageArgs): Promise<Page<TimelineEntry>[]> {
  const page = pageOf(args, list, isTime)
  const values = [organizationOf(context), contactIds, page.size + 1, readableEntities(context.principal)]
  const entries = await context.db.query(pageStatement(page), [...values, ...(page.start ? [page.start.key, page.start.id] : [])])
  return grouped(contactIds, entries, entry => entry.contactId).map((rows, index) => {
    const contactId = contactIds[index] ?? ''
    return new Page(rows.map(keyed), page, list, () => load(context, countOfContacts, contactId))
  })
}

async function countOfContacts(context: Context, contactIds: readonly string[]): Promise<number[]> {
  const values = [organizationOf(context), contactIds, readableEntities(context.principal)]
  const totals = await bounded(context, db => db.query(countEntries, values))
  return inOrder(contactIds, totals, ({ contactId }) => contactId).map(found => found?.total ?? 0)
}

const keyed = (row: TimelineEntry): Keyed<TimelineEntry> => ({ row, key: row.createdAt })
