// Searching companies by name and domain while the caller types, best matches first.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { type Hit, snippetOf } from '../../kernel/search/snippet.ts'
import { partsOf, type SearchQuery } from '../../kernel/search/words.ts'
import { conditionsOf, patternOf } from '../search/conditions.ts'
import { searchBy } from './company.sql.ts'
import { loadCompanies } from './company.ts'
import { domainsOf } from './input.ts'
import type { Company } from './row.ts'

/** At most `first` live companies that have all the words. The last one may be unfinished. */
export async function searchCompanies(context: Context, query: SearchQuery, first: number): Promise<Hit<Company>[]> {
  const words = query.words.flatMap(partsOf)
  // The longest word is the rarest.
  const longest = words.toSorted((one, other) => other.length - one.length)[0]
  const [condition] = longest === undefined ? [] : conditionsOf(longest)
  if (!condition) return []
  const [by, value] = condition
  const statement = by === 'contains' ? searchBy.contains : searchBy.begins
  const values = [organizationOf(context), words.map(patternOf), value, query.words.join(' '), first]
  const found = await context.db.query(statement, values)
  const companies = await Promise.all(found.map(({ id }) => load(context, loadCompanies, id)))
  return companies.flatMap((company, index) => {
    if (!company || company.deletedAt !== null) return []
    const text = [company.name, ...domainsOf(company)].join(' · ')
    return [{ entity: company, rank: found[index]?.rank ?? 0, title: company.name, snippet: snippetOf(text, query.words) }]
  })
}
