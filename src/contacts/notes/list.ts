// Lists of a record's notes. Pages of several records are read by one statement.

import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { isTime, type Keyed, type ListArgs, Page, type PageArgs, pageName, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { forNouns, idNameOf, type RecordRef } from '../records/hanging/ref.ts'
import type { RecordNoun } from '../records/nouns.ts'
import { countStatements, type Note, pageStatements } from './note.sql.ts'

const list = 'notes'

/** A page of the record's notes: pinned ones first, then the newest. */
export function notesOf(context: Context, { noun, id }: RecordRef, { counted, ...args }: ListArgs): Promise<Page<Note>> {
  requireScope(context, 'contacts:read')
  totalOf(counted, () => load(context, counts[noun], id))
  const batch = (inContext: Context, ids: readonly string[]) => readPages(inContext, noun, ids, args)
  return load(context, batch, id, `${noun} ${pageName(list, args)}`)
}

async function readPages(context: Context, noun: RecordNoun, ids: readonly string[], args: PageArgs): Promise<Page<Note>[]> {
  const page = pageOf(args, list, isKey)
  const { start } = page
  const position = start ? [start.key.startsWith('1'), start.key.slice(1), start.id] : []
  const notes = await context.db.query(pageStatements[noun](page), [organizationOf(context), ids, page.size + 1, ...position])
  return grouped(ids, notes, note => note[idNameOf[noun]]).map((rows, index) => {
    const id = ids[index] ?? ''
    return new Page(rows.map(withKey), page, list, () => load(context, counts[noun], id))
  })
}

const counts = forNouns(noun => async (context: Context, ids: readonly string[]): Promise<number[]> => {
  const totals = await bounded(context, db => db.query(countStatements[noun], [organizationOf(context), ids]))
  return inOrder(ids, totals, ({ recordId }) => recordId).map(found => found?.total ?? 0)
})

// The sort key: whether the note is pinned, then its time of creation.
const withKey = (row: Note): Keyed<Note> => ({ row, key: `${row.pinned ? 1 : 0}${row.createdAt}` })
const isKey = (key: string) => /^[01]/.test(key) && isTime(key.slice(1))
