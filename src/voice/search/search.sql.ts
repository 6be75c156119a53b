// The statements that find calls and voice agents by words, with the indexes call_transcripts_words and
// voice_agents_words_by_organization.

import { statement } from '../../database/statement.ts'
import { real, rows, uuid } from '../../database/table.ts'

const found = rows({ id: uuid, rank: real })

// The maximum number of matching calls whose newest are ranked. The index has no order, so these may be any of them.
const maxMatches = 1000
// 30 and 60: the words of a call that is ranked, or searched without the index, are parsed again, which takes a tenth of a millisecond.
const maxRanked = 30
const maxNewest = 60
const callWords = 'call_words(summary, lines)'
const selectRanked = (query: string) => `select id, (0.6 * ts_rank(words, ${query}::tsquery, 32))::real as rank`
// By the id of one call after the other, each in one partition. The limit keeps PostgreSQL from making it a join that
// reads all partitions, and from expecting a row of each, for which it would plan every execution again. Ids begin with their time, so the
// greatest are the newest.
const textsOf = (call: string) => `(select summary, lines from call_transcripts t where t.org_id = $1 and t.id = ${call}.id limit 1)`

/** $1 organization, $2 the tsquery for the index, $3 the limit, $4 the tsquery. Ranks the newest 30 of the matching calls. */
export const searchCallWords = statement(
  'calls_search',
  `with matching as materialized (
     select id from call_transcripts where org_id = $1 and ${callWords} @@ $2::tsquery
   ), newest as (
     select id from (select id from matching limit ${maxMatches}) sample order by id desc limit ${maxRanked}
   )
   ${selectRanked('$4')} from (select id, ${callWords} as words from newest cross join lateral ${textsOf('newest')} said offset 0) call
   where words @@ $4::tsquery order by rank desc, id desc limit $3`,
  found,
)

// Parsing the words of 60 calls takes 10 ms, and most words that are typed are in none of them. A text of ASCII characters is parsed only if
// the terms occur in it at all, which takes a hundredth of the time.
const mayContain = 'octet_length(content) <> length(content) or lower(content) like all ($4::text[])'

/** $1 organization, $2 the tsquery, $3 the limit, $4 a pattern for each term. Searches the newest 60 calls. */
export const searchNewestCalls = statement(
  'calls_search_newest',
  `${selectRanked('$2')} from (
     select id, ${callWords} as words from (
       select id, created_at, summary, lines, coalesce(summary, '') || lines::text as content
       from (select id, created_at from calls where org_id = $1 and not is_trial order by created_at desc, id desc limit ${maxNewest}) call
         cross join lateral ${textsOf('call')} said
     ) newest where ${mayContain} order by created_at desc, id desc limit greatest(${maxRanked}, $3)
   ) likely where words @@ $2::tsquery order by rank desc, id desc limit $3`,
  found,
)

const agentWords = `search_words(name || ' ' || coalesce(instructions, '') || ' ' || coalesce(first_message, ''))`
/** $1 organization, $2 the tsquery, $3 the limit. Matches in the name rank above matches in the texts. */
export const searchAgentWords = statement(
  'voice_agents_search',
  `select id, (case when search_words(name) @@ $2::tsquery then 0.8 else 0.6 * ts_rank(${agentWords}, $2::tsquery, 32) end)::real as rank
   from voice_agents where org_id = $1 and status <> 'archived' and ${agentWords} @@ $2::tsquery
   order by rank desc, created_at desc, id limit $3`,
  found,
)
