// Pages of lists: a cursor says where a page ended and of which list, so that the next page costs what the first did.

import { createHash } from 'node:crypto'
import { invalid, type Problem } from '../errors.ts'

/** Entries of a page when nothing is asked, and the most that may be asked for. */
export const defaultPageSize = 50
export const largestPage = 200

export interface PageArgs {
  first?: number | null
  after?: string | null
}

/** Where a page ended: the sort's value of its last row, and the row's id for ties. */
export interface Position {
  key: string
  id: string
}

/** A row beside the value it is sorted by. */
export interface Keyed<Row> {
  row: Row
  key: string
}

/** Reads what a page request asks for. `list` names the list with everything that decides its order and content. */
export function pageOf(
  { first, after }: PageArgs,
  list: string,
  isKey: (key: string) => boolean,
): { size: number; start: Position | null } {
  const size = first ?? defaultPageSize
  const start = after === null || after === undefined ? null : positionOf(after, list, isKey)
  const problems = sizeProblems(size)
  if (typeof start === 'string')
    problems.push({ path: ['after'], type: 'value_error', message: `Value error, ${start}`, input: after, context: { error: start } })
  if (typeof start === 'string' || problems.length > 0) throw invalid(problems)
  return { size, start }
}

function sizeProblems(size: number): Problem[] {
  const path = ['first']
  if (size < 1)
    return [{ path, type: 'greater_than_equal', message: 'Input should be greater than or equal to 1', input: size, context: { ge: 1 } }]
  if (size > largestPage)
    return [
      {
        path,
        type: 'less_than_equal',
        message: `Input should be less than or equal to ${largestPage}`,
        input: size,
        context: { le: largestPage },
      },
    ]
  return []
}

/** One page. Everything but its rows is worked out when somebody asks for it. */
export class Page<Row extends { id: string }> {
  readonly nodes: readonly Row[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  /** All entries of the list, when they were asked for. */
  readonly total: number | null
  readonly #keyed: readonly Keyed<Row>[]
  readonly #list: string

  /** `found` holds one row more than the page has, where there are more. */
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

/** What is said of a cursor that no list has given. */
export const notOurs = 'the cursor is not one of ours'

/** Whether the text can be a cursor at all. */
export const isCursor = (text: string): boolean => contentOf(text) !== null

// Or what is wrong with the cursor.
function positionOf(cursor: string, list: string, isKey: (key: string) => boolean): Position | string {
  const content = contentOf(cursor)
  if (!content || !isKey(content.key)) return notOurs
  const { fingerprint, ...position } = content
  return fingerprint === fingerprintOf(list) ? position : 'the cursor belongs to a list with another filter or sort'
}

function contentOf(cursor: string): (Position & { fingerprint: unknown }) | null {
  try {
    const bytes = Buffer.from(cursor, 'base64url')
    // What is no base64url would be passed over, so that many spellings were one cursor.
    if (bytes.toString('base64url') !== cursor) return null
    const content: unknown = JSON.parse(bytes.toString())
    const [fingerprint, key, id]: unknown[] = Array.isArray(content) ? content : []
    return typeof key === 'string' && typeof id === 'string' && isId(id) ? { fingerprint, key, id } : null
  } catch {
    return null
  }
}

// Pages come in rows of the same list. 48 bits: a cursor of another list is a mistake, not an attack; whoever forges one still sees
// only rows of their own.
let known = { list: '', fingerprint: '' }
function fingerprintOf(list: string): string {
  if (list !== known.list) known = { list, fingerprint: createHash('sha256').update(list).digest('base64url').slice(0, 8) }
  return known.fingerprint
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Whether the text can be an id at all. Whatever cannot belongs to no row. */
export const isId = (text: string): boolean => uuidForm.test(text)

/** The kinds of keys a list can be sorted by. A cursor with anything else has not come from us. */
export const isText = (key: string): boolean => !key.includes('\0') && key.isWellFormed()
export const isTime = (key: string): boolean =>
  /^[1-9]\d{3}-/.test(key) && !Number.isNaN(Date.parse(key)) && new Date(key).toISOString() === key
