// A contact's timeline: its events, newest first, without those about entities that the caller may not read.

import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, load } from '../../kernel/dataloaders.ts'
import { isTime, type Keyed, Page, type PageArgs, pageOf } from '../../kernel/pagination.ts'
import { isAllowed, type Principal, type Scope } from '../../kernel/principal.ts'
import { countEntries, type Entry, selectAfter, selectFirst } from './timeline.sql.ts'

export interface TimelineEntry extends Omit<Entry, 'contactId'> {}

export interface TimelinePage extends PageArgs {
  includeTotal?: boolean | null
}

const list = 'timeline'

/** A page of a contact's timeline. Pages of several contacts are read by one statement. */
export function contactTimeline(context: Context, contactId: string, asked: TimelinePage): Promise<Page<TimelineEntry>> {
  requireScope(context, 'contacts:read')
  const name = `${list} ${asked.first} ${asked.after} ${asked.includeTotal}`
  return load(context, (inContext, contactIds: readonly string[]) => readPages(inContext, contactIds, asked), contactId, name)
}

// The scope for reading each entity of a contact's events. Events of other entities are not shown.
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

async function readPages(
  context: Context,
  contactIds: readonly string[],
  { includeTotal, ...args }: TimelinePage,
): Promise<Page<TimelineEntry>[]> {
  const page = pageOf(args, list, isTime)
  const orgId = organizationOf(context)
  const entities = readableEntities(context.principal)
  const values = [orgId, contactIds, page.size + 1, entities]
  const [entries, totals] = await Promise.all([
    page.start ? context.db.query(selectAfter, [...values, page.start.key, page.start.id]) : context.db.query(selectFirst, values),
    includeTotal ? context.db.query(countEntries, [orgId, contactIds, entities]) : null,
  ])
  const totalOf = totals && new Map(totals.map(({ contactId, total }) => [contactId, total]))
  return grouped(contactIds, entries, entry => entry.contactId).map(
    (rows, index) => new Page(rows.map(keyed), page, list, totalOf && (totalOf.get(contactIds[index] ?? '') ?? 0)),
  )
}

const keyed = (row: TimelineEntry): Keyed<TimelineEntry> => ({ row, key: row.createdAt })
