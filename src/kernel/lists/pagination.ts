// Keyset pagination: a cursor names the list and the position where a page ended, so every page costs the same.

import { createHash } from 'node:crypto'
import { invalid } from '../errors.ts'
import { isId } from '../ids.ts'
import { parseJson } from '../input/json-text.ts'
import { type Problem, problem, valueError } from '../input/problem.ts'
import { storageFault } from '../input/storable.ts'

/** The default and the maximum number of entries of a page. */
export const defaultPageSize = 50
export const maxPageSize = 200

/** The page arguments of Relay: `first` with `after`, or `last` with `before`. */
export interface PageArgs {
  first?: number | null
  after?: string | null
  last?: number | null
  before?: string | null
}

/** The arguments of a list. `counted`: the query selects the total as well, which is then counted beside the page's statement. */
export interface ListArgs extends PageArgs {
  counted?: boolean
}

/** Where a page ended: the sort key of its last row, and the row's id to order equal keys. */
export interface Position {
  key: string
  id: string
}

/** A requested page. */
export interface PageRequest {
  size: number
  /** The position after which the page begins; read backward, before which it ends. Null: the start of the list, read backward its end. */
  start: Position | null
  /** Whether the page is read from the end of the list, against its order. */
  isBackward: boolean
}

/** The direction in which a page of a list is read. */
export const directionOf = ({ isBackward }: PageRequest, order: 'asc' | 'desc' = 'desc'): 'asc' | 'desc' =>
  isBackward === (order === 'desc') ? 'asc' : 'desc'

/** The orders of a list by the time of creation. The default is the newest first. */
export type AgeSort = 'created_at' | 'created_at_desc'

export interface AgedListArgs extends ListArgs {
  sort?: AgeSort | null
}

/** The order, and what the name of the list says of it: nothing of the default one, so that older cursors stay valid. */
export const ageOrder = (sort: AgeSort | null | undefined): { order: 'asc' | 'desc'; suffix: string } =>
  sort === 'created_at' ? { order: 'asc', suffix: ' oldest first' } : { order: 'desc', suffix: '' }

/** Prisma's arguments for a page of a list that is sorted by `createdAt` and `id`. */
export function byAge(page: PageRequest, order: 'asc' | 'desc' = 'desc') {
  const { size, start } = page
  const direction = directionOf(page, order)
  const orderBy: ({ createdAt: typeof direction } | { id: typeof direction })[] = [{ createdAt: direction }, { id: direction }]
  if (start === null) return { where: {}, orderBy, take: size + 1 }
  const { key, id } = start
  // `createdAt` bounds the range of the index; `OR` excludes rows with the same time that are on the neighboring page.
  const where =
    direction === 'asc'
      ? { createdAt: { gte: key }, OR: [{ createdAt: { gt: key } }, { id: { gt: id } }] }
      : { createdAt: { lte: key }, OR: [{ createdAt: { lt: key } }, { id: { lt: id } }] }
  return { where, orderBy, take: size + 1 }
}

/** A row and its sort key. */
export interface Keyed<Row> {
  row: Row
  key: string
}

/** Names the dataloader of pages: equal arguments have equal names. */
export const pageName = (list: string, { first, after, last, before }: PageArgs): string =>
  `${list} ${first ?? ''} ${after ?? ''} ${last ?? ''} ${before ?? ''}`

/** Parses the arguments of a page. `list` identifies the list: its name and all arguments that decide its order and content. */
export function pageOf(args: PageArgs, list: string, isKey: (key: string) => boolean): PageRequest {
  const { first, after, last, before } = args
  const isBackward = last != null || (first == null && before != null)
  const [sizeName, startName] = isBackward ? (['last', 'before'] as const) : (['first', 'after'] as const)
  const size = args[sizeName] ?? defaultPageSize
  const cursor = args[startName]
  const start = cursor == null ? null : positionOf(cursor, list, isKey)
  const problems = sizeProblems(sizeName, size)
  if (isBackward && first != null) problems.push(valueError('last', 'a page is asked for by `first` or by `last`, not by both', last))
  if (isBackward && after != null) problems.push(valueError('after', '`after` goes with `first`; with `last` send `before`', after))
  if (!isBackward && before != null) problems.push(valueError('before', '`before` goes with `last`; with `first` send `after`', before))
  if (typeof start === 'string') problems.push(valueError(startName, start, cursor))
  if (typeof start === 'string' || problems.length > 0) throw invalid(problems)
  return { size, start, isBackward }
}

