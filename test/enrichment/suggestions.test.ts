// Suggestions: created by jobs and calls, accepted, rejected, expired.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { expireSuggestions } from '../../src/enrichment/suggestions/expiry.ts'
import { conforming } from '../rest/conforming.ts'
import type { Json } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { enriched, givenContact, suggestionsOf } from './outcome.ts'
import { lookup, startEnriching, startSource } from './source.ts'

const source = await keepOpen(startSource())
const auto = { name: 'auto', auto_apply: { min_confidence: 0.8, fields: ['job_title', 'city', 'email'] } }
const app = await keepOpen(startEnriching([lookup(source.url), lookup(source.url, auto)]))
const rest = conforming(app)

const contacts = '/api/crm/v1/contacts'
const suggestions = '/api/enrich/v1/suggestions'
const about = (id: string, recipe = 'lookup') => ({ target: { host_app: 'rolocom', id, kind: 'contact' }, recipe })
let count = 0
const address = () => `person-${++count}@example.com`

/** A contact with what the source says of it, as suggestions. */
async function given(said: Json, fields: Json = {}, recipe?: string) {
  const owner = await app.given.apiKey()
  const contact = await givenContact(app, owner.key, { email: address(), ...fields })
  source.says('/lookup', { sure: 0.9, source: 'https://example.com/people', ...said })
  const job = await enriched(app, owner.key, about(contact.id, recipe))
  return { ...owner, contact, job, made: await suggestionsOf(app, owner.key, job.job_id) }
}
const read = async (key: string, id: string) => (await rest('GET', `${contacts}/${id}`, { key })).body

test('groupSuggestions counts suggestions by their fields, with the average confidence', async () => {
  const { key } = await given({ job: 'Analyst', city: 'London' })
  await given({ job: 'Clerk' })

  const query = '{ groupSuggestions(by: [{ field: FIELD }, { field: STATUS }]) { groups { keys count average } } }'
  const { body } = await app.graphql(query, {}, { key })

  expect(body.data.groupSuggestions.groups).toEqual([
    { keys: ['city', 'PENDING'], count: 1, average: 0.9 },
    { keys: ['jobTitle', 'PENDING'], count: 1, average: 0.9 },
  ])
})

