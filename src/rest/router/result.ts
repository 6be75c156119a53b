// Converts a document's result to an HTTP response: status, body, headers.

import { createHash } from 'node:crypto'
import type { Request } from 'express'
import type { DryRun } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { wireName } from '../../kernel/input/case.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import { segment } from '../../kernel/outgoing/segment.ts'
import { detailOf, type Locate } from './answer.ts'
import { answerOf } from './document.ts'
import { validationBody } from './problems.ts'
import type { Route } from './route.ts'

export interface Reply {
  status: number
  /** Undefined for a response without a body. */
  body: unknown
  headers: Record<string, string>
}

type Fields = Record<string, unknown>
interface Connection {
  data: Fields[]
  page: { has_more: boolean; next_cursor: string | null }
  total?: number | null
}

interface Row extends Fields {
  index: number
  error: { code: string; detail: string; problems: readonly Problem[] | null } | null
}

/** Prepares the conversion for one document of a route. `locate` converts the paths of the rules' problems. */
export function replierOf(route: Route, document: Route['document'], locate: Locate): (data: unknown, req: Request) => Reply {
  const { depth, kind } = answerOf(document)
  const unknowns = Object.entries(route.documented ?? {})
  const unknownsOfRows = Object.entries(route.documentedRows ?? {}).map(([list, fields]) => [list, Object.entries(fields)] as const)
  const { keyedByField, rowsKeyedByField = {} } = route
  const addressOf = route.location && addressesBy(route.location)
  const keyedRows = Object.entries(rowsKeyedByField)
  const finish = (item: Fields): Fields => {
    fill(item, unknowns)
    for (const [list, ofRow] of unknownsOfRows) for (const row of rowsIn(item, list)) fill(row, ofRow)
    if (keyedByField && item[keyedByField]) item[keyedByField] = fieldKeys(item[keyedByField])
    for (const [list, member] of keyedRows) for (const row of rowsIn(item, list)) row[member] = fieldKeys(row[member])
    return item
  }

  return (data, req) => {
    let result = data
    for (let level = 0; level < depth; level++) result = (result as { result: unknown } | null)?.result
    if (route.status === 204) return { status: 204, body: undefined, headers: {} }
    if (result === null || result === undefined) throw new AppError('NOT_FOUND', 'There is nothing here')
    if (kind === 'list') {
      const { data: rows, page, total = null } = result as Connection
      if (unknowns.length > 0 || keyedByField) rows.forEach(finish)
      const body = { data: rows, has_more: page.has_more, next_cursor: page.has_more ? page.next_cursor : null, total }
      return { status: route.status, body, headers: {} }
    }
    if (Array.isArray(result))
      return { status: route.status, body: { data: result, has_more: false, next_cursor: null, total: null }, headers: {} }
    if (kind === 'rows') {
      const { results, ...sums } = result as { results: Row[] }
      return {
        status: route.status,
        body: { results: results.map(row => ({ ...row, error: rowError(row, locate) })), ...sums },
        headers: {},
      }
    }
    const { item, outcome } = kind === 'outcome' ? (result as { item: Fields; outcome: string }) : { item: result as Fields, outcome: null }
    const body = finish(item)
    const status = outcome === null ? route.status : outcome === 'created' ? 201 : 200
    const headers: Record<string, string> = {}
    if ((status === 201 || status === 202) && addressOf) headers.Location = addressOf(body)
    const { openWhile } = route
    if (openWhile?.statuses.includes(String(body.status))) headers['Retry-After'] = String(openWhile.retryAfterSeconds)
    const tag = tagOf(route, body)
    if (tag) {
      headers.ETag = tag
      if (route.method === 'GET' && isMatch(req.headers['if-none-match'], tag)) return { status: 304, body: undefined, headers }
    }
    return { status, body, headers }
  }
}

interface RecordedEvent {
  type: string
  entityId: string
  contactId: string | null
  companyId: string | null
  dealId: string | null
  changes: readonly { field: string; before: unknown; after: unknown }[]
}

/** The answer to a dry run: the answer that the write would have had, and its receipt. */
export function dryRunBody(status: number, answer: unknown, { receipt, policy, file }: DryRun) {
  const events = (receipt?.events ?? []) as readonly RecordedEvent[]
  return {
    dry_run: true,
    status,
    answer: answer ?? null,
    events: events.map(({ type, entityId, contactId, companyId, dealId, changes }) => ({
      type,
      entity_id: entityId,
      ...{ contact_id: contactId, company_id: companyId, deal_id: dealId },
      changes: changes.map(change => ({ ...change, field: fieldName(change.field) })),
    })),
    event_count: receipt?.eventCount ?? 0,
    credits_taken: receipt?.creditsTaken ?? null,
    credits_reserved: receipt?.creditsReserved ?? null,
    policy: policy ? { is_allowed: policy.isAllowed, at: policy.at, reason: policy.reason } : null,
    file: file ? { row_count: file.rowCount, columns: file.columns } : null,
  }
}

// A stored answer of an earlier release lacks the lists that were added since.
const rowsIn = (item: Fields, list: string): readonly Fields[] => (item[list] as Fields[] | undefined) ?? []

// Replaces null by the documented value. Fields that were not selected (undefined) stay absent.
function fill(item: Fields, unknowns: readonly [field: string, unknown: unknown][]): void {
  for (const [field, unknown] of unknowns) if (item[field] === null) item[field] = unknown
}

// A row's error has the same content as the error of a request with that row alone.
function rowError({ index, error }: Row, locate: Locate) {
  if (!error) return null
  const details = (error.problems ?? []).map(problem => detailOf({ ...problem, path: [index, ...problem.path] }, locate))
  const problems = validationBody(details).detail
  // Built from the first problem: the rule's message names the field as GraphQL spells it.
  const [first] = problems
  const detail = first ? `${first.loc.slice(locate([index]).length).join('.')}: ${first.msg}` : error.detail
  return { code: error.code.toLowerCase(), detail, problems }
}

// The same few names come with every row: converting each again takes a tenth of a timeline's server CPU.
const fieldNames = new Map<string, string>()
const maxFieldNames = 1000
function fieldName(name: string): string {
  let spelled = fieldNames.get(name)
  if (spelled === undefined) {
    spelled = wireName(name)
    if (fieldNames.size < maxFieldNames) fieldNames.set(name, spelled)
  }
  return spelled
}

function fieldKeys(changes: unknown): unknown {
  if (changes === null || typeof changes !== 'object') return changes
  return Object.fromEntries(Object.entries(changes).map(([key, value]) => [fieldName(key), value]))
}

// The template has the names of fields in braces.
function addressesBy(template: string): (body: Fields) => string {
  // Every other part is a name.
  const parts = template.split(/\{(\w+)\}/)
  return body => parts.map((part, index) => (index % 2 === 0 ? part : segment(String(body[part])))).join('')
}

// The entity tag is the item's version, which If-Match accepts; for items without a version it is a hash of the body.
function tagOf({ etag }: Route, body: Fields): string | null {
  if (typeof body.version === 'number') return `"${body.version}"`
  return etag ? `"${createHash('sha1').update(JSON.stringify(body)).digest('base64url')}"` : null
}

// If-None-Match uses weak comparison: a cache may have made the tag weak.
function isMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(candidate => candidate.trim().replace(/^W\//, '') === tag)
}
