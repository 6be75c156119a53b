// Suggests a known name for an unknown one.

import { closest, distance } from 'fastest-levenshtein'

// Common names in other APIs.
const synonyms: Readonly<Record<string, string>> = {
  page: 'cursor',
  offset: 'cursor',
  after: 'cursor',
  starting_after: 'cursor',
  per_page: 'limit',
  page_size: 'limit',
  first: 'limit',
  order_by: 'sort',
  order: 'sort',
  search: 'q',
  query: 'q',
  mobile: 'phone',
  name: 'full_name',
}

// 64: longer than any known name; the cost of the comparison is the product of both lengths.
const snakeCase = (name: string) =>
  name
    .slice(0, 64)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

const letters = (name: string) => [...name].sort().join('')

/** The most similar of `known`, or null. Similar: fewer than half of the letters differ, or only their order, or the end is missing. */
export function nearest(name: string, known: readonly string[]): string | null {
  if (known.length === 0) return null
  const wanted = snakeCase(name)
  const synonym = synonyms[wanted]
  if (synonym !== undefined && known.includes(synonym)) return synonym
  const candidate = closest(wanted, known)
  const isSimilar =
    distance(wanted, candidate) * 2 < wanted.length || letters(wanted) === letters(candidate) || candidate.startsWith(wanted)
  return isSimilar ? candidate : null
}
