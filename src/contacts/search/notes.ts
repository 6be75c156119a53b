// Searching notes by their text.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { type Hit, snippetOf } from '../../kernel/search/snippet.ts'
import { indexedTsqueryOf, type SearchQuery, tsqueryOf } from '../../kernel/search/words.ts'
import { loadContacts } from '../contact/contact.ts'
import type { Note } from '../notes/note.sql.ts'
import { loadNotes } from '../notes/note.ts'
import { searchNoteWords } from './search.sql.ts'
import { titleOf } from './search.ts'

/** At most `first` notes of live contacts that contain all the words. */
export async function searchNotes(context: Context, query: SearchQuery, first: number): Promise<Hit<Note>[]> {
  if (query.terms.length === 0) return []
  const found = await context.db.query(searchNoteWords, [organizationOf(context), indexedTsqueryOf(query), first, tsqueryOf(query)])
  const hits = await Promise.all(
    found.map(async ({ id, rank }) => {
      const note = await load(context, loadNotes, id)
      const contact = note && (await load(context, loadContacts, note.contactId))
      return note && contact && { entity: note, rank, title: titleOf(contact), snippet: snippetOf(note.text, query.terms) }
    }),
  )
  return hits.filter(hit => hit !== null)
}
