// Searching contacts as somebody types, best matches first.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import type { Hit } from '../../kernel/search/hit.ts'
import { snippetOf } from '../../kernel/search/snippet.ts'
import { literal, type SearchQuery } from '../../kernel/search/words.ts'
import { loadContacts } from '../contact/contact.ts'
import type { Contact } from '../contact/row.ts'
import { type Found, maxCandidates, searchMatching, searchRecent, searchSimilar } from './search.sql.ts'

// The index has groups of three letters.
const isIndexed = (word: string) => word.length >= 3
// A wrong letter leaves too little of shorter words. Addresses have too much in common with others.
const maySpellWrongly = (word: string) => word.length >= 4 && word.length <= 20 && !word.includes('@')

/**
 * The live contacts that best match the words, at most `first`. Shorter words than three letters match beginnings of words, longer ones
 * anything. Where none does, contacts with similar words.
 */
export async function searchContacts(context: Context, query: SearchQuery, first: number): Promise<Hit<Contact>[]> {
  const found = await bestOf(context, query, first)
  const contacts = await Promise.all(found.map(({ id }) => load(context, loadContacts, id)))
  return contacts.flatMap((contact, index) =>
    contact && contact.deletedAt === null
      ? [{ entity: contact, rank: found[index]?.rank ?? 0, title: titleOf(contact), snippet: snippetOf(textOf(contact), query.words) }]
      : [],
  )
}

async function bestOf(context: Context, { words }: SearchQuery, first: number): Promise<Found[]> {
  const orgId = organizationOf(context)
  const last = words.at(-1)
  if (last === undefined) return []
  const text = words.join(' ')
  const patterns = words.map(patternOf)
  const recent = await context.db.query(searchRecent, [orgId, patterns, last, text, first])
  const long = words.filter(isIndexed)
  if (long.length === 0 || (recent[0]?.candidates ?? 0) >= maxCandidates) return recent

  const matching = await context.db.query(searchMatching(long.length), [orgId, patterns, text, first, ...long.map(patternOf)])
  const all = best([...recent, ...matching], first)
  const similar = words.filter(maySpellWrongly)
  if (all.length > 0 || similar.length === 0) return all

  const others = words.filter(word => !maySpellWrongly(word)).map(patternOf)
  return context.db.query(searchSimilar(similar.length), [orgId, others, text, first, ...similar])
}

// A space stands in front of the text that is searched, so that its first word begins like the others.
const patternOf = (word: string) => `%${isIndexed(word) ? '' : ' '}${literal(word)}%`

function best(found: readonly Found[], first: number): Found[] {
  const byId = new Map(found.map(one => [one.id, one]))
  return [...byId.values()].toSorted((one, other) => other.rank - one.rank).slice(0, first)
}

/** What people call a contact. */
export const titleOf = ({ fullName, email, phone, companyName }: Contact) => fullName ?? email ?? phone ?? companyName ?? ''
const textOf = ({ fullName, email, phone, companyName }: Contact) => [fullName, email, phone, companyName].filter(Boolean).join(' · ')
