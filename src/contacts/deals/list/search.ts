// Searching deals by title while the caller types, best matches first.

import { type Context, organizationOf } from '../../../kernel/context.ts'
import { load } from '../../../kernel/dataloaders.ts'
import { type Hit, snippetOf } from '../../../kernel/search/snippet.ts'
import { partsOf, type SearchQuery } from '../../../kernel/search/words.ts'
import { conditionsOf, patternOf } from '../../search/conditions.ts'
import { searchBy } from '../deal.sql.ts'
import { loadDeals } from '../deal.ts'
import type { Deal } from '../row.ts'

/** At most `first` live deals that have all the words. The last one may be unfinished. */
export async function searchDeals(context: Context, query: SearchQuery, first: number): Promise<Hit<Deal>[]> {
  const words = query.words.flatMap(partsOf)
  // The longest word is the rarest.
  const longest = words.toSorted((one, other) => other.length - one.length)[0]
  const [condition] = longest === undefined ? [] : conditionsOf(longest)
  if (!condition) return []
  const [by, value] = condition
  const statement = by === 'contains' ? searchBy.contains : searchBy.begins
  const values = [organizationOf(context), words.map(patternOf), value, query.words.join(' '), first]
  const found = await context.db.query(statement, values)
  const deals = await Promise.all(found.map(({ id }) => load(context, loadDeals, id)))
  return deals.flatMap((deal, index) => {
    if (!deal || deal.deletedAt !== null) return []
    return [{ entity: deal, rank: found[index]?.rank ?? 0, title: deal.title, snippet: snippetOf(deal.title, query.words) }]
  })
}
