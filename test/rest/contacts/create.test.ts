// POST /api/crm/v1/contacts

import { describe, expect, test } from 'vitest'
import { contactFieldTable } from '../../../src/contacts/contact/row.ts'
import { emptyOf } from '../../../src/kernel/fields/table.ts'
import { snakeCase } from '../../../src/kernel/input/case.ts'
import { type Answer, openApp } from '../../support/app.ts'
import { conforming } from '../conforming.ts'

const app = await openApp()
const rest = conforming(app)

const path = '/api/crm/v1/contacts'
/** The fields of a contact that was given none. */
const empty = Object.fromEntries(Object.entries(emptyOf(contactFieldTable)).map(([field, value]) => [snakeCase(field), value]))

describe('POST /api/crm/v1/contacts', () => {
  test('201: the contact, its Location and its version', async () => {
    const { key, orgId, id: keyId } = await app.given.apiKey()

    const { status, headers, body } = await rest('POST', path, {
      key,
      body: { email: ' Ada@Example.com ', first_name: 'Ada', last_name: 'Lovelace', phone: '+44 20 7946 0958', tags: ['vip', 'vip'] },
    })

    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${path}/${body.id}`)
    expect(headers.get('etag')).toBe('"1"')
    expect(body).toEqual({
      ...empty,
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      org_id: orgId,
      email: 'Ada@Example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      full_name: 'Ada Lovelace',
      phone: '+442079460958',
      phone_callable: true,
      emails: [{ value: 'Ada@Example.com', label: null, is_primary: true, verification: 'unverified' }],
      phones: [{ value: '+442079460958', label: null, is_primary: true, verification: 'unverified' }],
      lifecycle_stage: 'subscriber',
      source: 'api',
      tags: ['vip'],
      created_by: { type: 'api_key', id: keyId, name: 'Test key' },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      deleted_at: null,
      version: 1,
    })
  })

  test('201: every field can be set, and null equals an absent field', async () => {
    const { key, userId } = await app.given.apiKey()
    const given = {
      email: 'full@example.com',
      first_name: 'F',
      last_name: null,
      full_name: 'Somebody Else',
      phone: null,
      job_title: 'Analyst',
      company_name: 'Engines',
      company_domain: 'engines.example',
      linkedin_url: 'https://www.linkedin.com/in/ada',
      city: 'London',
      region: 'England',
      country: 'GB',
      timezone: 'Europe/London',
      avatar_url: 'https://example.com/a.png',
      lifecycle_stage: 'lead',
      source: 'import',
      owner_user_id: userId,
      tags: ['a', 'b'],
      do_not_call: true,
      external_id: 'x-1',
      last_contacted_at: '2026-01-02T03:04:05.678+01:00',
    }

    const { status, body } = await rest('POST', path, { key, body: given })

    expect(status).toBe(201)
    expect(body).toMatchObject({ ...given, last_contacted_at: '2026-01-02T02:04:05.678Z' })
  })

  test('200 with on_conflict: an existing contact is updated or left alone, and 201 when there is none', async () => {
    const { key } = await app.given.apiKey()
    const email = 'twice@example.com'

    const first = await rest('POST', `${path}?on_conflict=update`, { key, body: { email, first_name: 'One', city: 'Rome' } })
    const updated = await rest('POST', `${path}?on_conflict=update`, { key, body: { email, first_name: 'Two' } })
    const skipped = await rest('POST', `${path}?on_conflict=skip`, { key, body: { email, first_name: 'Three' } })

    expect([first.status, updated.status, skipped.status]).toEqual([201, 200, 200])
    expect(first.headers.get('location')).toBe(`${path}/${first.body.id}`)
    expect(updated.headers.get('location')).toBeNull()
    expect(updated.body).toMatchObject({ id: first.body.id, first_name: 'Two', city: 'Rome', version: 2 })
    expect(skipped.body).toEqual(updated.body)
  })

  test('409: an existing email, case-insensitive: the error has the field and the id of the contact', async () => {
    const { key } = await app.given.apiKey()
    const first = await rest('POST', path, { key, body: { email: 'taken@example.com' } })

    const { status, body } = await rest('POST', path, { key, body: { email: 'TAKEN@example.com' } })

    expect(status).toBe(409)
    expect(body).toEqual({
      type: '/docs/errors#already_exists',
      title: 'Already exists',
      status: 409,
      detail: expect.any(String),
      code: 'already_exists',
      request_id: expect.any(String),
      field: 'email',
      existing_id: first.body.id,
    })
  })

  test('201: the same email in another organization is another contact', async () => {
    const [one, other] = [await app.given.apiKey(), await app.given.apiKey()]
    await rest('POST', path, { key: one.key, body: { email: 'shared@example.com' } })

    const { status } = await rest('POST', path, { key: other.key, body: { email: 'shared@example.com' } })

    expect(status).toBe(201)
  })

  test('403: a key that may only read', async () => {
    const { key } = await app.given.apiKey({ scopes: ['contacts:read'] })

    const { status, body } = await rest('POST', path, { key, body: { email: 'a@example.com' } })

    expect(status).toBe(403)
    expect(body.code).toBe('forbidden')
  })

  test("422: problems of the organization's custom fields are reported with the others", async () => {
    const { key } = await app.given.apiKey()
    const body = { email: 'nobody', shoe: 1, custom: { size: 1 }, owner_user_id: 'stranger' }

    const alone = await rest('POST', `${path}?on_conflict=never`, { key, body: { email: 'a@example.com', custom: { size: 1 } } })
    const together = await rest('POST', path, { key, body })

    const places = ({ body: { detail } }: Answer) => detail.map(({ loc }: { loc: string[] }) => loc.join('.'))
    expect(places(alone)).toEqual(['query.on_conflict', 'body.custom.size'])
    expect(places(together).toSorted()).toEqual(['body.custom.size', 'body.email', 'body.owner_user_id', 'body.shoe'])
  })

  test('422: all problems are reported at once, in the format of Pydantic', async () => {
    const { key } = await app.given.apiKey()
    const body = { email: 'nobody', first_name: 5, lifecycle_stage: 'cold', tags: ['ok', 7], custom: [], do_not_call: 'no', nickname: 'x' }

    const answer = await rest('POST', `${path}?dry=1`, { key, body, headers: { 'Idempotency-Key': 'not visible' } })

    const stages = "'subscriber', 'lead', 'qualified', 'opportunity', 'customer', 'evangelist' or 'other'"
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toEqual(
      expect.arrayContaining([
        {
          loc: ['header', 'Idempotency-Key'],
          msg: expect.any(String),
          type: 'string_pattern_mismatch',
          input: 'not visible',
          ctx: expect.any(Object),
        },
        {
          loc: ['query', 'dry'],
          msg: 'Extra inputs are not permitted; this endpoint takes on_conflict',
          type: 'extra_forbidden',
          input: '1',
          ctx: {},
        },
        {
          loc: ['body', 'email'],
          msg: 'Value error, it is not a valid email address',
          type: 'value_error',
          input: 'nobody',
          ctx: { error: 'it is not a valid email address' },
        },
        { loc: ['body', 'first_name'], msg: 'Input should be a valid string', type: 'string_type', input: 5, ctx: {} },
        { loc: ['body', 'lifecycle_stage'], msg: `Input should be ${stages}`, type: 'enum', input: 'cold', ctx: { expected: stages } },
        { loc: ['body', 'tags', '1'], msg: 'Input should be a valid string', type: 'string_type', input: 7, ctx: {} },
        { loc: ['body', 'custom'], msg: 'Input should be a valid dictionary', type: 'dict_type', input: [], ctx: {} },
        { loc: ['body', 'do_not_call'], msg: 'Input should be a valid boolean', type: 'bool_type', input: 'no', ctx: {} },
        { loc: ['body', 'nickname'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden', input: 'x', ctx: {} },
      ]),
    )
    expect(answer.body.detail).toHaveLength(9)
  })

  test("422: problems of the schema do not hide the rules' problems", async () => {
    const { key } = await app.given.apiKey()
    const wrong = { country: 'Germany', timezone: 'Mars', phone: 'abc', linkedin_url: 'javascript:alert(1)', tags: ['x'.repeat(65)] }
    const body = { email: 'a..b@example.com', do_not_call: 'yes', last_contacted_at: '2026-01-01T00:00:00Z', ...wrong }

    const created = await rest('POST', path, { key, body })
    const upserted = await rest('PUT', `${path}?match=email`, {
      key,
      body: { ...wrong, email: 'fine@example.com' },
      headers: { 'Idempotency-Key': ' ' },
    })

    const places = ({ detail }: { detail: { loc: string[] }[] }) => detail.map(({ loc }) => loc.join('.')).toSorted()
    const fields = ['body.country', 'body.linkedin_url', 'body.phone', 'body.tags.0', 'body.timezone']
    expect([created.status, places(created.body)]).toEqual([422, ['body.do_not_call', 'body.email', ...fields].toSorted()])
    expect([upserted.status, places(upserted.body)]).toEqual([422, [...fields, 'header.Idempotency-Key'].toSorted()])
    expect(created.body.detail.find(({ loc }: { loc: string[] }) => loc[1] === 'linkedin_url')).toMatchObject({
      type: 'url_scheme',
      input: 'javascript:alert(1)',
    })
  })

  test("422: a rule's problems have REST field names", async () => {
    const { key } = await app.given.apiKey()
    const body = {
      email: 'a..b@example.com',
      company_domain: 'not a domain',
      owner_user_id: 'stranger',
      custom: { planType: 1 },
      tags: ['x'.repeat(65)],
    }

    const answer = await rest('POST', path, { key, body })

    expect(answer.status).toBe(422)
    expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).toSorted()).toEqual([
      'body.company_domain',
      'body.custom.planType',
      'body.email',
      'body.owner_user_id',
      'body.tags.0',
    ])
  })

  test('422: email is required and must not be null', async () => {
    const { key } = await app.given.apiKey()

    const absent = await rest('POST', path, { key, body: { first_name: 'Ada' } })
    const cleared = await rest('POST', path, { key, body: { email: null } })

    expect(absent.body).toEqual({
      detail: [{ loc: ['body', 'email'], msg: 'Field required', type: 'missing', input: { first_name: 'Ada' }, ctx: {} }],
    })
    expect(cleared.body).toEqual({
      detail: [{ loc: ['body', 'email'], msg: 'Input should be a valid string', type: 'string_type', input: null, ctx: {} }],
    })
  })

  test.each([
    'id',
    'org_id',
    'created_at',
    'updated_at',
    'deleted_at',
    'version',
    'created_by',
    'search_text',
  ])('422: %s is not for callers to set', async field => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('POST', path, { key, body: { email: 'a@example.com', [field]: 'x' } })

    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body', field], type: 'extra_forbidden' }])
  })
})
