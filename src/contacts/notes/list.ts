// Lists of a contact's notes. Pages of several contacts are read by one statement.

import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { isTime, type Keyed, type ListArgs, Page, type PageArgs, pageName, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { countNotes, type Note, pageStatement } from './note.sql.ts'

const list = 'notes'

/** A page of the contact's notes: pinned ones first, then the newest. */
export function contactNotes(context: Context, contactId: string, { counted, ...args }: ListArgs): Promise<Page<Note>> {
  requireScope(context, 'contacts:read')
  totalOf(counted, () => load(context, countOfContacts, contactId))
  return load(
    context,
    (inContext, contactIds: readonly string[]) => readPages(inContext, contactIds, args),
    contactId,
    pageName(list, args),
  )
}

async function readPages(context: Context, contactIds: readonly string[], args: PageArgs): Promise<Page<Note>[]> {
  const page = pageOf(args, list, isKey)
  const { start } = page
  const position = start ? [start.key.startsWith('1'), start.key.slice(1), start.id] : []
  const notes = await context.db.query(pageStatement(page), [organizationOf(context), contactIds, page.size + 1, ...position])
  return grouped(contactIds, notes, note => note.contactId).map((rows, index) => {
    const contactId = contactIds[index] ?? ''
    return new Page(rows.map(withKey), page, list, () => load(context, countOfContacts, contactId))
  })
}

async function countOfContacts(context: Context, contactIds: readonly string[]): Promise<number[]> {
  const totals = await bounded(context, db => db.query(countNotes, [organizationOf(context), contactIds]))
  return inOrder(contactIds, totals, ({ contactId }) => contactId).map(found => found?.total ?? 0)
}

// The sort key: whether the note is pinned, then its time of creation.
const withKey = (row: Note): Keyed<Note> => ({ row, key: `${row.pinned ? 1 : 0}${row.createdAt}` })
const isKey = (key: string) => /^[01]/.test(key) && isTime(key.slice(1))
