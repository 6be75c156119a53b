// The statements that search records of a table by their search text.

import { type Statement, statement } from '../../database/statement.ts'
import { real, rows, uuid } from '../../database/table.ts'

const found = rows({ id: uuid, rank: real })
/** $1 organization, $2 patterns that all match, $3 the condition's value, $4 the query, $5 the limit. The index finds the condition. */
export type SearchStatements = Record<'contains' | 'begins', Statement<{ id: string; rank: number }>>

// More than are ever returned.
const maxCandidates = 200

export function searchStatements(table: string): SearchStatements {
  const searching = (name: string, condition: string) =>
    statement(
      name,
      `with found as materialized (
         select id, search_text, created_at from ${table}
         where org_id = $1 and deleted_at is null and ${condition} and (' ' || search_text) like all ($2::text[]) limit ${maxCandidates}
       )
       select id, (0.3 + 0.5 * word_similarity($4, search_text) + 0.2 * starts_with(search_text, $4)::int)::real as rank
       from found order by rank desc, created_at desc, id limit $5`,
      found,
    )
  return {
    contains: searching(`${table}_search`, 'search_text like $3'),
    begins: searching(`${table}_search_beginning`, 'search_text ~ $3'),
  }
}
