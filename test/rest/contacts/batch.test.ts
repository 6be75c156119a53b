// POST /api/crm/v1/contacts/batch

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { conforming } from '../conforming.ts'

const app = await openApp()
const rest = conforming(app)

const path = '/api/crm/v1/contacts/batch'
const list = '/api/crm/v1/contacts?include=total'

describe('POST /api/crm/v1/contacts/batch', () => {
  test('200: an invalid row fails alone, with REST field names in its error', async () => {
    const { key } = await app.given.apiKey()
    const before = await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'taken@example.com' } })

    const { status, body } = await rest('POST', path, {
      key,
      body: {
        contacts: [
          { email: 'new@example.com', first_name: 'New', tags: ['x'] },
          { email: 'not an address', company_domain: 'no domain' },
          { email: 'taken@example.com' },
          { email: 'NEW@example.com' },
        ],
      },
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({ succeeded: 1, failed: 3 })
    expect(body.results[0]).toEqual({ index: 0, outcome: 'created', id: expect.any(String), error: null })
    expect(body.results[1]).toMatchObject({ index: 1, outcome: 'failed', id: null, error: { code: 'invalid' } })
    expect(body.results[1].error.problems.map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['body', 'contacts', '1', 'email'],
      ['body', 'contacts', '1', 'company_domain'],
    ])
    expect(body.results[2]).toMatchObject({ outcome: 'failed', id: before.body.id, error: { code: 'already_exists', problems: [] } })
    expect(body.results[3]).toMatchObject({ outcome: 'failed', id: body.results[0].id, error: { code: 'already_exists' } })
    expect((await rest('GET', `/api/crm/v1/contacts/${body.results[0].id}`, { key })).body).toMatchObject({
      first_name: 'New',
      tags: ['x'],
    })
  })

  test('200 with on_conflict: contacts with an existing email are updated or skipped', async () => {
    const { key } = await app.given.apiKey()
    const contacts = [{ email: 'a@example.com', first_name: 'A' }]
    await rest('POST', path, { key, body: { contacts } })

    const updated = await rest('POST', path, {
      key,
      body: { contacts: [{ email: 'a@example.com', first_name: 'B' }], on_conflict: 'update' },
    })
    const skipped = await rest('POST', path, { key, body: { contacts, on_conflict: 'skip' } })

    expect([updated, skipped].map(({ body }) => body.results[0].outcome)).toEqual(['updated', 'skipped'])
  })

  test('422 or 409 with atomic: one invalid row rolls back all', async () => {
    const { key } = await app.given.apiKey()
    await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'taken@example.com' } })
    const good = { email: 'good@example.com' }

    const invalid = await rest('POST', path, { key, body: { atomic: true, contacts: [good, { email: 'bad', country: 'Atlantis' }] } })
    const taken = await rest('POST', path, { key, body: { atomic: true, contacts: [good, { email: 'taken@example.com' }] } })

    expect([invalid.status, taken.status]).toEqual([422, 409])
    expect(invalid.body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['body', 'contacts', '1', 'email'],
      ['body', 'contacts', '1', 'country'],
    ])
    expect(taken.body).toMatchObject({ code: 'already_exists', index: 1, field: 'email' })
    expect((await rest('GET', list, { key })).body.total).toBe(1)
  })

  test('422: the other rows are validated completely if one row has the wrong type', async () => {
    const { key } = await app.given.apiKey()
    const contacts = [{ email: 'nobody' }, { email: 5, city: 'Rome' }, { email: 'a@example.com', custom: { size: 1 }, country: 'Atlantis' }]

    const { status, body } = await rest('POST', path, { key, body: { contacts } })

    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc.slice(2).join('.')).toSorted()).toEqual([
      '0.email',
      '1.email',
      '2.country',
      '2.custom.size',
    ])
  })

  test('the error of a row has REST field names', async () => {
    const { key } = await app.given.apiKey()

    const { body } = await rest('POST', path, { key, body: { contacts: [{ email: 'a@example.com', owner_user_id: 'stranger' }] } })

    expect(body.results[0].error.detail).toBe('owner_user_id: Value error, no member of the organization has this id')
  })

  test('409 with atomic: two rows with the same email: the error has no existing_id', async () => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('POST', path, {
      key,
      body: { atomic: true, contacts: [{ email: 'a@example.com' }, { email: 'A@example.com' }] },
    })

    expect([status, body.detail, body.existing_id]).toEqual([409, 'Row 1: row 0 has the same email', null])
  })

  test('200: a hundred rows', async () => {
    const { key } = await app.given.apiKey()
    const contacts = Array.from({ length: 100 }, (_, n) => ({ email: `n${n}@example.com` }))

    const { body } = await rest('POST', path, { key, body: { contacts } })

    expect(body).toMatchObject({ succeeded: 100, failed: 0 })
    expect((await rest('GET', list, { key })).body.total).toBe(100)
  })

  test.each([
    [
      'no rows',
      { contacts: [] },
      { loc: ['body', 'contacts'], type: 'too_short', ctx: { field_type: 'List', min_length: 1, actual_length: 0 } },
    ],
    [
      '101 rows',
      { contacts: Array(101).fill({ email: 'a@example.com' }) },
      { loc: ['body', 'contacts'], type: 'too_long', ctx: { field_type: 'List', max_length: 100, actual_length: 101 } },
    ],
    ['rows that are none', { contacts: [5] }, { loc: ['body', 'contacts', '0'], type: 'dict_type', input: 5 }],
    [
      'a row without email',
      { contacts: [{ city: 'Rome' }] },
      { loc: ['body', 'contacts', '0', 'email'], type: 'missing', input: { city: 'Rome' } },
    ],
    [
      'an unknown field',
      { contacts: [{ email: 'a@example.com', mail: 'b' }] },
      { loc: ['body', 'contacts', '0', 'mail'], type: 'extra_forbidden' },
    ],
    ['a list instead of an object', [{ email: 'a@example.com' }], { loc: ['body'], type: 'model_attributes_type' }],
    ['no contacts', {}, { loc: ['body', 'contacts'], type: 'missing' }],
  ])('422: %s', async (_what, body, problem) => {
    const { key } = await app.given.apiKey()

    const answer = await rest('POST', path, { key, body })

    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ detail: [problem] })
  })
})