function sizeProblems(name: 'first' | 'last', size: number): Problem[] {
  if (size < 1) return [problem(name, 'greater_than_equal', size, { ge: 1 })]
  return size > maxPageSize ? [problem(name, 'less_than_equal', size, { le: maxPageSize })] : []
}

// Few sizes, because the limit is part of the text of some statements, and each size is prepared separately.
const fetchedSizes = [10, 20, 50, 100, 200]

/** How many rows to fetch for a page: at least one more than its size, which shows whether there is a next page. */
export const fetchedRows = (size: number): number => 1 + (fetchedSizes.find(fetched => fetched >= size) ?? size)

/** One page. All members but its rows are computed on access. */
export class Page<Row extends { id: string }> {
  readonly nodes: readonly Row[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  /** Counts the entries of the whole list, once. */
  readonly total: () => number | Promise<number>
  readonly #keyed: readonly Keyed<Row>[]
  readonly #list: string

  /** `found` has the rows in the order in which they were read, and one more than the page when there are further rows. */
  constructor(found: readonly Keyed<Row>[], { size, start, isBackward }: PageRequest, list: string, total: () => number | Promise<number>) {
    const keyed = found.length > size ? found.slice(0, size) : found
    this.#keyed = isBackward ? keyed.toReversed() : keyed
    this.#list = list
    this.nodes = this.#keyed.map(({ row }) => row)
    // On the side of `start` there is at least the row that the cursor names.
    this.hasNextPage = isBackward ? start !== null : found.length > size
    this.hasPreviousPage = isBackward ? found.length > size : start !== null
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

/** The error for a cursor that this server has not made. */
export const unknownCursor = 'the cursor was not returned by this API'

/** Whether the text has the form of a cursor. */
export const isCursor = (text: string): boolean => contentOf(text) !== null

// Returns a sentence when the cursor is not valid.
function positionOf(cursor: string, list: string, isKey: (key: string) => boolean): Position | string {
  const content = contentOf(cursor)
  if (!content || !isKey(content.key)) return unknownCursor
  const { fingerprint, ...position } = content
  return fingerprint === fingerprintOf(list) ? position : 'the cursor belongs to a list with another filter or sort'
}

function contentOf(cursor: string): (Position & { fingerprint: unknown }) | null {
  try {
    const bytes = Buffer.from(cursor, 'base64url')
    // The decoder skips characters that are not base64url, so several texts would be the same cursor.
    if (bytes.toString('base64url') !== cursor) return null
    const content: unknown = parseJson(bytes.toString())
    const [fingerprint, key, id]: unknown[] = Array.isArray(content) ? content : []
    return typeof key === 'string' && typeof id === 'string' && isId(id) ? { fingerprint, key, id } : null
  } catch {
    return null
  }
}

// The last fingerprint is cached, because consecutive pages often belong to the same list. 48 bits detect mistakes, not attacks; a forged
// cursor still returns only rows of the caller's organization.
let known = { list: '', fingerprint: '' }
function fingerprintOf(list: string): string {
  if (list !== known.list) known = { list, fingerprint: createHash('sha256').update(list).digest('base64url').slice(0, 8) }
  return known.fingerprint
}

/** The kinds of sort keys. A cursor with a key of another kind was not made by this server. */
export const isText = (key: string): boolean => storageFault(key) === null
export const isTime = (key: string): boolean =>
  /^[1-9]\d{3}-/.test(key) && !Number.isNaN(Date.parse(key)) && new Date(key).toISOString() === key
