// GET, PATCH and DELETE /api/crm/v1/contacts/{contact_id}, and POST .../restore

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { conforming } from '../conforming.ts'

const app = await openApp()
const rest = conforming(app)

const path = '/api/crm/v1/contacts'

async function givenContact(fields: Record<string, unknown> = {}) {
  const given = await app.given.apiKey()
  const { body } = await rest('POST', path, { key: given.key, body: { email: 'ada@example.com', first_name: 'Ada', ...fields } })
  return { ...given, contact: body, at: `${path}/${body.id}` }
}

/** Every endpoint of a single contact. */
const ways = [
  ['GET', '', undefined],
  ['PATCH', '', { city: 'Rome' }],
  ['DELETE', '', undefined],
  ['POST', '/restore', undefined],
  ['GET', '/timeline', undefined],
] as const

describe.each(ways)('%s /api/crm/v1/contacts/{contact_id}%s', (method, suffix, body) => {
  test('404: the same for a malformed id, an unknown id and an id of another organization', async () => {
    const { contact } = await givenContact()
    const { key } = await app.given.apiKey()
    const ids = ['nothing', '0199f0e0-0000-7000-8000-000000000000', contact.id, '%00', '%F0%9F%98%80', "'; drop table contacts"]

    for (const id of ids) {
      const answer = await rest(method, `${path}/${id}${suffix}`, { key, body })

      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ code: 'not_found', detail: `No contact ${decodeURIComponent(id)}` })
    }
  })

  test('401 without a credential, 403 with one that lacks the scope', async () => {
    const { at, orgId } = await givenContact()
    const { key } = await app.given.apiKey({ orgId, scopes: ['stats:read'] })

    expect((await rest(method, at + suffix, { body })).status).toBe(401)
    expect((await rest(method, at + suffix, { key, body })).status).toBe(403)
  })
})

describe('GET /api/crm/v1/contacts/{contact_id}', () => {
  test('200: the created contact', async () => {
    const { key, at, contact } = await givenContact()

    const { status, headers, body } = await rest('GET', at, { key })

    expect(status).toBe(200)
    expect(body).toEqual(contact)
    expect(headers.get('etag')).toBe('"1"')
    expect(headers.get('cache-control')).toBe('private, no-cache')
  })

  test('304: If-None-Match has the current ETag', async () => {
    const { key, at } = await givenContact()

    for (const tag of ['"1"', 'W/"1"', '"7", "1"', '*']) {
      const { status, headers, body } = await rest('GET', at, { key, headers: { 'If-None-Match': tag } })

      expect([status, headers.get('etag'), body]).toEqual([304, '"1"', ''])
    }
    expect((await rest('GET', at, { key, headers: { 'If-None-Match': '"2"' } })).status).toBe(200)
  })

  test('200: HEAD is GET without the body', async () => {
    const { key, at } = await givenContact()

    const { status, headers, body } = await rest('HEAD', at, { key })

    expect([status, headers.get('etag'), body]).toEqual([200, '"1"', ''])
    expect(Number(headers.get('content-length'))).toBeGreaterThan(100)
  })

  test('422: an unknown parameter', async () => {
    const { key, at } = await givenContact()

    const { status, body } = await rest('GET', `${at}?expand=all`, { key })

    expect(status).toBe(422)
    expect(body.detail).toEqual([
      { loc: ['query', 'expand'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden', input: 'all', ctx: {} },
    ])
  })
})

describe('PATCH /api/crm/v1/contacts/{contact_id}', () => {
  test('200: absent fields are unchanged, null clears', async () => {
    const { key, at, contact } = await givenContact({ last_name: 'Lovelace', city: 'London', tags: ['a'] })

    const { status, headers, body } = await rest('PATCH', at, {
      key,
      body: { city: null, job_title: 'Analyst', add_tags: ['b'], remove_tags: ['a'] },
    })

    expect(status).toBe(200)
    expect(headers.get('etag')).toBe('"2"')
    expect(body).toEqual({ ...contact, city: null, job_title: 'Analyst', tags: ['b'], version: 2, updated_at: body.updated_at })
  })

  test('200: an update without a change keeps the version', async () => {
    const { key, at, contact } = await givenContact()

    expect((await rest('PATCH', at, { key, body: {} })).body).toEqual(contact)
  })

  test('200 with If-Match for the current version, 412 for another', async () => {
    const { key, at } = await givenContact()

    const right = await rest('PATCH', at, { key, body: { city: 'Rome' }, headers: { 'If-Match': '"1"' } })
    const late = await rest('PATCH', at, { key, body: { city: 'Oslo' }, headers: { 'If-Match': '"1"' } })
    const weak = await rest('PATCH', at, { key, body: { city: 'Bern' }, headers: { 'If-Match': 'W/"2"' } })
    const any = await rest('PATCH', at, { key, body: { city: 'Kyiv' }, headers: { 'If-Match': '*' } })

    expect([right, late, weak, any].map(({ status }) => status)).toEqual([200, 412, 200, 200])
    expect(late.body).toMatchObject({ code: 'precondition_failed', version: 2 })
    expect(any.body).toMatchObject({ city: 'Kyiv', version: 4 })
  })

  test('409: the email of another contact', async () => {
    const { key, at } = await givenContact()
    const other = await rest('POST', path, { key, body: { email: 'grace@example.com' } })

    const { status, body } = await rest('PATCH', at, { key, body: { email: 'GRACE@example.com' } })

    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'already_exists', field: 'email', existing_id: other.body.id })
  })

  test('422: a malformed version is reported together with problems of the body', async () => {
    const { key, at } = await givenContact()

    const { status, body } = await rest('PATCH', at, { key, body: { phone: 5, full: 1 }, headers: { 'If-Match': '3' } })

    expect(status).toBe(422)
    expect(body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [...loc, type])).toEqual([
      ['header', 'If-Match', 'value_error'],
      ['body', 'phone', 'string_type'],
      ['body', 'full', 'extra_forbidden'],
    ])
  })
})

