// GET /api/crm/v1/contacts

import { describe, expect, test, vi } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { conforming } from '../conforming.ts'

const app = await openApp()
const rest = conforming(app)

const path = '/api/crm/v1/contacts'
const emails = (answer: { body: Json }) => answer.body.data.map(({ email }: Json) => email)

async function givenContacts(...contacts: Record<string, unknown>[]) {
  const given = await app.given.apiKey()
  for (const body of contacts) expect((await rest('POST', path, { key: given.key, body })).status).toBe(201)
  return given
}

describe('GET /api/crm/v1/contacts', () => {
  test('200: an empty list', async () => {
    const { key } = await app.given.apiKey()

    expect((await rest('GET', path, { key })).body).toEqual({ data: [], has_more: false, next_cursor: null, total: null })
  })

  test('200: pages by cursor, newest first, with the total if it is requested', async () => {
    const { key } = await givenContacts(...[1, 2, 3, 4, 5].map(n => ({ email: `n${n}@example.com` })))

    const first = await rest('GET', `${path}?limit=2&include=total`, { key })
    const second = await rest('GET', `${path}?limit=2&cursor=${first.body.next_cursor}`, { key })
    const third = await rest('GET', `${path}?limit=2&cursor=${second.body.next_cursor}`, { key })

    expect([first, second, third].flatMap(emails)).toEqual([5, 4, 3, 2, 1].map(n => `n${n}@example.com`))
    expect([first, second, third].map(({ body }) => body.has_more)).toEqual([true, true, false])
    expect([first, second, third].map(({ body }) => body.total)).toEqual([5, null, null])
    expect(third.body.next_cursor).toBeNull()
  })

  test('200: the list costs one statement, its credential none', async () => {
    const { key } = await givenContacts({ email: 'one@example.com' }, { email: 'two@example.com' })

    // The notification of the two creates may not have been sent yet.
    await vi.waitFor(async () => {
      app.statements()
      await rest('GET', `${path}?limit=2`, { key })
      expect(app.statements()).toBe(1)
    }, 20_000)
  })

  test.each([
    ['sort=email', ['a@example.com', 'b@example.com', 'c@example.com']],
    ['sort=created_at', ['c@example.com', 'a@example.com', 'b@example.com']],
    ['sort=-created_at', ['b@example.com', 'a@example.com', 'c@example.com']],
    ['sort=-updated_at', ['b@example.com', 'a@example.com', 'c@example.com']],
    ['sort=last_name', ['b@example.com', 'a@example.com', 'c@example.com']],
    ['sort=-last_name', ['c@example.com', 'a@example.com', 'b@example.com']],
    ['sort=-email', ['c@example.com', 'b@example.com', 'a@example.com']],
    ['q=turing', ['a@example.com']],
    ['email=B@EXAMPLE.COM', ['b@example.com']],
    ['lifecycle_stage=customer', ['a@example.com']],
    ['source=import', ['c@example.com']],
    ['tag=vip', ['b@example.com', 'c@example.com']],
    ['tag=vip&source=import', ['c@example.com']],
    ['phone=%2B442079460958', ['a@example.com']],
    ['created_since=2020-01-01T00:00:00Z&limit=1', ['b@example.com']],
    ['updated_since=2100-01-01T00:00:00%2B02:00', []],
    ['include_deleted=true&email=gone@example.com', ['gone@example.com']],
    ['include_deleted=false&email=gone@example.com', []],
  ])('200: %s', async (query, expected) => {
    const { key } = await givenContacts(
      { email: 'gone@example.com' },
      { email: 'c@example.com', source: 'import', tags: ['vip'] },
      { email: 'a@example.com', last_name: 'Turing', lifecycle_stage: 'customer', phone: '+442079460958' },
      { email: 'b@example.com', last_name: 'Hopper', tags: ['vip'] },
    )
    const gone = await rest('GET', `${path}?email=gone@example.com`, { key })
    await rest('DELETE', `${path}/${gone.body.data[0].id}`, { key })

    expect(emails(await rest('GET', `${path}?${query}`, { key }))).toEqual(expected)
  })

  test('200: contacts of other organizations are not listed', async () => {
    await givenContacts({ email: 'secret@example.com' })
    const { key } = await app.given.apiKey()

    expect((await rest('GET', `${path}?email=secret@example.com`, { key })).body.data).toEqual([])
  })

  test('422: a cursor of another list, or a malformed one', async () => {
    const { key } = await givenContacts({ email: 'a@example.com' }, { email: 'b@example.com' })
    const { body } = await rest('GET', `${path}?limit=1`, { key })

    const moved = await rest('GET', `${path}?limit=1&sort=email&cursor=${body.next_cursor}`, { key })
    const broken = await rest('GET', `${path}?cursor=abc`, { key })

    expect([moved.status, broken.status]).toEqual([422, 422])
    expect(moved.body.detail).toMatchObject([{ loc: ['query', 'cursor'], type: 'value_error', input: body.next_cursor }])
    expect(broken.body.detail).toMatchObject([{ loc: ['query', 'cursor'], type: 'value_error', input: 'abc' }])
  })

  test.each([
    [
      'limt=5',
      { loc: ['query', 'limt'], type: 'extra_forbidden', msg: "Extra inputs are not permitted; did you mean 'limit'?", input: '5' },
    ],
    ['limit=0', { loc: ['query', 'limit'], type: 'greater_than_equal', msg: 'Input should be greater than or equal to 1', ctx: { ge: 1 } }],
    ['limit=201', { loc: ['query', 'limit'], type: 'less_than_equal', msg: 'Input should be less than or equal to 200', ctx: { le: 200 } }],
    ['limit=ten', { loc: ['query', 'limit'], type: 'int_parsing', input: 'ten' }],
    ['limit=', { loc: ['query', 'limit'], type: 'int_parsing', input: '' }],
    ['limit=1&limit=2', { loc: ['query', 'limit'], type: 'value_error' }],
    ['sort=name', { loc: ['query', 'sort'], type: 'enum', input: 'name' }],
    ['include=everything', { loc: ['query', 'include'], type: 'literal_error', msg: "Input should be 'total'" }],
    ['lifecycle_stage=LEAD', { loc: ['query', 'lifecycle_stage'], type: 'enum' }],
    ['include_deleted=perhaps', { loc: ['query', 'include_deleted'], type: 'bool_parsing' }],
    ['created_since=yesterday', { loc: ['query', 'created_since'], type: 'datetime_parsing', input: 'yesterday' }],
    ['created_since=2026-01-01', { loc: ['query', 'created_since'], type: 'datetime_parsing' }],
    ['q=%00', { loc: ['query', 'q'], type: 'value_error', msg: 'Value error, NUL characters are not allowed' }],
    [
      'email=',
      { loc: ['query', 'email'], type: 'string_too_short', msg: 'String should have at least 1 character', ctx: { min_length: 1 } },
    ],
  ])('422: %s', async (query, problem) => {
    const { key } = await app.given.apiKey()

    const { status, body } = await rest('GET', `${path}?${query}`, { key })

    expect(status).toBe(422)
    expect(body).toMatchObject({ detail: [problem] })
  })

  test('422: several problems at once', async () => {
    const { key } = await app.given.apiKey()

    const { body } = await rest('GET', `${path}?limit=x&sort=y&zzz=1&cursor=abc`, { key })

    expect(body.detail.map(({ loc }: Json) => loc[1]).toSorted()).toEqual(['cursor', 'limit', 'sort', 'zzz'])
  })

  test('403: a key without contacts:read', async () => {
    const { key } = await app.given.apiKey({ scopes: ['stats:read'] })

    expect((await rest('GET', path, { key })).status).toBe(403)
  })
})
