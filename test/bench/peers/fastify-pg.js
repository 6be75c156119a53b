// Fastify over pg, written by hand for speed: prepared statements, a cache of API keys, times kept as text.

import { hash } from 'node:crypto'
import { createContact, pages, shown } from './contacts.js'
import { query } from './database.js'
import { createApp } from './every-request.js'
import { statsOf } from './stats.js'

const agentById = `select id, name, org_id, host_app_id, instructions, phone_number, provider, provider_assistant_id, dispatch_url, status,
    created_at, updated_at, status_reason, first_message, extraction, version as agent_version, language, voice, '{}'::text[] as warnings
  from voice_agents where id = $1 and org_id = $2`
// An unknown contact has no row; a contact without entries has one without an id.
const timeline = `select e.id, type, actor_type, actor_id, actor_name, door, operation, changes, e.created_at from contacts c left join lateral (
    select * from events where org_id = $1 and contact_id = $2 order by created_at desc, id desc limit $3
  ) e on true where c.org_id = $1 and c.id = $2 and c.deleted_at is null`

const app = createApp({ isWrite: ({ method }) => method !== 'GET', headers: { 'cache-control': 'private, no-cache' } })

const string = { type: 'string' }
const nullable = { type: 'string', nullable: true }
const integer = { type: 'integer' }
const object = properties => ({ type: 'object', properties })

// The first part of a cursor names the list, so that a cursor of another list is refused.
const digests = new Map()
function digestOf(list) {
  let digest = digests.get(list)
  if (!digest) digests.set(list, (digest = hash('sha256', list, 'base64url').slice(0, 8)))
  return digest
}
const cursorOf = (list, row) => Buffer.from(JSON.stringify([digestOf(list), row.created_at, row.id])).toString('base64url')
function pageOf(rows, limit, list, show) {
  const has_more = rows.length > limit
  const data = (has_more ? rows.slice(0, limit) : rows).map(show)
  return { data, has_more, next_cursor: has_more ? cursorOf(list, rows[limit - 1]) : null, total: null }
}

const limited = { limit: { ...integer, minimum: 1, maximum: 200, default: 50 }, cursor: string }
const pageQuery = { schema: { querystring: object({ ...limited, lifecycle_stage: string }) } }
app.get('/api/crm/v1/contacts', pageQuery, async (request, reply) => {
  const { limit, cursor, lifecycle_stage: stage } = request.query
  const { orgId } = request.key
  const list = `contacts created_at_desc${stage ? `\nlifecycleStage ${stage}` : ''}`
  const name = stage ? 'ofStage' : cursor ? 'after' : 'all'
  const [digest, ...position] = cursor ? JSON.parse(Buffer.from(cursor, 'base64url').toString()) : []
  if (cursor && digest !== digestOf(list)) return reply.code(422).send({ detail: 'the cursor belongs to another list' })
  const rows = await query(name, pages[name], [orgId, limit + 1, ...(stage ? [stage] : position)])
  return pageOf(rows, limit, list, shown)
})

const input = object({
  email: { ...string, minLength: 3, maxLength: 320, pattern: '^[^@\\s]+@[^@\\s]+$' },
  first_name: nullable,
  last_name: nullable,
  phone: nullable,
  job_title: nullable,
  company_name: nullable,
})
const creating = { schema: { body: { ...input, required: ['email'], additionalProperties: false } } }
app.post('/api/crm/v1/contacts', creating, async (request, reply) => {
  const { id: requestId, headers } = request
  const by = { door: 'rest', operation: 'CreateContact', requestId, idempotencyKey: headers['idempotency-key'] }
  const { contact, problem } = await createContact(request.key, request.body, by)
  if (problem) return reply.code(problem === 'taken' ? 409 : 422).send({ detail: problem })
  reply.code(201).header('location', `/api/crm/v1/contacts/${contact.id}`).header('etag', `"${contact.version}"`)
  reply.header('x-operation-id', requestId)
  return contact
})

app.get('/api/voice/v1/agents/:id', async ({ params, key }, reply) => {
  const [row] = await query('agent', agentById, [params.id, key.orgId])
  return row ?? reply.code(404).send({ detail: 'not found' })
})

const snakeCased = changes =>
  Object.fromEntries(
    Object.entries(changes).map(([field, change]) => [field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), change]),
  )
const entry = ({ id, type, actor_type, actor_id, actor_name, door, operation, changes, created_at }) => ({
  id,
  type,
  actor: { type: actor_type, id: actor_id, name: actor_name },
  door,
  operation,
  changes: snakeCased(changes),
  created_at,
})
app.get(
  '/api/crm/v1/contacts/:id/timeline',
  { schema: { querystring: object(limited) } },
  async ({ params, query: { limit }, key }, reply) => {
    const rows = await query('timeline', timeline, [key.orgId, params.id, limit + 1])
    const [first] = rows
    if (!first) return reply.code(404).send({ detail: 'not found' })
    return pageOf(first.id === null ? [] : rows, limit, 'timeline', entry)
  },
)

app.get('/api/crm/v1/stats', async ({ key }) => statsOf(key.orgId))

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
