// Idempotency-Key through GraphQL: a retried mutation is executed once.

import { describe, expect, test } from 'vitest'
import { type Answer, openApp } from '../../support/app.ts'

const app = await openApp()

const create =
  'mutation Create($email: String) { createContact(input: { email: $email, firstName: "Ada" }) { id email version createdAt } }'

const ask = (key: string, idempotencyKey: string, email: string, query = create) =>
  app.graphql(query, { email }, { key, headers: { 'Idempotency-Key': idempotencyKey } })
const contactsOf = (orgId: string) => app.services.database.prisma.contact.count({ where: { orgId } })
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'

describe('a mutation with an Idempotency-Key', () => {
  test('is executed once; the answer is replayed and marked as replayed', async () => {
    const { key, orgId } = await app.given.apiKey()

    const first = await ask(key, 'once', 'ada@example.com')
    const second = await ask(key, 'once', 'ada@example.com')

    expect(first.body.data.createContact).toMatchObject({ email: 'ada@example.com', version: 1 })
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect([isReplay(first), isReplay(second)]).toEqual([false, true])
    expect(await contactsOf(orgId)).toBe(1)
  })

  test('and a different input is refused: IDEMPOTENCY_MISMATCH, nothing is written', async () => {
    const { key, orgId } = await app.given.apiKey()
    await ask(key, 'two', 'one@example.com')

    const other = await ask(key, 'two', 'other@example.com')
    const otherSelection = await ask(key, 'two', 'one@example.com', create.replace('version', 'tags'))

    for (const { body } of [other, otherSelection])
      expect(body).toEqual({
        errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code: 'IDEMPOTENCY_MISMATCH', status: 422 }) }],
      })
    expect(await contactsOf(orgId)).toBe(1)
  })

  test('and a different fragment is a different input', async () => {
    const { key } = await app.given.apiKey()
    const withFragment = (fields: string) =>
      `mutation Create($email: String) { createContact(input: { email: $email }) { ...F } } fragment F on Contact { ${fields} }`

    const first = await ask(key, 'three', 'f@example.com', withFragment('id'))
    const other = await ask(key, 'three', 'f@example.com', withFragment('id email'))

    expect(first.body.data.createContact.id).toBeDefined()
    expect(other.body.errors[0].extensions.code).toBe('IDEMPOTENCY_MISMATCH')
  })

  test('by an API key with fewer scopes is refused, and does not use up the Idempotency-Key', async () => {
    const { key: wide, orgId } = await app.given.apiKey({ scopes: ['contacts:read', 'contacts:write'] })
    const { key: narrow } = await app.given.apiKey({ orgId, scopes: ['contacts:write'] })
    const first = await ask(wide, 'scopes', 'wide@example.com')

    const refused = await ask(narrow, 'scopes', 'wide@example.com')
    const again = await ask(wide, 'scopes', 'wide@example.com')

    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 })
    expect([again.body, isReplay(again)]).toEqual([first.body, true])
  }, 8_000)

  test('that fails is not stored: it can be retried', async () => {
    const { key, orgId } = await app.given.apiKey()
    await app.graphql(create, { email: 'taken@example.com' }, { key })

    const refused = await ask(key, 'four', 'taken@example.com')
    const again = await ask(key, 'four', 'free@example.com')

    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'ALREADY_EXISTS', status: 409 })
    expect(again.body.data.createContact.email).toBe('free@example.com')
    expect(await contactsOf(orgId)).toBe(2)
  })

  test('of several fields is rolled back as a whole if one of them fails', async () => {
    const { key, orgId } = await app.given.apiKey()
    const query = `mutation ($email: String) {
      a: createContact(input: { email: "a@example.com" }) { id }
      b: createContact(input: { email: $email }) { id }
      c: createContact(input: { email: "a@example.com" }) { id }
    }`

    const { body } = await ask(key, 'five', 'b@example.com', query)

    expect(body.errors).toMatchObject([{ path: ['c'], extensions: { code: 'ALREADY_EXISTS' } }])
    expect(await contactsOf(orgId)).toBe(0)
  })

  test('sent fifty times at once has one effect; every request gets that answer or IDEMPOTENCY_IN_FLIGHT', async () => {
    const { key, orgId } = await app.given.apiKey()

    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(key, 'race', 'race@example.com')))

    const done = answers.filter(({ body }) => body.data)
    const refused = answers.filter(({ body }) => !body.data)
    expect(done.length).toBeGreaterThan(0)
    for (const { body } of done) expect(body).toEqual(done[0]?.body)
    for (const { body } of refused)
      expect(body.errors[0].extensions).toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT', status: 409, retryAfter: 1 })
    expect(await contactsOf(orgId)).toBe(1)
  })

  test('is stored per organization and per operation', async () => {
    const [one, two] = [await app.given.apiKey(), await app.given.apiKey()]

    const answers = [
      await ask(one.key, 'same', 's@example.com'),
      await ask(two.key, 'same', 's@example.com'),
      await ask(one.key, 'same', 't@example.com', create.replace('Create', 'CreateAnother')),
    ]

    expect(answers.map(isReplay)).toEqual([false, false, false])
    expect(new Set(answers.map(({ body }) => body.data.createContact.id)).size).toBe(3)
  })

  test('that changes which organizations its caller has is executed once', async () => {
    const { session: owner } = await app.given.session()
    const { session, userId } = await app.given.session()
    const done = async (key: string, mutation: string, by = session) =>
      (await app.graphql(`mutation { done: ${mutation} { id } }`, {}, { session: by, headers: { 'Idempotency-Key': key } })).body.data?.done
    const invite = 'mutation { inviteToOrganization(input: { role: MEMBER }) { token } }'
    const { body } = await app.graphql(invite, {}, { session: owner })
    const claim = `claimOrganization(input: { token: "${body.data.inviteToOrganization.token}" })`

    const joined = await done('join', claim)
    const made = await done('make', 'createOrganization(input: { name: "Second" })')
    const answers = [await done('join', claim), await done('make', 'createOrganization(input: { name: "Second" })')]
    const left = await done('leave', `leaveOrganization(input: { id: "${joined.id}" })`)
    answers.push(await done('leave', `leaveOrganization(input: { id: "${joined.id}" })`))

    expect([left.id, ...answers.map(answer => answer?.id)]).toEqual([joined.id, joined.id, made.id, joined.id])
    expect(await app.services.database.prisma.membership.count({ where: { userId } })).toBe(2)
    // Another person's key of the same name is another one.
    expect((await done('make', 'createOrganization(input: { name: "Second" })', owner)).id).not.toBe(made.id)
  })

  test('is not replayed for a caller without its scope', async () => {
    const { key, orgId } = await app.given.apiKey()
    const { key: readOnly } = await app.given.apiKey({ orgId, scopes: ['contacts:read'] })
    await ask(key, 'mine', 'm@example.com')

    const answers = [
      await ask(readOnly, 'mine', 'm@example.com'),
      await ask(readOnly, 'mine', 'm@example.com', create.replace('{ createContact', '{ ...M } fragment M on Mutation { createContact')),
    ]

    for (const { body } of answers) expect(body.errors[0].extensions.code).toBe('FORBIDDEN')
  })

  test('in fragments is executed once too', async () => {
    const { key, orgId } = await app.given.apiKey()
    const query = 'mutation M($email: String) { ...F } fragment F on Mutation { createContact(input: { email: $email }) { id } }'

    const [first, second] = [await ask(key, 'frag', 'g@example.com', query), await ask(key, 'frag', 'g@example.com', query)]

    expect(first.body.data.createContact.id).toBeDefined()
    expect([second.body, isReplay(second)]).toEqual([first.body, true])
    expect(await contactsOf(orgId)).toBe(1)
  })

  test('a query ignores the header', async () => {
    const { key } = await app.given.apiKey()

    const answers = [await ask(key, 'q', '', '{ contacts { totalCount } }'), await ask(key, 'q', '', '{ me { userId } }')]

    expect(answers.map(({ body }) => Object.keys(body.data))).toEqual([['contacts'], ['me']])
    expect(answers.some(isReplay)).toBe(false)
  })
})

describe('an Idempotency-Key', () => {
  test('of 255 visible characters works, its header in any case', async () => {
    const { key, orgId } = await app.given.apiKey()
    const headers = { 'idempotency-KEY': '~'.repeat(255) }

    for (let time = 0; time < 2; time++) await app.graphql(create, { email: 'long@example.com' }, { key, headers })

    expect(await contactsOf(orgId)).toBe(1)
  })

  for (const [what, value] of [
    ['of 256 characters', 'x'.repeat(256)],
    ['with a space', 'a b'],
    ['that is empty', ''],
    ['with a letter beyond ASCII', 'clé'],
  ] as const)
    test(`${what} is INVALID, and nothing is written`, async () => {
      const { key, orgId } = await app.given.apiKey()

      const { status, body } = await app.graphql(create, { email: 'x@example.com' }, { key, headers: { 'idempotency-key': value } })

      expect(status).toBe(400)
      expect(body.errors[0].extensions).toMatchObject({
        code: 'INVALID',
        status: 422,
        problems: [{ path: ['header', 'Idempotency-Key'], type: 'string_pattern_mismatch' }],
      })
      expect(await contactsOf(orgId)).toBe(0)
    })
})
