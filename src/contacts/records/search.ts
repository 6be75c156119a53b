// Searching records while the caller types, best matches first.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { type Batch, load } from '../../kernel/dataloaders.ts'
import { type Hit, snippetOf } from '../../kernel/search/snippet.ts'
import { partsOf, type SearchQuery } from '../../kernel/search/words.ts'
import { conditionsOf, patternOf } from '../search/conditions.ts'
import type { SearchStatements } from './search.sql.ts'

interface Searched<Row> {
  statements: SearchStatements
  load: Batch<string, Row | null>
  titleOf: (row: Row) => string
  /** The text for the snippet. */
  textOf: (row: Row) => string
}

/** Makes the search of a noun: at most `first` live rows that have all the words. The last word may be unfinished. */
export const searchOf =
  <Row extends { id: string; deletedAt: string | null }>({ statements, load: batch, titleOf, textOf }: Searched<Row>) =>
  async (context: Context, query: SearchQuery, first: number): Promise<Hit<Row>[]> => {
    const words = query.words.flatMap(partsOf)
    // The longest word is the rarest.
    const longest = words.toSorted((one, other) => other.length - one.length)[0]
    const [condition] = longest === undefined ? [] : conditionsOf(longest)
    if (!condition) return []
    const [by, value] = condition
    const values = [organizationOf(context), words.map(patternOf), value, query.words.join(' '), first]
    const found = await context.db.query(by === 'contains' ? statements.contains : statements.begins, values)
    const rows = await Promise.all(found.map(({ id }) => load(context, batch, id)))
    return rows.flatMap((row, index) => {
      if (!row || row.deletedAt !== null) return []
      return [{ entity: row, rank: found[index]?.rank ?? 0, title: titleOf(row), snippet: snippetOf(textOf(row), query.words) }]
    })
  }
