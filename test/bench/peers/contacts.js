// Contacts as the peers read and write them: one statement for a page, one for a create with its event and its stored answer.

import { hash, randomUUID } from 'node:crypto'
import { query } from './database.js'

const columns = `id, org_id, email, first_name, last_name, full_name, phone, job_title, company_id, company_name, company_domain, linkedin_url, city, region,
  country, timezone, avatar_url, lifecycle_stage, source, owner_user_id, tags, custom, do_not_call, external_id, last_contacted_at,
  emails, phones, created_by_type, created_by_id, created_by_name, created_at, updated_at, deleted_at, version`
const live = 'from contacts where org_id = $1 and deleted_at is null'
const newest = 'order by created_at desc, id desc limit'

/** `$1` the organization, `$2` one more than the size of the page; then the filter's value, or the position of the cursor. */
export const pages = {
  all: `select ${columns} ${live} ${newest} $2`,
  after: `select ${columns} ${live} and (created_at, id) < ($3, $4) ${newest} $2`,
  ofStage: `select ${columns} ${live} and lifecycle_stage = $3 ${newest} $2`,
}

const e164 = /^\+[1-9]\d{6,14}$/

// The column has all addresses, the primary one first; it is empty where there is none but that one.
const addresses = (primary, all) => {
  if (all.length === 0) return primary === null ? [] : [{ value: primary, label: null, is_primary: true, verification: 'unverified' }]
  return all.map(({ value, label, verification }, index) => ({ value, label, is_primary: index === 0, verification }))
}

/** The contact of a row, as REST shows it. */
export const shown = row => ({
  id: row.id,
  org_id: row.org_id,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  full_name: row.full_name,
  phone: row.phone,
  phone_callable: row.phone === null ? null : e164.test(row.phone),
  job_title: row.job_title,
  company_id: row.company_id,
  company_name: row.company_name,
  company_domain: row.company_domain,
  linkedin_url: row.linkedin_url,
  city: row.city,
  region: row.region,
  country: row.country,
  timezone: row.timezone,
  avatar_url: row.avatar_url,
  lifecycle_stage: row.lifecycle_stage,
  source: row.source,
  owner_user_id: row.owner_user_id,
  tags: row.tags,
  custom: row.custom,
  do_not_call: row.do_not_call,
  external_id: row.external_id,
  last_contacted_at: row.last_contacted_at,
  emails: addresses(row.email, row.emails),
  phones: addresses(row.phone, row.phones),
  created_by: { type: row.created_by_type, id: row.created_by_id, name: row.created_by_name },
  created_at: row.created_at,
  updated_at: row.updated_at,
  deleted_at: row.deleted_at,
  version: row.version,
})

// One statement is one transaction. The key's row depends on the contact's, so a taken address stores no answer. A key that was used before
// fails it, and so undoes the contact: what this server's function for that does, which has a snapshot of its own.
const insertContact = `with contact as (
    insert into contacts (id, org_id, email, first_name, last_name, full_name, phone, job_title, company_name, source, created_by_type,
      created_by_id, created_by_name, created_at, updated_at, search_text)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'api', 'api_key', $10, $11, $12, $12, $13)
    on conflict (org_id, (coalesce(lower(email), U&'\\+10FFFF' || id::text)) collate "C") where deleted_at is null do nothing
    returning id
  ), event as (
    insert into events (id, org_id, type, entity, entity_id, contact_id, actor_type, actor_id, actor_name, door, operation, request_id,
      created_at)
    select $14, $2, 'contact.created', 'contact', $1::text, $1::uuid, 'api_key', $10, $11, $15, $16, $17, $12 from contact
  )`
const created = `${insertContact} select id from contact`
const createdOnce = `${insertContact} select id, store_answers(array[$18], $19, $12, null) from contact`
const storedAnswer = `select encode(fingerprint, 'hex') as fingerprint, answer from idempotency_keys
  where id = decode($1, 'hex') and created_at > now() - interval '24 hours'`

const sha256 = text => hash('sha256', text)
const byName = ([one], [other]) => (one < other ? -1 : 1)
const uniqueViolation = '23505'

/**
 * Adds a contact with its event. With an Idempotency-Key, its answer is stored in the same transaction, and returned to a second request.
 * `{ contact }`, or a `problem`: "taken" for an address that a contact has, "mismatch" for a key that was used with another input.
 */
export async function createContact(key, input, { door, operation, requestId, idempotencyKey }) {
  const { email, first_name = null, last_name = null, phone = null, job_title = null, company_name = null } = input
  const full_name = [first_name, last_name].filter(Boolean).join(' ') || null
  const searched = [full_name, email, phone, company_name].filter(Boolean).join(' ').toLowerCase()
  const now = new Date().toISOString()
  const row = { id: randomUUID(), org_id: key.orgId, email, first_name, last_name, full_name, phone, job_title, company_name }
  const contact = shown({ ...usual, ...row, created_by_id: key.id, created_by_name: key.label, created_at: now, updated_at: now })
  const author = [key.id, key.label, now, searched, randomUUID(), door, operation, requestId]
  const values = [...Object.values(row), ...author]
  if (idempotencyKey === undefined) {
    const [inserted] = await query('create', created, values)
    return inserted ? { contact } : { problem: 'taken' }
  }
  const id = sha256(`org:${key.orgId}\n${operation}\n${idempotencyKey}`)
  // The same whatever the order of the fields.
  const fingerprint = sha256(JSON.stringify(Object.entries(input).sort(byName)))
  try {
    const stored = { id, fingerprint, answer: { result: contact }, operation_id: requestId, key: idempotencyKey }
    const [inserted] = await query('create_once', createdOnce, [...values, id, JSON.stringify([stored])])
    if (inserted) return { contact }
  } catch (error) {
    if (error.code !== uniqueViolation) throw error
  }
  const [before] = await query('stored_answer', storedAnswer, [id])
  if (!before) return { problem: 'taken' }
  return before.fingerprint === fingerprint ? { contact: JSON.parse(before.answer).result } : { problem: 'mismatch' }
}

// The columns of a new contact that nobody has set.
const usual = {
  company_id: null,
  company_domain: null,
  linkedin_url: null,
  city: null,
  region: null,
  country: null,
  timezone: null,
  avatar_url: null,
  lifecycle_stage: 'subscriber',
  source: 'api',
  owner_user_id: null,
  tags: [],
  custom: {},
  do_not_call: false,
  external_id: null,
  last_contacted_at: null,
  emails: [],
  phones: [],
  created_by_type: 'api_key',
  deleted_at: null,
  version: 1,
}
