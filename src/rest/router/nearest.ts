// The name that a caller meant by one that is not known.

import { closest, distance } from 'fastest-levenshtein'

// What other APIs call it.
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

// 64: no name of ours is that long, and the comparison costs the product of both lengths.
const snakeCase = (name: string) =>
  name
    .slice(0, 64)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

const letters = (name: string) => [...name].sort().join('')

/** One of `known`, or null when none is like it: less than half of its letters may differ, or only their order, or its end is missing. */
export function nearest(name: string, known: readonly string[]): string | null {
  if (known.length === 0) return null
  const asked = snakeCase(name)
  const synonym = synonyms[asked]
  if (synonym !== undefined && known.includes(synonym)) return synonym
  const candidate = closest(asked, known)
  const isLike = distance(asked, candidate) * 2 < asked.length || letters(asked) === letters(candidate) || candidate.startsWith(asked)
  return isLike ? candidate : null
}