describe('DELETE and restore', () => {
  test('200: a deleted contact is gone until it is restored', async () => {
    const { key, at } = await givenContact()

    const deleted = await rest('DELETE', at, { key })
    const gone = await rest('GET', at, { key })
    const again = await rest('DELETE', at, { key })
    const restored = await rest('POST', `${at}/restore`, { key })
    const back = await rest('GET', at, { key })

    expect([deleted, gone, again, restored, back].map(({ status }) => status)).toEqual([200, 404, 404, 200, 200])
    expect(deleted.body).toMatchObject({ deleted_at: expect.any(String), version: 2 })
    expect(restored.body).toMatchObject({ deleted_at: null, version: 3 })
  })

  test('412: with another version nothing is deleted', async () => {
    const { key, at } = await givenContact()

    expect((await rest('DELETE', at, { key, headers: { 'If-Match': '"9"' } })).status).toBe(412)
    expect((await rest('GET', at, { key })).status).toBe(200)
  })

  test('409: restore fails if another contact has the email now', async () => {
    const { key, at } = await givenContact()
    await rest('DELETE', at, { key })
    const other = await rest('POST', path, { key, body: { email: 'ada@example.com' } })

    const { status, body } = await rest('POST', `${at}/restore`, { key })

    expect([other.status, status]).toEqual([201, 409])
    expect(body.existing_id).toBe(other.body.id)
  })
})

describe('GET /api/crm/v1/contacts/{contact_id}/timeline', () => {
  test('200: actors and changes, newest first, with REST field names', async () => {
    const { key, at, id: keyId } = await givenContact()
    await rest('PATCH', at, { key, body: { job_title: 'Analyst', lifecycle_stage: 'lead' } })

    const { status, body } = await rest('GET', `${at}/timeline`, { key })

    expect(status).toBe(200)
    expect(body).toMatchObject({ has_more: false, next_cursor: null, total: null })
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        type: 'contact.updated',
        actor: { type: 'api_key', id: keyId, name: 'Test key' },
        door: 'rest',
        operation: 'UpdateContact',
        changes: { job_title: [null, 'Analyst'], lifecycle_stage: ['subscriber', 'lead'] },
        created_at: expect.any(String),
      },
      expect.objectContaining({ type: 'contact.created', operation: 'CreateContact' }),
    ])
  })

  test('200: in pages', async () => {
    const { key, at } = await givenContact()
    for (const city of ['Rome', 'Oslo']) await rest('PATCH', at, { key, body: { city } })

    const first = await rest('GET', `${at}/timeline?limit=2`, { key })
    const second = await rest('GET', `${at}/timeline?limit=2&include=total&cursor=${first.body.next_cursor}`, { key })

    expect(first.body.has_more).toBe(true)
    expect([...first.body.data, ...second.body.data].map(({ type }) => type)).toEqual([
      'contact.updated',
      'contact.updated',
      'contact.created',
    ])
    expect([first.body.total, second.body.total]).toEqual([null, 3])
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null })
  })

  test('200: empty when its entries are past their retention', async () => {
    const { key, contact } = await givenContact()
    await query(app.database.url, 'delete from events where contact_id = $1', [contact.id])

    const { status, body } = await rest('GET', `${path}/${contact.id.toUpperCase()}/timeline?include=total`, { key })

    expect({ status, body }).toEqual({ status: 200, body: { data: [], has_more: false, next_cursor: null, total: 0 } })
  })

  test('404: of a deleted contact', async () => {
    const { key, at } = await givenContact()
    await rest('DELETE', at, { key })

    expect((await rest('GET', `${at}/timeline`, { key })).status).toBe(404)
  })
})

test('concurrent requests of several organizations each get their own contact only', async () => {
  const own = await Promise.all([1, 2, 3].map(() => givenContact()))
  const requests = Array.from({ length: 30 }, (_, n) => ({
    of: own[n % 3] as (typeof own)[number],
    by: own[Math.floor(n / 3) % 3] as (typeof own)[number],
  }))

  const answers = await Promise.all(requests.map(({ of, by }) => rest('GET', of.at, { key: by.key })))

  for (const [n, { status, body }] of answers.entries()) {
    const { of, by } = requests[n] as (typeof requests)[number]
    expect([status, body.id]).toEqual(of === by ? [200, of.contact.id] : [404, undefined])
  }
})
