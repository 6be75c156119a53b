// The statements that find calls and voice agents by words: the indexes calls_words and voice_agents_words.

import { statement } from '../../database/statement.ts'
import { real, rows, uuid } from '../../database/table.ts'

const found = rows({ id: uuid, rank: real })

// How many of the newest calls that match are ranked: the words of each are counted once more for that.
const maxCalls = 50
const callWords = 'call_words(summary, transcript)'
/**
 * $1 organization, $2 the tsquery, $3 the limit. Without a name: for rare words the index is best, for common ones the newest calls, so it is
 * planned with its values.
 */
export const searchCallWords = statement(
  '',
  `select id, (0.6 * ts_rank(words, $2::tsquery, 32))::real as rank from (
     select id, created_at, ${callWords} as words from calls
     where org_id = $1 and (summary is not null or transcript <> '[]'::jsonb) and ${callWords} @@ $2::tsquery
     order by created_at desc, id desc limit ${maxCalls}
   ) newest order by rank desc, created_at desc, id limit $3`,
  found,
)

const agentWords = `search_words(name || ' ' || coalesce(instructions, '') || ' ' || coalesce(first_message, ''))`
/** $1 organization, $2 the tsquery, $3 the limit. What stands in the name ranks above what stands in the texts. */
export const searchAgentWords = statement(
  'voice_agents_search',
  `select id, (case when search_words(name) @@ $2::tsquery then 0.8 else 0.6 * ts_rank(${agentWords}, $2::tsquery, 32) end)::real as rank
   from voice_agents where org_id = $1 and status <> 'archived' and ${agentWords} @@ $2::tsquery
   order by rank desc, created_at desc, id limit $3`,
  found,
)
