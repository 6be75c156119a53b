// Searching notes by their text.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { type Hit, snippetOf } from '../../kernel/search/snippet.ts'
import { indexedTsqueryOf, type SearchQuery, tsqueryOf } from '../../kernel/search/words.ts'
import type { Note } from '../notes/note.sql.ts'
import { loadNotes } from '../notes/note.ts'
import { recordOf } from '../records/hanging/ref.ts'
import { titleOfRecord } from '../records/hanging/title.ts'
import { searchNoteWords } from './search.sql.ts'

/** At most `first` notes of live records that contain all the words. */
export async function searchNotes(context: Context, query: SearchQuery, first: number): Promise<Hit<Note>[]> {
  if (query.terms.length === 0) return []
  const found = await context.db.query(searchNoteWords, [organizationOf(context), indexedTsqueryOf(query), first, tsqueryOf(query)])
  const hits = await Promise.all(
    found.map(async ({ id, rank }) => {
      const note = await load(context, loadNotes, id)
      const title = note && (await titleOfRecord(context, recordOf(note)))
      if (!note || title === null) return null
      return { entity: note, rank, title, snippet: snippetOf(note.text, query.terms) }
    }),
  )
  return hits.filter(hit => hit !== null)
}
