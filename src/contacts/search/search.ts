// Searching contacts while the caller types, best matches first.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import type { Hit } from '../../kernel/search/hit.ts'
import { snippetOf } from '../../kernel/search/snippet.ts'
import { literal, type SearchQuery } from '../../kernel/search/words.ts'
import { loadContacts } from '../contact/contact.ts'
import { countLive } from '../contact/list.sql.ts'
import type { Contact } from '../contact/row.ts'
import { enoughAlike, exchangeable, exchangesOf, leastSimilarity, maySpellWrongly } from './misspelt.ts'
import {
  type Among,
  type Condition,
  enough,
  enoughSampled,
  type Found,
  searchAddress,
  searchMatching,
  searchNarrowing,
  searchRecent,
} from './search.sql.ts'

// The index consists of trigrams.
const isIndexed = (word: string) => word.length >= 3

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

  const search = ({ patterns, conditions, shapes, least }: Search, among: Among) =>
    context.db.query(searchMatching(conditions.map(nameOf), among, least), [
      ...[orgId, patterns, text, first, ...shapes],
      ...conditions.map(([, value]) => value),
    ])
  const exact = { patterns: words.map(patternOf), conditions: (await narrowing(context, words)).flatMap(conditionsOf), shapes }
  const some = await search(exact, 'sample')
  if ((some[0]?.candidates ?? 0) >= enoughSampled) return best([...recent, ...some], first)
  const all = best([...recent, ...(await search(exact, 'all'))], first)
  const similar = words.filter(maySpellWrongly)
  if (all.length > 0 || similar.length === 0) return all

  const resembling = resemblanceOf(words)
  const alike = await search(resembling, 'sample')
  if ((alike[0]?.candidates ?? 0) >= enoughAlike) return alike
  const [count] = await context.db.query(countLive, [orgId])
  return best([...alike, ...(await search({ ...resembling, least: leastSimilarity(count?.total ?? 0, similar) }, 'all'))], first)
}

/** The words that the index is asked for: without those that nearly all contacts have, if that leaves some of which it has trigrams. */
async function narrowing(context: Context, words: readonly string[]): Promise<readonly string[]> {
  if (words.length === 1) return words
  const patterns = await context.db.query(searchNarrowing, [organizationOf(context), words.map(patternOf)])
  const narrow = words.filter(word => patterns.some(({ pattern }) => pattern === patternOf(word)))
  return narrow.some(word => (isIndexed(word) ? /[\p{L}\p{N}]{3}/u : /[\p{L}\p{N}]/u).test(word)) ? narrow : words
}

interface Search {
  patterns: readonly string[]
  conditions: readonly Asked[]
  shapes: Shapes
  least?: number
}
type Asked = [name: Condition, value: string]
type Shapes = [whole: string | null, beginning: string | null]
const nameOf = ([name]: Asked) => name

/** Asks for similar words in place of those that may be misspelt. What has one with letters exchanged ranks as the beginning of a word does. */
function resemblanceOf(words: readonly string[]): Search {
  const others = words.filter(word => !maySpellWrongly(word))
  const similar = words.filter(maySpellWrongly)
  return {
    patterns: others.map(patternOf),
    conditions: [
      ...others.flatMap(conditionsOf),
      ...similar.map((word): Asked => ['resembles', word]),
      ...exchangeable(similar).map((expression): Asked => ['exchanged', expression]),
    ],
    shapes: [null, similar.flatMap(exchangesOf).join('|') || null],
  }
}

// The beginning of a word is found in the index if it has a letter or digit.
function conditionsOf(word: string): Asked[] {
  if (isIndexed(word)) return [['contains', patternOf(word)]]
  return /[\p{L}\p{N}]/u.test(word) ? [['begins', `(^| )${escaped(word)}`]] : []
}

/** Regular expressions for the query as a whole word or words of a text, and as the beginning of some. Null: it is neither, by its ends. */
function shapesOf(text: string): Shapes {
  if (!/^[\p{L}\p{N}](.*[\p{L}\p{N}])?$/u.test(text)) return [null, null]
  return [`\\m${escaped(text)}($|[^[:alnum:]])`, `\\m${escaped(text)}`]
}

const escaped = (word: string) => word.replace(/[!-/:-@[-`{-~]/g, '\\$&')

// With all that is before the @: what begins so is the address of that person. The index would look for all trigrams, which are common.
const isAddress = (word: string) => /^[^@]+@[^@]*$/.test(word)

// The searched text begins with a space, so that its first word is matched like the others.
const patternOf = (word: string) => `%${isIndexed(word) ? '' : ' '}${literal(word)}%`

function best(found: readonly Found[], first: number): Found[] {
  const byId = new Map(found.map(one => [one.id, one]))
  return [...byId.values()].toSorted((one, other) => other.rank - one.rank).slice(0, first)
}

/** The name under which lists show a contact. */
export const titleOf = ({ fullName, email, phone, companyName }: Contact) => fullName ?? email ?? phone ?? companyName ?? ''
const textOf = ({ fullName, email, phone, companyName }: Contact) => [fullName, email, phone, companyName].filter(Boolean).join(' · ')
