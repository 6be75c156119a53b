// Search by words over all nouns that the caller may read, best matches first.

import { searchNotes } from '../../contacts/search/notes.ts'
import { searchContacts } from '../../contacts/search/search.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/problem.ts'
import { isAllowed, type Scope } from '../../kernel/principal.ts'
import type { Hit } from '../../kernel/search/hit.ts'
import { type SearchQuery, searchQuery } from '../../kernel/search/words.ts'
import { searchAgents, searchCalls } from '../../voice/search/search.ts'

interface Noun {
  /** The name of its type in the schema. */
  typename: string
  scope: Scope
  search(context: Context, query: SearchQuery, first: number): Promise<Hit<{ id: string }>[]>
}

const nouns = {
  contact: { typename: 'Contact', scope: 'contacts:read', search: searchContacts },
  note: { typename: 'Note', scope: 'contacts:read', search: searchNotes },
  call: { typename: 'Call', scope: 'calls:read', search: searchCalls },
  agent: { typename: 'VoiceAgent', scope: 'agents:read', search: searchAgents },
} as const satisfies Record<string, Noun>

type SearchType = keyof typeof nouns

export interface SearchResult extends Hit<object> {
  type: SearchType
  entityId: string
}

export interface Search {
  query: string
  /** Default: all nouns that the caller may read. */
  types?: readonly SearchType[] | null
  first?: number | null
}

export const defaultResults = 20
// 50: more than a person reads while typing.
export const maxResults = 50

/**
 * The organization's contacts, notes, calls and voice agents that match, best first. Throws FORBIDDEN for a type that the caller may not
 * read, and INVALID for more than 50 results.
 */
export async function search(context: Context, { query, types, first }: Search): Promise<SearchResult[]> {
  organizationOf(context)
  const limit = first ?? defaultResults
  if (limit < 1) throw invalid(problem('first', 'greater_than_equal', limit, { ge: 1 }))
  if (limit > maxResults) throw invalid(problem('first', 'less_than_equal', limit, { le: maxResults }))
  const words = searchQuery(query)
  const found = await Promise.all(
    wanted(context, types ?? null).map(async type => {
      const { typename, search }: Noun = nouns[type]
      const hits = await search(context, words, limit)
      return hits.map(hit => ({ ...hit, type, entityId: hit.entity.id, entity: { ...hit.entity, __typename: typename } }))
    }),
  )
  return found
    .flat()
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, limit)
}

function wanted({ principal }: Context, types: readonly SearchType[] | null): SearchType[] {
  if (types === null) return (Object.keys(nouns) as SearchType[]).filter(type => isAllowed(principal, nouns[type].scope))
  const refused = types.find(type => !isAllowed(principal, nouns[type].scope))
  if (refused) throw new AppError('FORBIDDEN', `The credential lacks the scope ${nouns[refused].scope}`)
  return [...new Set(types)]
}
