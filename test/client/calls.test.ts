// Calls of rolocom/client: typed answers, errors by their code, lists to their end.

import { createClient, isRolocomError } from 'rolocom/client'
import { expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { keyed } from './keyed.ts'

const app = await openApp()

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a contact is created, changed by its version, read and deleted', async () => {
  const { client } = await keyed(app)

  const {
    data: ada,
    status,
    headers,
    operationId,
    isReplayed,
  } = await client.request('post', '/api/crm/v1/contacts', {
    body: { email: 'ada@example.com', tags: ['vip'] },
  })
  const path = { contact_id: ada.id }
  const changed = await client.patch('/api/crm/v1/contacts/{contact_id}', {
    path,
    headers: { 'If-Match': headers.get('etag') ?? '' },
    body: { first_name: 'Ada' },
  })
  const read = await client.get('/api/crm/v1/contacts/{contact_id}', { path })
  const receipt = await client.get('/api/crm/v1/operations/{operation_id}', { path: { operation_id: operationId ?? '' } })
  await client.delete('/api/crm/v1/contacts/{contact_id}', { path })

  expect({ status, isReplayed, tags: ada.tags, name: changed.first_name }).toEqual({
    status: 201,
    isReplayed: false,
    tags: ['vip'],
    name: 'Ada',
  })
  expect(read).toEqual(changed)
  expect(receipt).toMatchObject({ id: operationId, door: 'rest' })
})

test('an answer without a body is undefined', async () => {
  const { session } = await app.given.session()

  await expect(createClient({ url: app.url, key: session }).delete('/api/auth/session')).resolves.toBeUndefined()
})

test('a list is read to its end, page by page as it is asked for', async () => {
  const asked: string[] = []
  const counted = (url: string, init: RequestInit) => {
    asked.push(url)
    return fetch(url, init)
  }
  const { client } = await keyed(app, { fetch: counted })
  const contacts = Array.from({ length: 5 }, (_, index) => ({ email: `person-${index}@example.com`, tags: ['listed'] }))
  await client.post('/api/crm/v1/contacts/batch', { body: { contacts } })
  asked.length = 0

  const emails: (string | null)[] = []
  for await (const { email } of client.list('/api/crm/v1/contacts', { query: { limit: 2, sort: 'email', tag: ['listed'] } }))
    emails.push(email)
  expect(emails).toEqual(contacts.map(({ email }) => email))
  expect(asked).toHaveLength(3)

  asked.length = 0
  for await (const _ of client.list('/api/crm/v1/contacts', { query: { limit: 2 } })) break
  expect(asked).toHaveLength(1)
})

test('a file is uploaded as it is, and one is downloaded', async () => {
  const { client } = await keyed(app)
  const file = new Blob(['E-Mail;First name\nzoe@example.com;Zoe\n'])

  const { id } = await client.post('/api/crm/v1/imports', { body: file })
  const { rows } = await client.post('/api/crm/v1/imports/{import_id}/preview', { path: { import_id: id } })
  expect(rows).toHaveLength(1)

  await client.post('/api/crm/v1/contacts', { body: { email: 'zoe@example.com' } })
  const { url } = await client.post('/api/crm/v1/exports', { body: { columns: ['email'] } })
  const token = url.split('/').at(-1) ?? ''
  const response = await client.download('/api/crm/v1/exports/{token}', { path: { token } })
  expect(await response.text()).toContain('zoe@example.com')
})

