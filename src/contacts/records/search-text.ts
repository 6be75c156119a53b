// The text of a record that the filter `q` and the search look into.

import { bareWords, endsOfNames, searchable, withoutSpaces, withoutUmlauts } from '../../kernel/search/fold.ts'

/**
 * The parts as `searchable` makes them, with the parts of names that are written without spaces, and names without their signs and umlauts.
 * `names`: the names among the parts.
 */
export function searchText(parts: readonly (string | null)[], names: readonly (string | null)[]): string {
  const named = names.filter(part => part !== null)
  const ends = endsOfNames(named.join(' '))
  const plain = searchable([...parts, ...(ends === null ? [] : [ends]), ...named.flatMap(withoutSpaces)].join(' '))
  const written = [...new Set([named.join(' | '), withoutUmlauts(named.join(' | '))])]
  const further = written.flatMap(each => bareWords(searchable(each))).filter(word => !plain.includes(word))
  return [plain, ...new Set(further)].join(' ')
}
