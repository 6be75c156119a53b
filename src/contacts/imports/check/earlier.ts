// The rows of a file so far, by their addresses and ids. A row that says the same as an earlier one of its record changes nothing.

import { createHash } from 'node:crypto'
import type { LinkedRow } from '../nouns/links.ts'

export interface EarlierRows {
  has(key: string): boolean
  /** Whether the last row with one of the keys has the same values. Undefined where no row has one. */
  isSame(keys: readonly string[], row: LinkedRow): boolean | undefined
  add(keys: readonly string[], row: LinkedRow): void
}

// A hash, because the rows themselves would be the whole file in memory.
const valuesOf = ({ input, linked: { links } }: LinkedRow) =>
  createHash('sha1')
    .update(JSON.stringify([input, links]))
    .digest('base64')

export function earlierRows(): EarlierRows {
  const last = new Map<string, string>()
  return {
    has: key => last.has(key),
    isSame(keys, row) {
      const found = keys.flatMap(key => last.get(key) ?? [])
      return found.length === 0 ? undefined : found.every(values => values === valuesOf(row))
    },
    add(keys, row) {
      const values = valuesOf(row)
      for (const key of keys) last.set(key, values)
    },
  }
}