test('errors are narrowed by their code, with the members of that code', async () => {
  const { client } = await keyed(app)
  const { id } = await client.post('/api/crm/v1/contacts', { body: { email: 'taken@example.com' } })

  const taken = await caught(client.post('/api/crm/v1/contacts', { body: { email: 'taken@example.com' } }))
  if (!isRolocomError(taken) || taken.code !== 'already_exists') throw new Error(`not already_exists: ${taken}`)
  expect([taken.status, taken.details.existing_id, taken.details.field]).toEqual([409, id, 'email'])
  expect(taken.requestId).toMatch(/^[0-9a-f-]{36}$/)

  const wrong = await caught(client.post('/api/crm/v1/contacts', { body: { email: 'nobody', phone: 'x'.repeat(999) } }))
  if (!isRolocomError(wrong) || wrong.code !== 'invalid') throw new Error(`not invalid: ${wrong}`)
  expect(wrong.details.problems?.map(({ loc }) => loc.join('.'))).toEqual(['body.email', 'body.phone'])
  expect(wrong.message).toContain('body.email: ')
})

test.each([
  ['a key that is none', { key: 'rcm_nothing' }, 'unauthenticated', 401],
  ['no key', { key: undefined }, 'unauthenticated', 401],
  ['an organization of others', { orgId: '0199f0e0-1c2d-7000-8e21-5b1f6a7c0d10' }, 'forbidden', 403],
] as const)('%s: %o is %s', async (_, options, code, status) => {
  const { client } = await keyed(app, options)

  await expect(client.get('/api/crm/v1/contacts')).rejects.toMatchObject({ name: 'RolocomError', code, status })
})

test('an unchanged If-None-Match is not_modified, and an error of the identity provider has a code by its status', async () => {
  const { client } = await keyed(app)
  const { data, headers } = await client.request('post', '/api/crm/v1/contacts', { body: { email: 'etag@example.com' } })
  const known = { path: { contact_id: data.id }, headers: { 'If-None-Match': headers.get('etag') ?? '' } }

  await expect(client.get('/api/crm/v1/contacts/{contact_id}', known)).rejects.toMatchObject({ code: 'not_modified', status: 304 })
  const password = client.post('/idp/sign-in/email', { body: { email: 'nobody@example.com', password: 'wrong-password' } })
  await expect(password).rejects.toMatchObject({ code: 'unauthenticated', status: 401, message: 'Invalid email or password' })
})

test('the key may come from a function, and headers are sent as they are given', async () => {
  const { key } = await app.given.apiKey()
  const keys = ['rcm_old', key]
  const client = createClient({ url: `${app.url}/`, key: async () => keys.shift() ?? '' })

  await expect(client.get('/api/crm/v1/stats')).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(client.get('/api/crm/v1/stats')).resolves.toHaveProperty('contacts')
  const guest = createClient({ url: app.url, headers: { 'X-Guest-ID': 'guest' } })
  await expect(guest.get('/api/dashboard')).rejects.toMatchObject({ message: 'There is no demo organization here' })
})

test('every write of the contract that takes an Idempotency-Key gets one, and no other call', async () => {
  const sent: [string, string, boolean][] = []
  const answer = async (url: string, init: RequestInit) => {
    sent.push([String(init.method).toLowerCase(), new URL(url).pathname, new Headers(init.headers).has('Idempotency-Key')])
    return Response.json({})
  }
  const client = createClient({ url: app.url, fetch: answer })
  const { body: contract } = await app.rest('GET', '/openapi.json')
  const expected: typeof sent = []
  for (const [path, operations] of Object.entries<Record<string, { parameters?: { $ref?: string }[] }>>(contract.paths))
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      const takesKey = parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey')
      expected.push([method, path.replaceAll(/\{\w+\}/g, 'x'), takesKey])
      // The compiler knows no path of this loop.
      await (client as { request: (...call: unknown[]) => Promise<unknown> }).request(method, path, { path: everyParameter })
    }

  expect(sent).toEqual(expected)
  expect(sent.filter(([, , has]) => has).length).toBeGreaterThan(30)
})

const everyParameter = new Proxy(
  {},
  { has: () => true, get: () => 'x', getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
)

test('an address that is none is refused at once', () => {
  expect(() => createClient({ url: 'crm.example.com' })).toThrow(TypeError)
})
