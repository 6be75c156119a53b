// The statements that find calls and voice agents by words, with the indexes calls_words_by_organization and
// voice_agents_words_by_organization.

import { statement } from '../../database/statement.ts'
import { real, rows, timestamptz, uuid } from '../../database/table.ts'

const found = rows({ id: uuid, rank: real })
const foundCalls = rows({ id: uuid, rank: real, createdAt: timestamptz })

// The maximum number of matching calls of which the newest are ranked. The index has no order, so these may be any of them.
const maxMatches = 1000
// 30 and 60: the words of a call that is ranked, or searched without the index, are parsed again, which takes a tenth of a millisecond.
const maxRanked = 30
const maxNewest = 60
const callWords = 'call_words(summary, transcript)'
const hasWords = `org_id = $1 and (summary is not null or transcript <> '[]'::jsonb)`
const ranked = (query: string) => `select id, (0.6 * ts_rank(words, ${query}::tsquery, 32))::real as rank, created_at`

/** $1 organization, $2 the tsquery for the index, $3 the limit, $4 the tsquery. Ranks the newest 30 of the matching calls. */
export const searchCallWords = statement(
  'calls_search',
  `with matching as materialized (
     select id, created_at from calls where ${hasWords} and ${callWords} @@ $2::tsquery
   ), newest as (
     select id from (select * from matching limit ${maxMatches}) sample order by created_at desc, id desc limit ${maxRanked}
   )
   ${ranked('$4')} from (select id, created_at, ${callWords} as words from calls where id in (select id from newest) offset 0) call
   where words @@ $4::tsquery order by rank desc, created_at desc, id limit $3`,
  foundCalls,
)

// Parsing the words of 60 calls takes 10 ms, and most words that are typed are in none of them. A text of ASCII characters is parsed only if
// the terms occur in it at all, which takes a hundredth of the time.
const mayContain = 'octet_length(content) <> length(content) or lower(content) like all ($4::text[])'

/** $1 organization, $2 the tsquery, $3 the limit, $4 a pattern for each term. Searches the newest 60 calls. */
export const searchNewestCalls = statement(
  'calls_search_newest',
  `${ranked('$2')} from (
     select id, created_at, ${callWords} as words from (
       select id, created_at, summary, transcript, coalesce(summary, '') || transcript::text as content
       from calls where org_id = $1 order by created_at desc, id desc limit ${maxNewest}
     ) newest where ${mayContain} order by created_at desc, id desc limit greatest(${maxRanked}, $3)
   ) likely where words @@ $2::tsquery order by rank desc, created_at desc, id limit $3`,
  foundCalls,
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
