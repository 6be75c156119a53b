// Parses column values from PostgreSQL's text format, by the OID of the type.

import pg from 'pg'

export type Parse = (text: string) => unknown

const TEXT = 25
const TIMESTAMPTZ = 1184
const INT8 = 20
const DATE = 1082
const JSONB = 3802
const TEXT_ARRAY = 1009

// pg declares its parsers as any. Each takes the text of a value.
const parserOfPg: (oid: number) => Parse = pg.types.getTypeParser
const textArray = parserOfPg(TEXT_ARRAY)
const asText = parserOfPg(TEXT)

const parsers: Record<number, Parse> = {
  [TIMESTAMPTZ]: isoTime,
  [DATE]: text => text,
  // Counts and transaction ids stay below 2^53. Rows of the ledger convert their amounts to bigint themselves.
  [INT8]: Number,
  [JSONB]: text => (text === '{}' ? {} : text === '[]' ? [] : JSON.parse(text)),
  [TEXT_ARRAY]: text => (text === '{}' ? [] : textArray(text)),
}

/** The parser of a type; null for types whose value is the text itself. */
export function parserOf(oid: number): Parse | null {
  const parse = parsers[oid] ?? parserOfPg(oid)
  return parse === asText ? null : parse
}

// "2026-05-31 23:57:24.48+00" -> "2026-05-31T23:57:24.480Z", without a Date in between. The last result is cached, because a row that was
// never updated has the same time twice.
let lastText = ''
let lastTime = ''
function isoTime(text: string): string {
  if (text === lastText) return lastTime
  lastText = text
  // The session's time zone is UTC.
  lastTime = `${text.slice(0, 10)}T${text.slice(11, 19)}.${`${text.slice(20, text.length - 3)}000`.slice(0, 3)}Z`
  return lastTime
}
