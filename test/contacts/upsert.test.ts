// upsertContact: one call that adds a contact or brings an existing one up to date.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, startApp, type TestApp } from '../support/app.ts'
import { type Asking, askingIn, problemsOf } from './asking.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const fields = 'id email firstName lastName fullName phone tags lifecycleStage source version'
const document = `mutation ($input: CreateContactInput!, $onConflict: OnConflict) {
  upsertContact(input: $input, onConflict: $onConflict) { outcome contact { ${fields} } }
}`
const upsert = async (on: Asking, input: Json, onConflict?: string) => (await on.data(document, { input, onConflict })).upsertContact
const live = async (on: Asking) => (await on.data(`{ contacts(sort: EMAIL, first: 200) { nodes { ${fields} } } }`)).contacts.nodes as Json[]

describe('upsertContact', () => {
  test('adds, then leaves what is absent and clears what is null, and keeps the address as it was written first', async () => {
    const on = await askingIn(app)

    const first = await upsert(on, { email: 'Ada@Example.com', firstName: 'Ada', lastName: 'Lovelace', phone: '+14155550100', tags: ['a'] })
    const second = await upsert(on, { email: 'ada@example.com', firstName: 'Augusta', phone: null })

    expect(first).toMatchObject({ outcome: 'CREATED', contact: { version: 1 } })
    expect(second).toEqual({
      outcome: 'UPDATED',
      contact: { ...first.contact, firstName: 'Augusta', fullName: 'Augusta Lovelace', phone: null, version: 2 },
    })
    expect(await live(on)).toEqual([second.contact])
  })

  test('with nothing new writes nothing', async () => {
    const on = await askingIn(app)
    await upsert(on, { email: 'ada@example.com', firstName: 'Ada' })

    expect(await upsert(on, { email: 'ADA@example.com', firstName: 'Ada' })).toMatchObject({ outcome: 'UPDATED', contact: { version: 1 } })
  })

  test('can leave an existing contact alone', async () => {
    const on = await askingIn(app)
    const { contact } = await upsert(on, { email: 'ada@example.com', firstName: 'Ada' })

    expect(await upsert(on, { email: 'ada@example.com', firstName: 'Other' }, 'SKIP')).toEqual({ outcome: 'SKIPPED', contact })
  })

  test('a deleted contact stays deleted, a new one is added beside it', async () => {
    const on = await askingIn(app)
    const { contact } = await upsert(on, { email: 'ada@example.com', firstName: 'Ada' })
    await on.data('mutation ($id: ID!) { deleteContact(id: $id) { id } }', { id: contact.id })

    const again = await upsert(on, { email: 'ada@example.com' })

    expect(again).toMatchObject({ outcome: 'CREATED', contact: { firstName: null } })
    expect(again.contact.id).not.toBe(contact.id)
    const { contacts } = await on.data('{ contacts(filter: { includeDeleted: true }) { nodes { id deletedAt } } }')
    expect(contacts.nodes.map((node: Json) => [node.id, node.deletedAt !== null])).toEqual([
      [again.contact.id, false],
      [contact.id, true],
    ])
  })

  test('wants an address, and says everything else that is wrong as well', async () => {
    const on = await askingIn(app)

    expect(problemsOf(await on.error(document, { input: { firstName: 'Ada' } }))).toEqual(['email: Field required'])
    expect(problemsOf(await on.error(document, { input: { phone: 'x', email: null } }))).toEqual([
      'email: Field required',
      "phone: String should match pattern '^\\+?[0-9 ().-]{3,32}$': + and the country code, such as +14155550123",
    ])
  })

  test('of 20 at once one adds, the others update, and none is lost', async () => {
    const on = await askingIn(app)

    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => upsert(on, { email: 'race@example.com', externalId: `${index}` })),
    )

    expect(results.filter(({ outcome }) => outcome === 'CREATED')).toHaveLength(1)
    expect(new Set(results.map(({ contact }) => contact.id)).size).toBe(1)
    expect((await live(on))[0]?.version).toBe(20)
  })

  test('any sequence of upserts leaves what applying them in order to a plain object leaves', async () => {
    const name = fc.constantFrom('Ada', 'Bob', null)
    const step = fc.record(
      {
        email: fc.constantFrom('a@example.com', 'A@EXAMPLE.com', 'b@example.com'),
        firstName: name,
        lastName: name,
        tags: fc.constantFrom(['x'], ['x', 'y'], [], null),
        lifecycleStage: fc.constantFrom('LEAD', 'CUSTOMER', null),
      },
      { requiredKeys: ['email'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async steps => {
        const on = await askingIn(app)
        const expected = new Map<string, Json>()
        const cleared: Json = { tags: [], lifecycleStage: 'SUBSCRIBER' }
        for (const input of steps) {
          const address = input.email.toLowerCase()
          const before = expected.get(address) ?? { email: input.email, firstName: null, lastName: null, ...cleared }
          const { email: _, ...given } = input
          const changes = Object.fromEntries(Object.entries(given).map(([field, value]) => [field, value ?? cleared[field] ?? null]))
          expected.set(address, { ...before, ...changes })

          await upsert(on, input)
        }

        const contacts = (await live(on)).map(({ email, firstName, lastName, tags, lifecycleStage }) => ({
          email,
          firstName,
          lastName,
          tags,
          lifecycleStage,
        }))
        expect(contacts).toEqual([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, contact]) => contact))
      }),
      { numRuns: 25 },
    )
  })
})
