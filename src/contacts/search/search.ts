// Searching contacts while the caller types, best matches first.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import type { Hit } from '../../kernel/search/hit.ts'
import { snippetOf } from '../../kernel/search/snippet.ts'
import { literal, type SearchQuery } from '../../kernel/search/words.ts'
import { loadContacts } from '../contact/contact.ts'
import type { Contact } from '../contact/row.ts'
import { type Condition, common, enough, type Found, searchAddress, searchMatching, searchMore, searchRecent } from './search.sql.ts'

// The index consists of trigrams.
const isIndexed = (word: string) => word.length >= 3
// A wrong letter leaves too little of shorter words, and addresses have too much in common with each other.
const maySpellWrongly = (word: string) => word.length >= 4 && word.length <= 20 && !word.includes('@')

/**
 * At most `first` live contacts that match the words best. Words of one or two letters match beginnings of words, longer words match
 * anywhere. When no contact matches, contacts with similar words.
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
  const shapes = shapesOf(text)
  const asked = [orgId, words.map(patternOf), last, text, first, ...shapes]
  if (words.length === 1 && isAddress(last)) {
    const found = await context.db.query(searchAddress, asked)
    if (found.length > 0) return found
  }
  const recent = await context.db.query(searchRecent, asked)
  if (!words.some(isIndexed) || (recent[0]?.candidates ?? 0) >= enough) return recent
  if ((recent[0]?.newest ?? 0) >= common) {
    const more = await context.db.query(searchMore, asked)
    if ((more[0]?.candidates ?? 0) >= enough) return more
  }

  const search = (patterns: readonly string[], conditions: readonly Asked[]) =>
    context.db.query(searchMatching(conditions.map(([name]) => name)), [
      orgId,
      patterns,
      text,
      first,
      ...shapes,
      ...conditions.map(([, value]) => value),
    ])
  const all = best([...recent, ...(await search(words.map(patternOf), words.flatMap(conditionsOf)))], first)
  const similar = words.filter(maySpellWrongly)
  if (all.length > 0 || similar.length === 0) return all

  const others = words.filter(word => !maySpellWrongly(word))
  return search(others.map(patternOf), [...others.flatMap(conditionsOf), ...similar.map((word): Asked => ['resembles', word])])
}

type Asked = [name: Condition, value: string]

// The beginning of a word is found in the index if it has a letter or digit.
function conditionsOf(word: string): Asked[] {
  if (isIndexed(word)) return [['contains', patternOf(word)]]
  return /[\p{L}\p{N}]/u.test(word) ? [['begins', `(^| )${escaped(word)}`]] : []
}

/** Regular expressions for the query as a whole word or words of a text, and as the beginning of some. Null: it is neither, by its ends. */
function shapesOf(text: string): [whole: string | null, beginning: string | null] {
  if (!/^[\p{L}\p{N}](.*[\p{L}\p{N}])?$/u.test(text)) return [null, null]
  return [`\\m${escaped(text)}($|[^[:alnum:]])`, `\\m${escaped(text)}`]
}

const escaped = (word: string) => word.replace(/[!-/:-@[-`{-~]/g, '\\$&')

// With a dot behind the @: what begins so is the address of that person.
const isAddress = (word: string) => /^[^@]+@[^@]+\.[^@]{2,}$/.test(word)

// The searched text begins with a space, so that its first word is matched like the others.
const patternOf = (word: string) => `%${isIndexed(word) ? '' : ' '}${literal(word)}%`

function best(found: readonly Found[], first: number): Found[] {
  const byId = new Map(found.map(one => [one.id, one]))
  return [...byId.values()].toSorted((one, other) => other.rank - one.rank).slice(0, first)
}

/** The name under which lists show a contact. */
export const titleOf = ({ fullName, email, phone, companyName }: Contact) => fullName ?? email ?? phone ?? companyName ?? ''
const textOf = ({ fullName, email, phone, companyName }: Contact) => [fullName, email, phone, companyName].filter(Boolean).join(' · ')
