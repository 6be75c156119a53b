// Searching contacts while the caller types, best matches first.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { type Hit, snippetOf } from '../../kernel/search/snippet.ts'
import { partsOf, type SearchQuery } from '../../kernel/search/words.ts'
import { furtherOf } from '../contact/addresses/address.ts'
import { loadContacts } from '../contact/contact.ts'
import type { Contact } from '../contact/row.ts'
import {
  conditionsByRarity,
  conditionsOf,
  isIndexed,
  isSeveral,
  narrowing,
  patternOf,
  resemblanceOf,
  type SearchCondition,
  type Sought,
  shapesOf,
} from './conditions.ts'
import { enoughAlike, enoughToKnow, leastSimilarity, maySpellWrongly } from './misspelt.ts'
import {
  type Among,
  enough,
  enoughSampled,
  type Found,
  mostInside,
  searchAddress,
  searchKnown,
  searchMatching,
  searchNewest,
  searchRecent,
  searchRecentNames,
  searchSize,
} from './search.sql.ts'

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

async function bestOf(context: Context, query: SearchQuery, first: number): Promise<Found[]> {
  const [last] = query.words.slice(-1)
  if (last === undefined) return []
  const text = query.words.join(' ')
  const words = query.words.flatMap(partsOf)
  const asked = [organizationOf(context), words.map(patternOf), last, text, first, ...shapesOf(text)]
  if (query.words.length === 1 && isAddress(last)) {
    const found = await context.db.query(searchAddress, asked)
    if (found.length > 0) return found
  }
  const isName = query.words.length > 1
  const recent = await context.db.query(isName ? searchRecentNames : searchRecent, asked)
  if (!words.some(isIndexed) || (recent[0]?.candidates ?? 0) >= enough) return recent
  // All others rank below those that begin with the query.
  if (isName && (recent[first - 1]?.rank ?? 0) > mostInside) return recent

  const search: Search = ({ patterns, conditions, shapes }, among, least) =>
    context.db.query(searchMatching(conditions.map(nameOf), among, least), [
      ...[organizationOf(context), patterns, text, first, ...shapes],
      ...conditions.map(([, value]) => value),
    ])
  const [size = { total: 0, estimate: 0 }] = await context.db.query(searchSize, [organizationOf(context)])
  const exact = best([...recent, ...(await searchExactly(context, words, size, search))], first)
  return exact.length > 0 ? exact : best(await searchSimilar(context, query.words, size, search), first)
}

interface Size {
  total: number
  estimate: number
}
type Search = (sought: Sought, among: Among, least?: number) => Promise<Found[]>

/** Contacts that have all words. */
async function searchExactly(context: Context, words: readonly string[], { total, estimate }: Size, search: Search): Promise<Found[]> {
  const texts = isSeveral(words)
    ? (await context.db.query(searchNewest, [organizationOf(context)])).map(({ searchText }) => searchText)
    : []
  const narrow = narrowing(words, texts)
  const sought = { patterns: words.map(patternOf), conditions: narrow.flatMap(conditionsOf), shapes: shapesOf(words.join(' ')) }
  const some = await search(sought, 'sample')
  const sampled = some[0]?.candidates ?? 0
  if (sampled >= enoughSampled) return some
  const isWide = sampled <= fewSampled && estimate > 0 && total >= estimate * leastShare
  return isWide ? search({ ...sought, conditions: conditionsByRarity(narrow, texts) ?? sought.conditions }, 'wide') : search(sought, 'all')
}

/** Contacts that have similar words. */
async function searchSimilar(context: Context, words: readonly string[], { total }: Size, search: Search): Promise<Found[]> {
  const similar = words.filter(maySpellWrongly)
  if (similar.length === 0) return []
  const sought = resemblanceOf(words)
  const some = await search(sought, 'sample')
  if ((some[0]?.candidates ?? 0) >= enoughAlike) return some
  // Words that are known are not misspelt: nobody has all of them.
  if (total > enoughToKnow && (await areKnown(context, words))) return some
  return [...some, ...(await search(sought, 'all', leastSimilarity(total, similar)))]
}

// A search that also finds contacts of other organizations has to read them to leave them out: at most 2,000 for 640 of its own.
const leastShare = 0.25
const fewSampled = 10

async function areKnown(context: Context, words: readonly string[]): Promise<boolean> {
  const known = await context.db.query(searchKnown, [organizationOf(context), words.map(patternOf)])
  return known.length === words.length
}

const nameOf = ([name]: SearchCondition) => name

// With all that is before the @: what begins so is the address of that person. The index would look for all trigrams, which are common.
const isAddress = (word: string) => /^[^@]+@[^@]*$/.test(word)

function best(found: readonly Found[], first: number): Found[] {
  const byId = new Map(found.map(one => [one.id, one]))
  return [...byId.values()].toSorted((one, other) => other.rank - one.rank).slice(0, first)
}

/** The name under which lists show a contact. */
export const titleOf = ({ fullName, email, phone, companyName }: Contact) => fullName ?? email ?? phone ?? companyName ?? ''
function textOf(contact: Contact): string {
  const { fullName, email, phone, companyName } = contact
  const further = [...furtherOf(contact, 'emails'), ...furtherOf(contact, 'phones')]
  return [fullName, email, phone, companyName, ...further].filter(Boolean).join(' · ')
}
