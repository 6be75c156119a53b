// A contact's timeline: every event that concerned it, newest first, as far as the caller may read what the event is about.

import { type Context, organizationOf, requireScope } from '../context.ts'
import { shortRead, statement } from '../database/client.ts'
import { type Actor, isAllowed, type Principal, type Scope } from '../identity/principal.ts'
import { type Batch, grouped, load } from '../load.ts'
import { ofEach } from '../own.ts'
import { isTime, type Keyed, Page, type PageArgs, pageOf } from './page.ts'

export interface TimelineEntry {
  id: string
  type: string
  actor: Actor
  door: string
  operation: string
  changes: Record<string, unknown>
  createdAt: string
}

export interface TimelinePage extends PageArgs {
  includeTotal?: boolean | null
}

/** A page of a contact's timeline. Pages of several contacts are read together. */
export function contactTimeline(context: Context, contactId: string, asked: TimelinePage): Promise<Page<TimelineEntry>> {
  requireScope(context, 'contacts:read')
  return load(context, pagesOf(context, asked), contactId)
}

// What a contact's events are about, and the scope for reading it. Events about anything else show to nobody until they stand here.
const scopeOfEntity = {
  contact: 'contacts:read',
  call: 'calls:read',
  enrichment_job: 'enrich:read',
  suggestion: 'enrich:read',
} as const satisfies Record<string, Scope>

const readableEntities = (principal: Principal): string[] =>
  Object.entries(scopeOfEntity).flatMap(([entity, scope]) => (isAllowed(principal, scope) ? [entity] : []))

type Entry = TimelineEntry & { contactId: string }
type Cells = [string, string, string, Actor['type'], string | null, string | null, string, string, Record<string, unknown>, string]

function entryRow(columns: readonly never[]): Entry {
  // The order of `columns` below.
  const c = columns as unknown as Cells
  return {
    contactId: c[0],
    id: c[1],
    type: c[2],
    actor: { type: c[3], id: c[4], name: c[5] },
    door: c[6],
    operation: c[7],
    changes: c[8],
    createdAt: c[9],
  }
}

const columns = 'e.contact_id, e.id, e.type, e.actor_type, e.actor_id, e.actor_name, e.door, e.operation, e.changes, e.created_at'
const select = (name: string, after: string) =>
  shortRead<Entry>(
    name,
    `select ${columns} from unnest($2::uuid[]) as contact (id) cross join lateral (
       select * from events where contact_id = contact.id and org_id = $1 and entity = any($4::text[])${after} order by created_at desc, id desc limit $3
     ) e`,
    entryRow,
  )
const selectFirst = select('timeline', '')
const selectAfter = select('timeline_after', ' and (created_at, id) < ($5::timestamptz, $6::uuid)')

const countEntries = statement<{ contactId: string; total: number }>(
  'timeline_total',
  `select contact_id as "contactId", count(*) as total from events
   where org_id = $1 and contact_id = any($2::uuid[]) and entity = any($3::text[]) group by 1`,
)

// A loader belongs to one batch function; the fields of a request that ask for the same page of theirs share one.
const batchesOf = ofEach<Context, Map<string, Batch<string, Page<TimelineEntry>>>>(() => new Map())

function pagesOf(context: Context, asked: TimelinePage): Batch<string, Page<TimelineEntry>> {
  const known = batchesOf(context)
  const name = `${asked.first} ${asked.after} ${asked.includeTotal}`
  const batch = known.get(name) ?? ((inContext, contactIds) => readPages(inContext, contactIds, asked))
  known.set(name, batch)
  return batch
}

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

const list = 'timeline'
const keyed = (row: TimelineEntry): Keyed<TimelineEntry> => ({ row, key: row.createdAt })