describe('a job', () => {
  test('suggests new values, and none that the contact has already', async () => {
    const { made, contact, job } = await given(
      { job: 'Analyst', city: 'LONDON', phone: 'not a number' },
      { city: 'London', job_title: 'Clerk' },
    )

    expect(Object.keys(made)).toEqual(['job_title'])
    expect(made.job_title).toEqual({
      id: expect.any(String),
      job_id: job.job_id,
      call_id: null,
      target: { host_app: 'rolocom', id: contact.id, kind: 'contact' },
      field: 'job_title',
      value_type: 'text',
      current_value: 'Clerk',
      proposed_value: 'Analyst',
      confidence: 0.9,
      verification: 'unverified',
      provider: 'http',
      source_url: 'https://example.com/people',
      evidence: 'job: Analyst',
      recipe_step: 'lookup',
      observed_at: expect.any(String),
      status: 'pending',
      decided_by: null,
      decided_at: null,
      reason: null,
      expires_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  test('supersedes pending proposals for the same field, also of another recipe and under another id of the contact', async () => {
    const { key, made, contact } = await given({ job: 'Analyst' }, { external_id: 'ext-1' })
    source.says('/lookup', { sure: 0.7, job: 'Engineer' })

    const target = { host_app: 'hubspot', id: 'ext-1', kind: 'contact' }
    const newer = await suggestionsOf(app, key, (await enriched(app, key, { target, recipe: 'auto' })).job_id)

    expect((await rest('GET', `${suggestions}/${made.job_title.id}`, { key })).body.status).toBe('superseded')
    expect(newer.job_title.status).toBe('pending')
    const list = await rest('GET', `${suggestions}?contact_id=${contact.id}&status=pending&field=job_title&min_confidence=0.7`, { key })
    expect(list.body.data.map(({ id }: Json) => id)).toEqual([newer.job_title.id])
    const about = await rest('GET', `${suggestions}?target=ext-1`, { key })
    expect(about.body.data.map(({ job_id }: Json) => job_id)).toEqual([newer.job_title.job_id])
  })

  test('applies values that its recipe allows: into empty fields, sure enough, and not against a person', async () => {
    const { key, contact, made } = await given({ job: 'Analyst', city: 'Rome', company: 'Engines' }, { city: 'London' }, 'auto')

    expect(Object.fromEntries(Object.values(made).map(({ field, status }) => [field, status]))).toEqual({
      job_title: 'auto_applied',
      city: 'pending',
      company_name: 'pending',
    })
    expect(made.job_title.decided_by).toEqual({ type: 'system', id: null, name: 'enrichment' })
    expect(await read(key, contact.id)).toMatchObject({ job_title: 'Analyst', city: 'London', company_name: null })
  })

  test('does not fill a field that a person has cleared; fieldMeta has it as locked', async () => {
    const { session, orgId } = await app.given.session()
    const { key } = await app.given.apiKey({ orgId })
    const contact = await givenContact(app, key, { email: address(), job_title: 'Clerk', city: 'Rome' })
    await rest('PATCH', `${contacts}/${contact.id}`, { session, body: { job_title: null } })
    source.says('/lookup', { sure: 0.95, job: 'Analyst' })

    const job = await enriched(app, key, about(contact.id, 'auto'))

    expect((await suggestionsOf(app, key, job.job_id)).job_title.status).toBe('pending')
    const query = '{ contact(id: "ID") { fieldMeta(fields: ["jobTitle", "city"]) { field locked setBy { type } suggestion { id } } } }'
    const { body } = await app.graphql(query.replace('ID', contact.id), {}, { key })
    expect(body.data.contact.fieldMeta).toEqual([
      { field: 'jobTitle', locked: true, setBy: { type: 'USER' }, suggestion: null },
      { field: 'city', locked: false, setBy: { type: 'API_KEY' }, suggestion: null },
    ])
  })

  test('an email that another contact has stays a suggestion', async () => {
    const owner = await app.given.apiKey()
    const taken = await givenContact(app, owner.key, { email: address() })
    const { body } = await app.graphql('mutation { createContact(input: { externalId: "no-mail" }) { id } }', {}, { key: owner.key })
    source.says('/lookup', { sure: 0.9, email: taken.email, job: 'Analyst' })

    const job = await enriched(app, owner.key, about(body.data.createContact.id, 'auto'))
    const made = await suggestionsOf(app, owner.key, job.job_id)

    expect([made.email.status, made.job_title.status]).toEqual(['pending', 'auto_applied'])
    const answer = await rest('POST', `${suggestions}/${made.email.id}/accept`, { key: owner.key })
    expect([answer.status, answer.body.code, answer.body.existing_id]).toEqual([409, 'already_exists', taken.id])
  })
})

describe('POST /api/enrich/v1/suggestions/{id}/accept', () => {
  test('200: the value is written; the timeline and fieldMeta have the actor and the source', async () => {
    const { key, id: keyId, contact, made } = await given({ job: 'Analyst' })

    const { status, body } = await rest('POST', `${suggestions}/${made.job_title.id}/accept`, { key })

    expect([status, body.status, body.decided_by.id]).toEqual([200, 'accepted', keyId])
    expect(await read(key, contact.id)).toMatchObject({ job_title: 'Analyst', version: 2 })
    const { body: timeline } = await rest('GET', `${contacts}/${contact.id}/timeline`, { key })
    expect(timeline.data.slice(0, 2).map(({ type }: Json) => type)).toEqual(['suggestion.accepted', 'contact.updated'])
    const query = '{ contact(id: "ID") { fieldMeta(fields: ["jobTitle"]) { locked suggestion { id provider confidence } } } }'
    const meta = await app.graphql(query.replace('ID', contact.id), {}, { key })
    expect(meta.body.data.contact.fieldMeta).toEqual([
      { locked: false, suggestion: { id: made.job_title.id, provider: 'http', confidence: 0.9 } },
    ])
  })

  test('200 for each of 20 concurrent requests, and the contact changes once', async () => {
    const { key, contact, made } = await given({ job: 'Analyst' })

    const answers = await Promise.all(Array.from({ length: 20 }, () => rest('POST', `${suggestions}/${made.job_title.id}/accept`, { key })))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await read(key, contact.id)).version).toBe(2)
  })

  test('409 suggestion_stale: the value has changed meanwhile; the contact stays as it is', async () => {
    const { key, contact, made } = await given({ job: 'Analyst' }, { job_title: 'Clerk' })
    await rest('PATCH', `${contacts}/${contact.id}`, { key, body: { job_title: 'Chief' } })

    const { status, body } = await rest('POST', `${suggestions}/${made.job_title.id}/accept`, { key })

    expect([status, body.code, body.field, body.current_value]).toEqual([409, 'suggestion_stale', 'job_title', 'Chief'])
    expect((await read(key, contact.id)).job_title).toBe('Chief')
    expect((await rest('GET', `${suggestions}/${made.job_title.id}`, { key })).body.status).toBe('pending')
  })

  test('a concurrent change of the field is never lost', async () => {
    for (let round = 0; round < 10; round++) {
      const { key, contact, made } = await given({ job: 'Analyst' })

      const [patched, accepted] = await Promise.all([
        rest('PATCH', `${contacts}/${contact.id}`, { key, body: { job_title: 'Chief' } }),
        rest('POST', `${suggestions}/${made.job_title.id}/accept`, { key }),
      ])

      expect(patched.status).toBe(200)
      expect([200, 409]).toContain(accepted.status)
      // The patch wins: an acceptance after it would have been stale.
      expect((await read(key, contact.id)).job_title).toBe('Chief')
    }
  })

  test('409 target_not_found: no contact is the target; a contact created later is', async () => {
    const { key } = await app.given.apiKey()
    source.says('/lookup', { sure: 0.9, job: 'Analyst' })
    const target = { host_app: 'hubspot', id: 'later', kind: 'contact' }
    const made = await suggestionsOf(app, key, (await enriched(app, key, { target, recipe: 'lookup' })).job_id)

    const early = await rest('POST', `${suggestions}/${made.job_title.id}/accept`, { key })
    const contact = await givenContact(app, key, { email: address(), external_id: 'later' })
    const late = await rest('POST', `${suggestions}/${made.job_title.id}/accept`, { key })

    expect([early.status, early.body.code, late.status]).toEqual([409, 'target_not_found', 200])
    expect((await read(key, contact.id)).job_title).toBe('Analyst')
  })

  test('409 target_not_found: projects have no records here; the message says what to do, and rejecting works', async () => {
    const { key } = await app.given.apiKey()
    // A contact with the same id is not the project.
    await givenContact(app, key, { email: address(), external_id: 'acme' })
    source.says('/lookup', { sure: 0.9, city: 'Rome' })
    const target = { host_app: 'hubspot', id: 'acme', kind: 'project' }
    const { city } = await suggestionsOf(app, key, (await enriched(app, key, { target, recipe: 'lookup' })).job_id)

    const accepted = await rest('POST', `${suggestions}/${city.id}/accept`, { key })
    const bulk = await rest('POST', `${suggestions}/bulk`, { key, body: { decision: 'accept', rule: { target_kind: 'project' } } })
    const rejected = await rest('POST', `${suggestions}/${city.id}/reject`, { key, body: { reason: 'taken over in HubSpot' } })

    expect([accepted.status, accepted.body.code, accepted.body.detail]).toEqual([
      409,
      'target_not_found',
      'There are no records of kind project here to change: take the value over where they are kept, or reject the suggestion',
    ])
    expect(bulk.body.results[0].error.code).toBe('target_not_found')
    expect([rejected.status, rejected.body.status]).toEqual([200, 'rejected'])
  })

  test('403, 404: a read-only key, a guest, another organization', async () => {
    const { key, orgId, made } = await given({ job: 'Analyst' })
    const reader = await app.given.apiKey({ orgId, scopes: ['enrich:read'] })
    const stranger = await app.given.apiKey()
    const at = `${suggestions}/${made.job_title.id}`

    expect((await rest('POST', `${at}/accept`, { key: reader.key })).body.code).toBe('forbidden')
    expect((await rest('POST', `${at}/accept`, { headers: { 'x-guest-id': 'g' } })).body.code).toBe('guest_read_only')
    expect((await rest('POST', `${at}/accept`, { key: stranger.key })).status).toBe(404)
    expect((await rest('GET', at, { key: stranger.key })).status).toBe(404)
    expect((await rest('GET', at, { key })).body.status).toBe('pending')
  })
})

describe('POST /api/enrich/v1/suggestions/{id}/reject', () => {
  test('200 with a reason or without a body; 409 for a decided one', async () => {
    const { key, contact, made } = await given({ job: 'Analyst', city: 'Rome' })

    const rejected = await rest('POST', `${suggestions}/${made.job_title.id}/reject`, { key, body: { reason: ' wrong person ' } })
    const bare = await rest('POST', `${suggestions}/${made.city.id}/reject`, { key })
    const after = await rest('POST', `${suggestions}/${made.job_title.id}/accept`, { key })

    expect([rejected.status, rejected.body.status, rejected.body.reason]).toEqual([200, 'rejected', 'wrong person'])
    expect([bare.status, bare.body.status, bare.body.reason]).toEqual([200, 'rejected', null])
    expect([after.status, after.body.code]).toEqual([409, 'conflict'])
    expect(await read(key, contact.id)).toMatchObject({ job_title: null, city: null, version: 1 })
  })
})

describe('POST /api/enrich/v1/suggestions/bulk', () => {
  test('decides each matching suggestion on its own; values that a person set are left to a person', async () => {
    const { key, orgId, userId, contact, made } = await given({ job: 'Analyst', city: 'Rome', company: 'Engines' })
    const { session } = await app.given.session({ userId })
    await rest('PATCH', `${contacts}/${contact.id}`, { key, body: { city: 'Paris' } })
    await rest('PATCH', `${contacts}/${contact.id}`, { session, body: { company_name: 'Own' }, headers: { 'x-org-id': orgId } })
    await rest('PATCH', `${contacts}/${contact.id}`, { session, body: { company_name: null }, headers: { 'x-org-id': orgId } })

    const { status, body } = await rest('POST', `${suggestions}/bulk`, {
      key,
      body: { decision: 'accept', rule: { min_confidence: 0.9, contact_id: contact.id } },
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({ succeeded: 1, failed: 2, has_more: false })
    const codeOf = Object.fromEntries(body.results.map(({ id, error }: Json) => [id, error?.code ?? null]))
    expect(codeOf).toEqual({ [made.job_title.id]: null, [made.city.id]: 'suggestion_stale', [made.company_name.id]: 'conflict' })
    const person = await rest('POST', `${suggestions}/bulk`, {
      session,
      headers: { 'x-org-id': orgId },
      body: { decision: 'accept', rule: { ids: [made.company_name.id] } },
    })
    expect(person.body).toMatchObject({ succeeded: 1, failed: 0 })
    const rest2 = await rest('POST', `${suggestions}/bulk`, { key, body: { decision: 'reject', rule: { contact_id: contact.id } } })
    expect(rest2.body).toMatchObject({ succeeded: 1, failed: 0 })
  })

  test('failed rows do not block: the next call continues after the last one', async () => {
    const { key, orgId } = await app.given.apiKey()
    const contact = await givenContact(app, key, { email: address(), external_id: 'behind' })
    // A full call of suggestions about companies, which have no records here; then one that can be accepted.
    const row = (index: number, target: Json, created: number) => ({
      ...{ id: uuid(), orgId, hostApp: 'hubspot', targetKind: 'company', targetId: String(index), field: 'city', valueType: 'text' },
      ...{ proposedValue: 'Rome', confidence: 0.9, verification: 'probable', provider: 'http', observedAt: new Date() },
      ...{ expiresAt: new Date(Date.now() + 86_400_000), createdAt: new Date(Date.now() - created) },
      ...target,
    })
    const rows = [
      ...Array.from({ length: 200 }, (_, index) => row(index, {}, 10_000 - index)),
      row(200, { targetKind: 'contact', targetId: 'behind' }, 0),
    ]
    await app.services.database.prisma.suggestion.createMany({ data: rows })
    const decide = (further: Json) =>
      rest('POST', `${suggestions}/bulk`, { key, body: { decision: 'accept', rule: { field: 'city' }, ...further } })

    const { body: first } = await decide({})
    const { body: second } = await decide({ after: first.results.at(-1).id })

    expect(first).toMatchObject({ succeeded: 0, failed: 200, has_more: true })
    expect(second).toMatchObject({ succeeded: 1, failed: 0, has_more: false })
    expect((await read(key, contact.id)).city).toBe('Rome')
    const unknown = await decide({ after: uuid() })
    expect([unknown.status, unknown.body.detail[0].loc]).toEqual([422, ['body', 'after']])
  })

  test('422: an empty rule', async () => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('POST', `${suggestions}/bulk`, { key, body: { decision: 'accept', rule: {} } })

    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'rule']])
  })
})

