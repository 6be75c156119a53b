// Search by words over all nouns that the caller may read, best matches first.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/problem.ts'
import { allNouns, type Noun, type Search as Searching } from '../../kernel/nouns/nouns.ts'
import type { Hit } from '../../kernel/search/snippet.ts'
import { searchQuery } from '../../kernel/search/words.ts'

export interface SearchResult extends Hit<object> {
  /** The noun, by its name in events. */
  type: string
  entityId: string
}

export interface Search {
  query: string
  /** Default: all nouns that the caller may read. */
  types?: readonly string[] | null
  first?: number | null
}

type Searched = Noun & { search: Searching }
export const isSearched = (noun: Noun): noun is Searched => noun.search !== undefined
export const searchedNouns = (): Searched[] => allNouns().filter(isSearched)

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
    nounsToSearch(context, types ?? null).map(async ({ name, typename, search }) => {
      const hits = await search.find(context, words, limit)
      return hits.map(hit => ({ ...hit, type: name, entityId: hit.entity.id, entity: { ...hit.entity, __typename: typename } }))
    }),
  )
  return found
    .flat()
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, limit)
}

function nounsToSearch(context: Context, types: readonly string[] | null): Searched[] {
  if (types === null) return searchedNouns().filter(noun => noun.mayRead(context))
  const asked = searchedNouns().filter(({ name }) => types.includes(name))
  const refused = asked.find(noun => !noun.mayRead(context))
  if (refused) throw new AppError('FORBIDDEN', `The credential lacks the scope ${refused.scope}`)
  return asked
}
