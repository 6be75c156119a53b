// The statements that find contacts by words of their names, addresses, numbers and companies. They use the index of the filter `q`, the
// indexes of lists, and a small index of a sample, so that searching adds next to no cost to writes.

import { type Statement, statement } from '../../database/statement.ts'
import { bigint, real, rows, text, uuid } from '../../database/table.ts'
import { emailKey } from '../contact/addresses/address.sql.ts'
import { lastNameKey } from '../contact/contact.sql.ts'
import { countLive } from '../contact/list/list.sql.ts'
import { isOfLiveRecord } from '../records/hanging/row.sql.ts'
import { least } from './misspelt.ts'

// How many of the newest contacts are searched before the indexes, and how many matches among them are enough: of a word that more than a
// tenth of all contacts have, the newest are as good as any.
const recent = 1000
export const enough = 100
// In the sample 50 are, the most results of a search, of some 3,200 in all. The index of all contacts collects rarer words in 10 ms.
export const enoughSampled = 50
/** The number of matches that are ranked. */
const maxCandidates = 200
// The number of contacts with a matching beginning of address, last name or name that are searched.
const maxPrefixed = 100

const found = rows({ id: uuid, rank: real, candidates: bigint })
export type Found = ReturnType<typeof found.row>

// The result of word_similarity for a whole word and for the beginning of one, by a regular expression for each, which takes a tenth of the
// time: word_similarity compares all trigrams of a text, and 400 texts take 6 ms. The beginning lacks only the query's last trigram.
const similarity = (query: string, whole: string, beginning: string) =>
  `case when search_text ~ ${whole} then 1
     when search_text ~ ${beginning} then (select (1 - 1.0 / nullif(cardinality(show_trgm(${query})), 0))::real)
     else word_similarity(${query}, search_text) end`

// 0.3: a word in the middle of a text ranks lower. A whole word ranks above the beginning of a word, and that above the middle of one.
const selectRanked = (query: string, limit: string, whole: string, beginning: string) =>
  `select id, (0.3 + 0.5 * ${similarity(query, whole, beginning)} + 0.2 * starts_with(search_text, ${query})::int)::real as rank, count(*) over () as candidates
   from found order by rank desc, created_at desc, id limit ${limit}`

/** The highest rank of a text that does not begin with the query. */
export const mostInside = 0.3 + 0.5

const contacts = 'select id, search_text, created_at from contacts where deleted_at is null'
const live = `${contacts} and org_id = $1`
const beginning = (key: string, from = '$3') => `(select id, search_text, created_at from (
       ${live} and ${key} >= ${from} and ${key} < ${from} || U&'\\+10FFFF' order by ${key} limit ${maxPrefixed}
     ) beginning where (' ' || search_text) like all ($2::text[]))`
// As in the index contacts_by_search_text.
const beginningOfText = (text: string) => `left(${text}, 32)`

const recentAnd = (...beginnings: string[]) => `with newest as (
     select id, search_text, created_at from (${live} order by created_at desc, id desc limit ${recent}) newest
     where (' ' || search_text) like all ($2::text[]) limit ${maxCandidates}
   ), found as (select * from newest union ${beginnings.join(' union ')})
   ${selectRanked('$4', '$5', '$6', '$7')}`

/**
 * $1 organization, $2 patterns, $3 the last word, $4 the query, $5 the limit, $6 and $7 the expressions of `shapesOf`. Searches the newest
 * contacts, and contacts whose address or last name begins with the last word, so that the cost is bounded however many contacts match.
 */
export const searchRecent = statement('contacts_search_recent', recentAnd(beginning(emailKey), beginning(lastNameKey)), found)

/** The same for several words, and also contacts whose name begins with all of them. */
export const searchRecentNames = statement(
  'contacts_search_recent_names',
  recentAnd(
    beginning(emailKey),
    beginning(lastNameKey),
    beginning(`(${beginningOfText('search_text')}) collate "C"`, beginningOfText('$4')),
  ),
  found,
)

/** The same for a whole address: one range of the index by address. */
export const searchAddress = statement(
  'contacts_search_address',
  `with found as ${beginning(emailKey)} ${selectRanked('$4', '$5', '$6', '$7')}`,
  found,
)

/** $1 organization. The texts of the newest 100 contacts: more texts do not show better which words are common. */
export const searchNewest = statement(
  'contacts_search_newest',
  `select search_text from contacts where org_id = $1 and deleted_at is null order by created_at desc, id desc limit 100`,
  rows({ searchText: text }),
)

