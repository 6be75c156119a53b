// What the peers share: a pool on the project's database, times kept as text, and API keys looked up in the project's tables.

import { hash } from 'node:crypto'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16, options: '-c TimeZone=UTC' })
// The pool replaces an idle connection that fails. Without a listener, the error would end the process.
pool.on('error', () => {})
const bigint = 20
const timestamptz = 1184
const types = {
  getTypeParser(oid, format) {
    if (format === 'binary') return pg.types.getTypeParser(oid, format)
    return oid === timestamptz ? isoTime : oid === bigint ? Number : pg.types.getTypeParser(oid, format)
  },
}

/** The rows of a prepared statement. */
export const query = async (name, text, values) => (await pool.query({ name, text, values, types })).rows

// "2026-05-31 23:57:24.48+00" to "2026-05-31T23:57:24.480Z" without a Date in between: the session's time zone is UTC.
function isoTime(text) {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  return text.length === 22 ? `${seconds}.000Z` : `${seconds + `${text.slice(19, -3)}00`.slice(0, 4)}Z`
}

const keyByHash = `select k.id, k.label, o.organization_id as org_id from api_keys k
  join api_key_organizations o on o.api_key_id = k.id
  where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) limit 1`
const cacheMs = 5_000
const keys = new Map()

/** The API key of the header `Authorization`: id, label and organization. Null for an unknown key; a promise when it is not cached. */
export function keyOf(header) {
  if (!header?.startsWith('Bearer ')) return null
  const digest = hash('sha256', header.slice(7), 'hex')
  const known = keys.get(digest)
  if (known && known.until > Date.now()) return known
  return query('key', keyByHash, [Buffer.from(digest, 'hex')]).then(([row]) => {
    if (!row) return null
    const key = { id: row.id, label: row.label, orgId: row.org_id, until: Date.now() + cacheMs }
    keys.set(digest, key)
    return key
  })
}
