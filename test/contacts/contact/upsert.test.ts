// upsertContact: adds a contact, or updates the live contact with its address.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lockLiveContact } from '../../../src/contacts/contact/contact.sql.ts'
import { writeContacts } from '../../../src/contacts/contact/write.ts'
import { together } from '../../../src/kernel/batching/together.ts'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn, problemsOf } from '../client.ts'

const app = await openApp()

const fields = 'id email firstName lastName fullName phone tags lifecycleStage source version'
const document = `mutation ($input: UpsertContactInput!) {
  upsertContact(input: $input) { outcome contact { ${fields} } }
}`
const upsert = async (on: Client, input: Json, onConflict?: string) =>
  (await on.data(document, { input: { ...input, onConflict } })).upsertContact
const live = async (on: Client) => (await on.data(`{ contacts(sort: EMAIL, first: 200) { nodes { ${fields} } } }`)).contacts.nodes as Json[]

describe('upsertContact', () => {
  test('adds, then keeps absent fields, clears null ones, and keeps the first spelling of the address', async () => {
    const on = await clientIn(app)

    const first = await upsert(on, { email: 'Ada@Example.com', firstName: 'Ada', lastName: 'Lovelace', phone: '+14155550100', tags: ['a'] })
    const second = await upsert(on, { email: 'ada@example.com', firstName: 'Augusta', phone: null })

    expect(first).toMatchObject({ outcome: 'CREATED', contact: { version: 1 } })
    expect(second).toEqual({
      outcome: 'UPDATED',
      contact: { ...first.contact, firstName: 'Augusta', fullName: 'Augusta Lovelace', phone: null, version: 2 },
    })
    expect(await live(on)).toEqual([second.contact])
  })

  test('with equal values writes nothing', async () => {
    const on = await clientIn(app)
    await upsert(on, { email: 'ada@example.com', firstName: 'Ada' })

    expect(await upsert(on, { email: 'ADA@example.com', firstName: 'Ada' })).toMatchObject({ outcome: 'UPDATED', contact: { version: 1 } })
  })

  test('can skip an existing contact', async () => {
    const on = await clientIn(app)
    const { contact } = await upsert(on, { email: 'ada@example.com', firstName: 'Ada' })

    expect(await upsert(on, { email: 'ada@example.com', firstName: 'Other' }, 'SKIP')).toEqual({ outcome: 'SKIPPED', contact })
  })

  test('that waits for a locked contact delays no contact that is added together with it', async () => {
    const on = await clientIn(app)
    const other = await clientIn(app)
    const { contact } = await upsert(on, { email: 'ada@example.com', firstName: 'Ada' })
    const begun = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const lock = app.services.database.transaction(async tx => {
      await tx.query(lockLiveContact, [on.orgId, contact.id])
      begun.resolve()
      await released.promise
    })
    await begun.promise

    // Both arrive in one turn of the event loop, so they share a batch.
    const order: string[] = []
    const waiting = together(app.asSystem(on.orgId), writeContacts, {
      contact: { email: 'ada@example.com', firstName: 'Augusta' },
      onConflict: 'update',
    }).then(({ outcome }) => order.push(outcome))
    const added = together(app.asSystem(other.orgId), writeContacts, { contact: { email: 'bob@example.com' }, onConflict: null }).then(
      ({ outcome }) => order.push(outcome),
    )
    await Promise.race([added, new Promise(resolve => setTimeout(resolve, 3_000))])
    const beforeRelease = [...order]
    released.resolve()
    await Promise.all([lock, waiting, added])

    expect(beforeRelease).toEqual(['created'])
    expect(order).toEqual(['created', 'updated'])
  })

  test('a deleted contact stays deleted, a new one is added beside it', async () => {
    const on = await clientIn(app)
    const { contact } = await upsert(on, { email: 'ada@example.com', firstName: 'Ada' })
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id: contact.id })

    const again = await upsert(on, { email: 'ada@example.com' })

    expect(again).toMatchObject({ outcome: 'CREATED', contact: { firstName: null } })
    expect(again.contact.id).not.toBe(contact.id)
    const { contacts } = await on.data('{ contacts(filter: { includeDeleted: true }) { nodes { id deletedAt } } }')
    expect(contacts.nodes.map((node: Json) => [node.id, node.deletedAt !== null])).toEqual([
      [again.contact.id, false],
      [contact.id, true],
    ])
  })

  test('requires an address, and reports all other problems as well', async () => {
    const on = await clientIn(app)

    expect(problemsOf(await on.error(document, { input: { firstName: 'Ada' } }))).toEqual(['email: Field required'])
    expect(problemsOf(await on.error(document, { input: { phone: 'x', email: null } }))).toEqual([
      'email: Field required',
      "phone: String should match pattern '^\\+?[0-9 ().-]{3,32}$': + and the country code, such as +14155550123",
    ])
  })

  test('of 20 concurrent calls one adds, the others update, and no update is lost', async () => {
    const on = await clientIn(app)

    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => upsert(on, { email: 'race@example.com', externalId: `${index}` })),
    )

    expect(results.filter(({ outcome }) => outcome === 'CREATED')).toHaveLength(1)
    expect(new Set(results.map(({ contact }) => contact.id)).size).toBe(1)
    expect((await live(on))[0]?.version).toBe(20)
  })

  test('any sequence of upserts has the same result as applying them to a plain object', async () => {
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
        const on = await clientIn(app)
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
