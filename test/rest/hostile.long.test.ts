// Hostile input: every response conforms to the OpenAPI document and is never a 5xx.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/rest/routes/routes.ts'
import { type Json, openApp } from '../support/app.ts'
import { conforming } from './conforming.ts'

const app = await openApp()
const rest = conforming(app)
const key = (await app.given.apiKey()).key
const contactId = (await rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'target@example.com' } })).body.id

const runs = { numRuns: 150, endOnFailure: true }

// Values of every JSON type, the commonly mishandled ones first.
const nasty = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  -0.5,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u200f',
  '💥'.repeat(70),
  'x'.repeat(5_000),
  "'; drop table contacts; --",
  '$' + '{jndi:ldap://x}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '%00',
  'NaN',
  '2026-02-30T25:61:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59+00:00',
  '+'.repeat(50),
  [],
  [[]],
  {},
  { __proto__: null, constructor: { prototype: { polluted: true } } },
  ['a', null, 3],
)
const anything = fc.oneof(
  { weight: 3, arbitrary: nasty },
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>,
)

const emails = fc.integer({ min: 0, max: 30 }).map(n => `hostile${n}@example.com`)
const fieldsOf = (shape: Record<string, unknown>) =>
  fc.record(Object.fromEntries(Object.keys(shape).map(name => [name, anything])), { requiredKeys: [] })

const writes = routes.filter(({ body, callers }) => body && callers.includes('api_key'))
const queried = routes.filter(({ query, callers }) => query && callers.includes('api_key'))
const addressOf = (path: string) => path.replace('{contact_id}', contactId)

describe('hostile input', () => {
  test.each(
    writes.map(route => [route.method, route.path, route] as const),
  )('%s %s with bodies of the right fields and the wrong values', async (method, path, route) => {
    const shape = route.body?.shape ?? {}
    const match = route.query?.shape.match ? '?match=email' : ''
    await fc.assert(
      fc.asyncProperty(fieldsOf(shape), fc.option(emails), async (fields, email) => {
        const body = email && 'email' in shape ? { ...fields, email } : fields
        const { status } = await rest(method, addressOf(path) + match, { key, body })
        expect(status).toBeLessThan(500)
      }),
      runs,
    )
  })

  test('batches of partly valid rows', async () => {
    const shape = (writes.find(({ operationId }) => operationId === 'createContact')?.body?.shape ?? {}) as Record<string, unknown>
    const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', 'GB', 'https://x.example', '+442079460958'))
    const row = fc.record(
      {
        email: emails,
        ...Object.fromEntries(
          Object.keys(shape)
            .filter(name => name !== 'email')
            .map(name => [name, texts]),
        ),
      },
      { requiredKeys: ['email'] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        fc.constantFrom('update', 'skip', undefined),
        async (contacts, atomic, on_conflict) => {
          const { status } = await rest('POST', '/api/crm/v1/contacts/batch', { key, body: { contacts, atomic, on_conflict } })
          expect([200, 409, 422]).toContain(status)
        },
      ),
      runs,
    )
  })

  test.each(
    queried.map(route => [route.method, route.path, route] as const),
  )('%s %s with queries of the right names and the wrong values', async (method, path, route) => {
    const names = Object.keys(route.query?.shape ?? {})
    const value = fc.oneof(
      nasty.filter(value => typeof value === 'string'),
      fc.string({ unit: 'binary' }),
      fc.integer().map(String),
    ) as fc.Arbitrary<string>
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), value), { maxLength: 4 }), async pairs => {
        const text = pairs
          .map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`)
          .join('&')
        const { status } = await rest(method, `${addressOf(path)}?${text}`, {
          key,
          ...(method === 'GET' ? {} : { body: { email: 'q@example.com' } }),
        })
        expect(status).toBeLessThan(500)
      }),
      runs,
    )
  })

  // JavaScript has the year 0, PostgreSQL does not.
  test.each(
    queried.flatMap(({ method, path, query }) =>
      Object.keys(query?.shape ?? {}).flatMap(name => (/_(since|until)$/.test(name) ? [[method, path, name] as const] : [])),
    ),
  )('%s %s refuses a time of the year 0 as %s', async (method, path, name) => {
    const { status, body } = await rest(method, `${addressOf(path)}?${name}=0000-01-01T00:00:00Z`, { key })
    expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['query', name], type: 'datetime_parsing' })]])
  })

  test('malformed query strings', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('%', '&', '=', '+', '[', ']', 'a', '0', 'f', ';', '?', '#', "'", '"') }),
        async text => {
          const { status } = await rest('GET', `/api/crm/v1/contacts?${text.replaceAll('#', '')}`, { key })
          expect([200, 422]).toContain(status)
        },
      ),
      runs,
    )
  })

  test('malformed ids', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom('', '/timeline', '/restore'), async (id, suffix) => {
        const method = suffix === '/restore' ? 'POST' : 'GET'
        const { status } = await app.rest(
          method,
          `/api/crm/v1/contacts/${encodeURIComponent(id.toWellFormed()).replaceAll('.', '%2E')}${suffix}`,
          { key },
        )
        expect([404, 405]).toContain(status)
      }),
      runs,
    )
  })

  test('malformed JSON bodies', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      'u0000',
      'null',
      'true',
      '1e999',
      '-',
      '"email"',
      'a@example.com',
      '\t',
      '\u2028',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async pieces => {
        const { status } = await rest('POST', '/api/crm/v1/contacts', { key, body: pieces.join('') })
        expect([201, 409, 422]).toContain(status)
      }),
      runs,
    )
  })

  test('malformed Idempotency-Key, If-Match and X-Org-Id headers', async () => {
    const value = fc
      .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)), maxLength: 300 })
      .map(text => text.trim())
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Idempotency-Key', 'If-Match', 'X-Org-Id', 'If-None-Match', 'Accept', 'X-Request-Id'),
        value,
        async (name, text) => {
          const { status } = await rest('PATCH', `/api/crm/v1/contacts/${contactId}`, { key, body: {}, headers: { [name]: text } })
          expect([200, 403, 412, 422]).toContain(status)
        },
      ),
      runs,
    )
  })

  test('no prototype was polluted, and the target is unchanged', async () => {
    expect(({} as Json).polluted).toBeUndefined()
    expect((await rest('GET', `/api/crm/v1/contacts/${contactId}`, { key })).status).toBe(200)
    expect(app.log.filter(line => line.includes('"level":50'))).toEqual([])
  })
})