/** $1 organization. The number of its live contacts, and of all rows of the table; the latter is an estimate, and -1 before the first one. */
export const searchSize = statement(
  'contacts_search_size',
  `select total, (select reltuples::bigint from pg_class where oid = 'contacts'::regclass) as estimate from (${countLive.text}) counted`,
  rows({ total: bigint, estimate: bigint }),
)

// One contact in 64, by the last byte of its id, which is random. The index `contacts_search_sample` has these alone. An equality: PostgreSQL
// takes it for one row in 200, and so uses the index; for an estimate of a third of all rows it would scan the table.
const isSampled = '(get_byte(uuid_send(id), 15) & 63) = 0'

/** $1 organization, $2 patterns. Those that a contact of the sample matches. */
export const searchKnown = statement(
  'contacts_search_known',
  `select pattern from unnest($2::text[]) pattern where exists (${live} and ${isSampled} and search_text like pattern)`,
  rows({ pattern: text }),
)

/**
 * Where the matches are sought: among all contacts, or in the sample, where the search ends with the first 200. `wide`: among all contacts,
 * and the index is not asked for the organization, which takes 10 ms for each million that it has.
 */
export type Among = 'all' | 'wide' | 'sample'
// The inner query is planned for its whole result: planned for a part, PostgreSQL would scan contacts until enough have matched.
const selectMatching = (contacts: string, condition: string) =>
  `matching as materialized (${contacts} and ${condition} and (' ' || search_text) like all ($2::text[])),
   found as (select * from matching limit ${maxCandidates})`
const matching: Record<Among, (condition: string) => string> = {
  all: condition => selectMatching(live, condition),
  // No index compares in this way.
  wide: condition => selectMatching(`${contacts} and org_id is not distinct from $1`, condition),
  sample: condition => `found as (
     ${live} and ${isSampled} and ${condition} and (' ' || search_text) like all ($2::text[]) limit ${maxCandidates}
   )`,
}

/** The conditions on the index: patterns, regular expressions, and words that may be misspelt, similar or with letters exchanged. */
const conditions = {
  contains: (parameter: string) => `search_text like ${parameter}`,
  begins: (parameter: string) => `search_text ~ ${parameter}`,
  exchanged: (parameter: string) => `search_text ~ ${parameter}`,
  resembles: (parameter: string) => `${parameter}::text <% search_text`,
} as const
export type Condition = keyof typeof conditions

/**
 * $1 organization, $2 patterns, $3 the query, $4 the limit, $5 and $6 of `shapesOf`, then the values of the conditions. All have to
 * hold. For words that may be misspelt, either all similar or all exchanged forms have to: each of the two is one scan of the index.
 * `leastSimilarity` is the similarity of words that resemble each other, 0 to 1.
 */
export function searchMatching(names: readonly Condition[], among: Among, leastSimilarity = least): Statement<Found> {
  const of = (...kinds: Condition[]) =>
    names.flatMap((name, index) => (kinds.includes(name) ? [conditions[name](`$${index + 7}`)] : [])).join(' and ')
  // The expressions come first, because they take a tenth of the others' time.
  const alike = [of('exchanged'), of('resembles')].filter(Boolean).join(' or ')
  // Set for this statement only, before the index is scanned.
  const threshold = alike && `(select set_config('pg_trgm.word_similarity_threshold', '${leastSimilarity}', true)) is not null`
  const all = [threshold, of('contains', 'begins'), alike && `(${alike})`].filter(Boolean).join(' and ')
  return statement('', `with ${matching[among](all)} ${selectRanked('$3', '$4', '$5', '$6')}`, found)
}

// The maximum number of matching notes whose newest are taken. The index has no order, so these may be any of them.
const maxNotes = 1000
const maxNewestNotes = 300
// More than are ever returned. Ranking a note parses its words again, a millisecond for the longest.
const maxRankedNotes = 60

/** $1 organization, $2 the tsquery for the index, $3 the limit, $4 the tsquery. Notes of live records: ranks the newest 60. */
export const searchNoteWords = statement(
  'notes_search',
  `with matching as materialized (
     select id, contact_id, company_id, deal_id, created_at from contact_notes where org_id = $1 and search_words(text) @@ $2::tsquery
   ), newest as (
     select * from (select * from matching limit ${maxNotes}) sample order by created_at desc, id desc limit ${maxNewestNotes}
   ), live as (
     select newest.id from newest where ${isOfLiveRecord('newest')}
     order by newest.created_at desc, newest.id desc limit ${maxRankedNotes}
   )
   select id, (0.6 * ts_rank(words, $4::tsquery, 32))::real as rank
   from (select id, created_at, search_words(text) as words from contact_notes where id in (select id from live) offset 0) note
   where words @@ $4::tsquery order by rank desc, created_at desc, id limit $3`,
  rows({ id: uuid, rank: real }),
)
