// The statements that find contacts by words of their names, addresses, numbers and companies. They use only the index of the filter `q`
// and the indexes of lists, so that searching adds no cost to writes.

import { type Statement, statement } from '../../database/statement.ts'
import { bigint, real, rows, uuid } from '../../database/table.ts'
import { emailKey, lastNameKey } from '../contact/contact.sql.ts'

// How many of the newest contacts are searched before the index, and how many matches among them are enough. A word that fewer have is in at
// most a tenth of all contacts, of which the index finds 10,000 in 10 ms; of a more common one the newest are as good as any.
const recent = 1000
export const enough = 100
// Of what a fortieth of the newest contacts have, as many more are searched as hold 200 matches: 8,000 take 5 ms. The index would collect
// all matches first, 25,000 and more among a million contacts, in 10 to 60 ms.
const more = 8_000
export const common = 25
/** The number of matches that are ranked. */
const maxCandidates = 200
// The number of contacts with a matching beginning of address or last name that are searched.
const maxPrefixed = 100

const found = rows({ id: uuid, rank: real, candidates: bigint, newest: bigint })
export type Found = ReturnType<typeof found.row>

// What word_similarity finds for a whole word and for the beginning of one, from a regular expression for each, which takes a tenth of the
// time: it compares all trigrams of a text, and 400 texts take 6 ms. The beginning lacks only the last of the query's trigrams.
const similarity = (query: string, whole: string, beginning: string) =>
  `case when search_text ~ ${whole} then 1
     when search_text ~ ${beginning} then (select (1 - 1.0 / nullif(cardinality(show_trgm(${query})), 0))::real)
     else word_similarity(${query}, search_text) end`

// 0.3: a word in the middle of a text ranks lower. A whole word ranks above the beginning of a word, and that above the middle of one.
const ranked = (query: string, limit: string, whole: string, beginning: string, newest = '0::bigint') =>
  `select id, (0.3 + 0.5 * ${similarity(query, whole, beginning)} + 0.2 * starts_with(search_text, ${query})::int)::real as rank,
     count(*) over () as candidates, ${newest} as newest
   from found order by rank desc, created_at desc, id limit ${limit}`

const live = 'select id, search_text, created_at from contacts where org_id = $1 and deleted_at is null'
const beginning = (key: string) => `(select id, search_text, created_at from (
       ${live} and ${key} >= $3 and ${key} < $3 || U&'\\+10FFFF' order by ${key} limit ${maxPrefixed}
     ) beginning where (' ' || search_text) like all ($2::text[]))`

const newest = (count: number) => `with newest as (
     select id, search_text, created_at from (${live} order by created_at desc, id desc limit ${count}) newest
     where (' ' || search_text) like all ($2::text[]) limit ${maxCandidates}
   ), found as (select * from newest union ${beginning(emailKey)} union ${beginning(lastNameKey)})
   ${ranked('$4', '$5', '$6', '$7', '(select count(*) from newest)')}`

/**
 * $1 organization, $2 patterns, $3 the last word, $4 the query, $5 the limit, $6 and $7 the expressions of `shapesOf`. Searches the newest
 * contacts, and contacts whose address or last name begins with the last word, so that the cost is bounded however many contacts match.
 */
export const searchRecent = statement('contacts_search_recent', newest(recent), found)
/** The same, and more of the newest contacts. */
export const searchMore = statement('contacts_search_more', newest(more), found)

/** The same for a whole address: one range of the index by address. */
export const searchAddress = statement(
  'contacts_search_address',
  `with found as ${beginning(emailKey)} ${ranked('$4', '$5', '$6', '$7')}`,
  found,
)

// The inner query is planned for its whole result: planned for a part, PostgreSQL would scan contacts until enough have matched.
const matching = (
  condition: string,
) => `with matching as materialized (${live} and ${condition} and (' ' || search_text) like all ($2::text[])),
   found as (select * from matching limit ${maxCandidates}) ${ranked('$3', '$4', '$5', '$6')}`

// 0.45: two exchanged letters leave 0.4 of a short word, one wrong or missing letter half of it. PostgreSQL's default of 0.6 finds few of
// them. Set for this statement only, before the index is scanned.
const threshold = `(select set_config('pg_trgm.word_similarity_threshold', '0.45', true)) is not null and `

/** What the index is asked for: a pattern, a regular expression, or a word that may be misspelt. */
const conditions = {
  contains: (parameter: string) => `search_text like ${parameter}`,
  begins: (parameter: string) => `search_text ~ ${parameter}`,
  resembles: (parameter: string) => `${parameter}::text <% search_text`,
} as const
export type Condition = keyof typeof conditions

/** $1 organization, $2 patterns, $3 the query, $4 the limit, $5 and $6 of `shapesOf`, then what each of the conditions compares with. */
export const searchMatching = (names: readonly Condition[]): Statement<Found> => {
  const all = names.map((name, index) => conditions[name](`$${index + 7}`)).join(' and ')
  return statement('', matching(names.includes('resembles') ? threshold + all : all), found)
}

// The maximum number of matching notes of which the newest are taken. The index has no order, so these may be any of them.
const maxNotes = 1000
const maxNewestNotes = 300
// More than are ever returned. Ranking a note parses its words again, a millisecond for the longest.
const maxRankedNotes = 60

/** $1 organization, $2 the tsquery for the index, $3 the limit, $4 the tsquery. Notes of live contacts: ranks the newest 60. */
export const searchNoteWords = statement(
  'notes_search',
  `with matching as materialized (
     select id, contact_id, created_at from contact_notes where org_id = $1 and search_words(text) @@ $2::tsquery
   ), newest as (
     select * from (select * from matching limit ${maxNotes}) sample order by created_at desc, id desc limit ${maxNewestNotes}
   ), live as (
     select newest.id from newest join contacts contact on contact.id = newest.contact_id and contact.deleted_at is null
     order by newest.created_at desc, newest.id desc limit ${maxRankedNotes}
   )
   select id, (0.6 * ts_rank(words, $4::tsquery, 32))::real as rank
   from (select id, created_at, search_words(text) as words from contact_notes where id in (select id from live) offset 0) note
   where words @@ $4::tsquery order by rank desc, created_at desc, id limit $3`,
  rows({ id: uuid, rank: real }),
)