describe('pending suggestions', () => {
  test('expire, and can no longer be accepted', async () => {
    const { key, made } = await given({ job: 'Analyst', city: 'Rome' })
    const month = 31 * 86_400_000
    app.setNow(new Date(Date.now() + month))
    try {
      const early = await rest('POST', `${suggestions}/${made.city.id}/accept`, { key })
      await expireSuggestions(app.services)

      expect([early.status, early.body.status]).toEqual([409, 409])
      expect((await rest('GET', `${suggestions}/${made.job_title.id}`, { key })).body.status).toBe('expired')
    } finally {
      app.setNow(null)
    }
  })
})

describe('stats', () => {
  test('count jobs and suggestions as they are written', async () => {
    const { key, made } = await given({ job: 'Analyst', city: 'Rome', company: 'Engines' })
    await rest('POST', `${suggestions}/${made.job_title.id}/accept`, { key })
    await rest('POST', `${suggestions}/${made.city.id}/reject`, { key })

    const { body } = await rest('GET', '/api/crm/v1/stats', { key })

    expect(body.enrichment).toEqual({
      jobs_by_status: { queued: 0, running: 0, completed: 1, failed: 0, canceled: 0, insufficient_credits: 0 },
      suggestions_pending: 1,
      accept_rate: 0.5,
    })
  })
})
