// Whether servers do the same work: their answers are the same bytes with the same headers, and their writes the same rows.

import type pg from 'pg'
import type { Answer } from '../load.ts'
import type { Case, Name } from './case.ts'

/**
 * Throws when a server's answer to the case is not this server's. Answers of PostGraphile have names and spellings of its own: of these, the
 * values are compared, in their order, and no headers.
 */
export function checkSame({ name, differing }: Case, answers: ReadonlyMap<Name, Answer>): void {
  const own = answers.get('project')
  if (own === undefined) return
  const fixed = ({ text, headers }: Answer) => headersOf(headers) + (differing ? text.replaceAll(differing, '') : text)
  for (const [server, answer] of answers) {
    const [one, other] =
      server === 'postgraphile' ? [valuesOf(own.text), valuesOf(answer.text)].map(values => values.join('\n')) : [fixed(own), fixed(answer)]
    if (one === other) continue
    const at = [...(one ?? '')].findIndex((character, index) => character !== other?.[index])
    const near = (text = '') => text.slice(Math.max(0, at - 60), at + 60)
    throw new Error(`${name}: ${server} does not answer what this server does: ${near(other)} in place of ${near(one)}`)
  }
}

// Headers of the connection, and headers whose value differs from one request to the next: of these, the names are compared.
const ofConnection = new Set(['connection', 'keep-alive'])
const differingHeaders = new Set(['content-length', 'date', 'location', 'ratelimit', 'x-operation-id', 'x-request-id'])
const headersOf = (headers: Headers) =>
  [...headers]
    .filter(([header]) => !ofConnection.has(header))
    .map(([header, value]) => (differingHeaders.has(header) ? `${header}\n` : `${header}: ${value}\n`))
    .join('')

const time = /^\d{4}-\d\d-\d\dT/

/** The values of a JSON text, in their order; enumerations in lower case, times in UTC with milliseconds. */
function valuesOf(json: string): string[] {
  const walk = (value: unknown): string[] => {
    if (value !== null && typeof value === 'object') return Object.values(value).flatMap(walk)
    const text = String(value)
    return [time.test(text) ? new Date(text).toISOString() : text.toLowerCase()]
  }
  return walk(JSON.parse(json))
}

/** The ids of a create, and when it happened. Its event and its answer are told apart by server, door and operation. */
const own = new Set([
  'id',
  'request_id',
  'entity_id',
  'contact_id',
  'created_at',
  'updated_at',
  'transaction_id',
  'sequence',
  'operation_id',
])
const kept = new Set(['fingerprint', 'key', 'email', 'search_text'])

/** Throws when the newest contact of each server is not the same rows: the contact, its event, the answer under its Idempotency-Key. */
export async function checkRows(pool: pg.Pool, name: string, ids: ReadonlyMap<Name, string>): Promise<void> {
  const written = await Promise.all(
    [...ids].map(async ([server, id]) => {
      const [contact, events, answers] = await Promise.all([
        pool.query('select * from contacts where id = $1', [id]),
        pool.query('select * from events where contact_id = $1', [id]),
        pool.query(
          `select *, octet_length(id) as id_length, octet_length(fingerprint) as fingerprint_length, answer::jsonb #>> '{result,id}' as answered
           from idempotency_keys where operation_id::text = (select request_id from events where contact_id = $1)`,
          [id],
        ),
      ])
      const rows = [
        contact.rows,
        events.rows,
        answers.rows.map(row => ({ ...row, answer: row.answer.length, answered: row.answered === id })),
      ]
      return { server, rows: rows.map(of => of.map(known)) }
    }),
  )
  const [first, ...others] = written.map(({ server, rows }) => ({ server, text: JSON.stringify(rows) }))
  for (const { server, text } of others)
    if (text !== first?.text) throw new Error(`${name}: ${server} wrote ${text} where ${first?.server} wrote ${first?.text}`)
}

const known = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, own.has(column) || kept.has(column) ? value !== null : value]))
