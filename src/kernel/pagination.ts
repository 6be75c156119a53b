// Keyset pagination: a cursor holds the list and the position where a page ended, so every page costs the same.

import { createHash } from 'node:crypto'
import { invalid } from './errors.ts'
import { isId } from './ids.ts'
import { type Problem, problem, valueError } from './input/problem.ts'
import { storageFault } from './input/storable.ts'

/** The default and the maximum number of entries of a page. */
export const defaultPageSize = 50
export const maxPageSize = 200

export interface PageArgs {
  first?: number | null
  after?: string | null
}

/** Where a page ended: the sort key of its last row, and the row's id for equal keys. */
export interface Position {
  key: string
  id: string
}

/** The rows after a position, as a Prisma condition, for lists sorted by `createdAt` and `id`, newest first. */
export const olderThan = (start: Position | null) =>
  // `createdAt` bounds the range of the index; `OR` excludes rows of the same time that were on an earlier page.
  start === null ? {} : { createdAt: { lte: start.key }, OR: [{ createdAt: { lt: start.key } }, { id: { lt: start.id } }] }

/** A row and its sort key. */
export interface Keyed<Row> {
  row: Row
  key: string
}

/** Reads the arguments of a page. `list` identifies the list: its name and everything that decides its order and content. */
export function pageOf(
  { first, after }: PageArgs,
  list: string,
  isKey: (key: string) => boolean,
): { size: number; start: Position | null } {
  const size = first ?? defaultPageSize
  const start = after === null || after === undefined ? null : positionOf(after, list, isKey)
  const problems = sizeProblems(size)
  if (typeof start === 'string') problems.push(valueError('after', start, after))
  if (typeof start === 'string' || problems.length > 0) throw invalid(problems)
  return { size, start }
}

function sizeProblems(size: number): Problem[] {
  if (size < 1) return [problem('first', 'greater_than_equal', size, { ge: 1 })]
  return size > maxPageSize ? [problem('first', 'less_than_equal', size, { le: maxPageSize })] : []
}

// Few sizes, so that few statements are prepared for lists whose limit is part of the text.
const fetchedSizes = [10, 20, 50, 100, 200]

/** How many rows to fetch for a page: at least one more than it shows, which tells whether there is a next page. */
export const fetchedRows = (size: number): number => 1 + (fetchedSizes.find(fetched => fetched >= size) ?? size)

/** One page. Everything but its rows is computed on access. */
export class Page<Row extends { id: string }> {
  readonly nodes: readonly Row[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  /** The number of entries in the whole list; null when it was not requested. */
  readonly total: number | null
  readonly #keyed: readonly Keyed<Row>[]
  readonly #list: string

  /** `found` has one row more than the page when there is a next page. */
  constructor(
    found: readonly Keyed<Row>[],
    { size, start }: { size: number; start: Position | null },
    list: string,
    total: number | null = null,
  ) {
    this.#keyed = found.length > size ? found.slice(0, size) : found
    this.#list = list
    this.nodes = this.#keyed.map(({ row }) => row)
    this.hasNextPage = found.length > size
    this.hasPreviousPage = start !== null
    this.total = total
  }

  get edges(): { node: Row; cursor: string }[] {
    return this.#keyed.map(keyed => ({ node: keyed.row, cursor: this.#cursorOf(keyed) }))
  }
  get startCursor(): string | null {
    const [first] = this.#keyed
    return first ? this.#cursorOf(first) : null
  }
  get endCursor(): string | null {
    const last = this.#keyed.at(-1)
    return last ? this.#cursorOf(last) : null
  }

  #cursorOf({ row, key }: Keyed<Row>): string {
    return Buffer.from(JSON.stringify([fingerprintOf(this.#list), key, row.id])).toString('base64url')
  }
}

/** The error for a cursor that no list has returned. */
export const notOurs = 'the cursor is not one of ours'

/** Whether the text has the form of a cursor. */
export const isCursor = (text: string): boolean => contentOf(text) !== null

// Returns a sentence when the cursor is not valid.
function positionOf(cursor: string, list: string, isKey: (key: string) => boolean): Position | string {
  const content = contentOf(cursor)
  if (!content || !isKey(content.key)) return notOurs
  const { fingerprint, ...position } = content
  return fingerprint === fingerprintOf(list) ? position : 'the cursor belongs to a list with another filter or sort'
}

function contentOf(cursor: string): (Position & { fingerprint: unknown }) | null {
  try {
    const bytes = Buffer.from(cursor, 'base64url')
    // The decoder skips characters that are not base64url, so that several texts would be the same cursor.
    if (bytes.toString('base64url') !== cursor) return null
    const content: unknown = JSON.parse(bytes.toString())
    const [fingerprint, key, id]: unknown[] = Array.isArray(content) ? content : []
    return typeof key === 'string' && typeof id === 'string' && isId(id) ? { fingerprint, key, id } : null
  } catch {
    return null
  }
}

// The last fingerprint is kept, because consecutive pages are often of the same list. 48 bits: they detect mistakes, not attacks; a forged
// cursor still shows only rows of the caller's organization.
let known = { list: '', fingerprint: '' }
function fingerprintOf(list: string): string {
  if (list !== known.list) known = { list, fingerprint: createHash('sha256').update(list).digest('base64url').slice(0, 8) }
  return known.fingerprint
}

/** The kinds of sort keys. A cursor with any other key was not made by this server. */
export const isText = (key: string): boolean => storageFault(key) === null
export const isTime = (key: string): boolean =>
  /^[1-9]\d{3}-/.test(key) && !Number.isNaN(Date.parse(key)) && new Date(key).toISOString() === key
