// Lists of a contact's notes. Pages of several contacts are read by one statement.

import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, load } from '../../kernel/dataloaders.ts'
import { isTime, type Keyed, Page, type PageArgs, pageOf } from '../../kernel/pagination.ts'
import { countNotes, type Note, selectAfter, selectFirst } from './note.sql.ts'

export interface NotePage extends PageArgs {
  includeTotal?: boolean | null
}

const list = 'notes'

/** A page of the contact's notes: pinned ones first, then the newest. */
export function contactNotes(context: Context, contactId: string, asked: NotePage): Promise<Page<Note>> {
  requireScope(context, 'contacts:read')
  const name = `${list} ${asked.first} ${asked.after} ${asked.includeTotal}`
  return load(context, (inContext, contactIds: readonly string[]) => readPages(inContext, contactIds, asked), contactId, name)
}

async function readPages(context: Context, contactIds: readonly string[], { includeTotal, ...args }: NotePage): Promise<Page<Note>[]> {
  const page = pageOf(args, list, isKey)
  const orgId = organizationOf(context)
  const values = [orgId, contactIds, page.size + 1]
  const [notes, totals] = await Promise.all([
    page.start
      ? context.db.query(selectAfter, [...values, page.start.key.startsWith('1'), page.start.key.slice(1), page.start.id])
      : context.db.query(selectFirst, values),
    includeTotal ? context.db.query(countNotes, [orgId, contactIds]) : null,
  ])
  const totalOf = totals && new Map(totals.map(({ contactId, total }) => [contactId, total]))
  return grouped(contactIds, notes, note => note.contactId).map(
    (rows, index) => new Page(rows.map(keyed), page, list, totalOf && (totalOf.get(contactIds[index] ?? '') ?? 0)),
  )
}

// Whether it is pinned, then the time of creation.
const keyed = (row: Note): Keyed<Note> => ({ row, key: `${row.pinned ? 1 : 0}${row.createdAt}` })
const isKey = (key: string) => /^[01]/.test(key) && isTime(key.slice(1))
